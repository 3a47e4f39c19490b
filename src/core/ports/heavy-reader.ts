// What the rules may ask of the threads that read heavy bodies. src/http/heavy answers it; without one, all
// is read in place. What comes back is bounded whatever was sent, so that taking it in holds nobody up.
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { PackedPayload } from '../store/events.ts';
import type { ReleaseChange } from '../store/releases.ts';
import type {
  EventFacts,
  EventKey,
  HealthFacts,
  HealthOf,
  HealthType,
  Mapping,
  PreparedEvent,
  PreparedReport,
  ReleaseFacts,
  ReportFacts,
  ReportItemFacts,
  ScrubOptions,
} from './readings.ts';

/**
 * Whether maps may be there for an event: `none` are looked for, none are there `yet`, or they have to be
 * looked `up`.
 */
export type MapsThere = 'none' | 'yet' | 'up';

/** An event that was read. One with frames that may be mapped waits to be finished. */
export type ReadEvent =
  | { readonly kind: 'prepared'; readonly event: PreparedEvent }
  | {
      readonly kind: 'mappable';
      /** The event with nothing but what mapping looks at. */
      readonly view: NormalizedEvent;
      /** The whole of it, for `finishEvent` alone. */
      readonly sent: Uint8Array;
    };

/** A request whose body waits to be read aside. Made where requests are known; the rules hand it on. */
export interface HeavyRequest {
  readonly work: unknown;
  /** Where it is read, if it is no heavy body but went aside; null for a heavy one. */
  readonly place: PlaceAside | null;
  /** Told which of the body's words are meant for the server (`_fields`). */
  heard(words: unknown): void;
}

/** A JSON document on /envelope, told apart before any event of it is read. */
export type Outline =
  /** No JSON object that holds events. */
  | { readonly kind: 'other' }
  | { readonly kind: 'event'; readonly isTooLarge: boolean }
  | { readonly kind: 'events'; readonly pieces: readonly Piece[] }
  /** `events` that is no list, or holds none or too many. */
  | { readonly kind: 'wrong'; readonly count: number | null };

/** One element of `events`: where it lies in the document. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** Whether it is over the limit of an event once blanks are left out. */
  readonly isTooLarge: boolean;
}

/** Who reads the event of a request in a thread. */
export interface EventReader {
  /** Reads one event from the bytes of its JSON. Rejects with 400 for what is no JSON object. */
  readEvent(bytes: Uint8Array, maps: MapsThere, facts: EventFacts): Promise<ReadEvent>;
  /** Reads the event of a request to /store, checked as WordPress would. Rejects with its refusals. */
  readStore(request: HeavyRequest, maps: MapsThere, facts: EventFacts): Promise<ReadEvent>;
  /** Finishes a mappable event, with the stacks of its view as they were mapped. */
  finishEvent(
    sent: Uint8Array,
    mapped: NormalizedEvent,
    mapping: Mapping,
    facts: EventFacts,
  ): Promise<PreparedEvent>;
}

/** A place in the thread that reads events while others wait to be read here (D-237). */
export interface PlaceAside extends EventReader {
  /** Gives the place back; its event being read does so too, and a second time means nothing. */
  leave(): void;
}

export interface HeavyReader extends EventReader {
  /** The parameters of a request, checked and cut to what a route can use: for the engine that asked. */
  readParameters(work: unknown): Promise<unknown>;
  /**
   * A place where the event of a body, no heavy one, is read sooner than here, where so many bytes wait to be
   * read, its own among them. `not now` where here is as good, `never` where that will not change. `eventIn`
   * says which part of the body the event is; all of it where absent, null where it cannot be read by itself.
   */
  takePlaceAside(
    body: Buffer,
    waitingBytes: number,
    eventIn?: (body: Buffer) => Buffer | null,
  ): PlaceAside | 'not now' | 'never';
  /**
   * Reads a stored event: its stacks as they were sent, as far as mapping looks at them, and the whole of it.
   */
  readStored(
    payload: Uint8Array,
  ): Promise<{ readonly view: NormalizedEvent; readonly sent: Uint8Array; readonly key: EventKey }>;
  /** Finishes a stored event with the stacks of its view as they were mapped: scrubbed and grouped again. */
  finishStored(
    sent: Uint8Array,
    mapped: NormalizedEvent,
    scrub: ScrubOptions,
  ): Promise<{ readonly payload: PackedPayload; readonly key: EventKey }>;
  outline(document: Uint8Array): Promise<Outline>;
  /** Reads a bug report of a request to /feedback, or of an item of an envelope. */
  readFeedback(request: HeavyRequest, facts: ReportFacts): Promise<PreparedReport>;
  readReport(bytes: Uint8Array, facts: ReportItemFacts): Promise<PreparedReport>;
  /** What a client report or a session item counts for; null for one that cannot be read. */
  readHealth<Type extends HealthType>(
    type: Type,
    bytes: Uint8Array,
    of: HealthFacts,
  ): Promise<HealthOf[Type] | null>;
  readRelease(request: HeavyRequest, of: ReleaseFacts): Promise<ReleaseChange>;
  /** Reads a release from bare JSON; `version` stands before what the body says, where it is given. */
  readReleaseJson(bytes: Uint8Array, version: string | null, of: ReleaseFacts): Promise<ReleaseChange>;
  /**
   * Any JSON, cut to what is quickly taken in: the values nearest to its surface, those of the given names
   * first.
   */
  readJson(bytes: Uint8Array, names: readonly string[]): Promise<unknown>;
  close(): Promise<void>;
}
