// Implemented in src/http/large-bodies. Results are bounded, so receiving them does not block the event loop.
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { PackedPayload } from '../store/events.ts';
import type { ReleaseChange } from '../store/releases.ts';
import type {
  EventGroupingKey,
  EventReadContext,
  FeedbackItemReadContext,
  FeedbackReadContext,
  FilteredEvent,
  HealthItemType,
  HealthReadContext,
  HealthResults,
  PreparedEvent,
  PreparedFeedback,
  ReleaseReadContext,
  ScrubOptions,
  SymbolicationState,
} from './prepared-data.ts';

/** `none`: no symbolication; `yet`: nothing uploaded yet; `up`: source maps must be looked up. */
export type SourceMapLookup = 'none' | 'yet' | 'up';

/** An event that was read. One with mappable frames is completed later with `scrubAndGroup`. */
export type ReadEvent =
  | { readonly kind: 'prepared'; readonly event: PreparedEvent }
  | { readonly kind: 'filtered'; readonly event: FilteredEvent }
  | {
      readonly kind: 'mappable';
      readonly view: NormalizedEvent;
      readonly sent: Uint8Array;
    };

export interface LargeBodyRequest {
  readonly work: unknown;
  /** The worker slot if the body is not large but was offloaded; null for a large one. */
  readonly slot: WorkerSlot | null;
  /** Receives the query parameters that were sent in the body (`_fields`). */
  onQueryParams(words: unknown): void;
}

/** The outline of a JSON document on /envelope, made before its events are read. */
export type DocumentOutline =
  /** Not an object with events. */
  | { readonly kind: 'other' }
  | { readonly kind: 'event'; readonly isTooLarge: boolean }
  | { readonly kind: 'events'; readonly pieces: readonly EventRange[] }
  /** `events` is not a list, is empty or has too many entries. */
  | { readonly kind: 'wrong'; readonly count: number | null };

interface EventRange {
  readonly start: number;
  readonly end: number;
  /** True if it exceeds the limit of an event even without white space. */
  readonly isTooLarge: boolean;
}

export interface EventReader {
  /** Reads one event from JSON bytes. Rejects with 400 if it is not an object. */
  readEvent(bytes: Uint8Array, maps: SourceMapLookup, facts: EventReadContext): Promise<ReadEvent>;
  /** Reads the event of a request to /store, validated as WordPress would. Rejects with its errors. */
  readStore(request: LargeBodyRequest, maps: SourceMapLookup, facts: EventReadContext): Promise<ReadEvent>;
  /** Completes a mappable event with the symbolicated stacks of its view. */
  finishEvent(
    sent: Uint8Array,
    mapped: NormalizedEvent,
    mapping: SymbolicationState,
    facts: EventReadContext,
  ): Promise<PreparedEvent>;
}

export interface WorkerSlot extends EventReader {
  /** Frees the slot. It is also freed when its event has been read; a second call does nothing. */
  leave(): void;
}

export interface LargeBodyReader extends EventReader {
  /** The parameters of a request, validated and cut to what the route can use. */
  readParameters(work: unknown): Promise<unknown>;
  /** A worker slot for a body that is not large, if that is sooner than the main thread with its `waitingBytes`.
   * `never`: that will not change. `eventIn` returns the event's bytes in the body (default all). */
  reserveWorker(
    body: Buffer,
    waitingBytes: number,
    eventIn?: (body: Buffer) => Buffer | null,
  ): WorkerSlot | 'not now' | 'never';
  /** Reads a stored event: the stacks as sent, reduced to what symbolication needs, and the whole event. */
  readStored(
    payload: Uint8Array,
  ): Promise<{ readonly view: NormalizedEvent; readonly sent: Uint8Array; readonly key: EventGroupingKey }>;
  /** Completes a stored event with the symbolicated stacks of its view: scrubs and groups it again. */
  finishStored(
    sent: Uint8Array,
    mapped: NormalizedEvent,
    scrub: ScrubOptions,
  ): Promise<{ readonly payload: PackedPayload; readonly key: EventGroupingKey }>;
  outline(document: Uint8Array): Promise<DocumentOutline>;
  readFeedback(request: LargeBodyRequest, facts: FeedbackReadContext): Promise<PreparedFeedback>;
  readReport(bytes: Uint8Array, facts: FeedbackItemReadContext): Promise<PreparedFeedback>;
  /** Counts of a client report or a session item; null if it cannot be read. */
  readHealth<Type extends HealthItemType>(
    type: Type,
    bytes: Uint8Array,
    of: HealthReadContext,
  ): Promise<HealthResults[Type] | null>;
  readRelease(request: LargeBodyRequest, of: ReleaseReadContext): Promise<ReleaseChange>;
  readReleaseJson(bytes: Uint8Array, version: string | null, of: ReleaseReadContext): Promise<ReleaseChange>;
  /** Reads any JSON cut to a small size: shallow values first, those of the given names before others. */
  readJson(bytes: Uint8Array, names: readonly string[]): Promise<unknown>;
  close(): Promise<void>;
}
