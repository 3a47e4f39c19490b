import type { EventError, Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { OffsetWindow, Page } from './pagination.ts';
import type { ResolvedTerm } from './search-terms.ts';

export interface EventSummary extends EventColumns {
  readonly issueId: number;
}

export interface StoredEvent extends EventSummary {
  /** JSON text, byte for byte as it was passed in. */
  readonly payload: string;
  readonly grouping: Grouping;
  readonly errors: readonly EventError[];
  readonly attachments: readonly Attachment[];
  readonly olderEventId: string | null;
  readonly newerEventId: string | null;
}

export const attachmentsOfEventMax = 20;

export interface Attachment {
  readonly id: number;
  readonly filename: string;
  readonly contentType: string;
  readonly attachmentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface EventFilter extends OffsetWindow {
  readonly search?: string | undefined;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  /** Terms of `query`, which must all hold; tags and texts of the newest `searchedBodiesMax` are looked at. */
  readonly terms?: readonly ResolvedTerm[] | undefined;
  readonly descending: boolean;
}

export const searchedBodiesMax = 1_000;
/** Of a project, where no issue is named. */
export const searchedEventsMax = 10_000;

export interface EventReadStore {
  /** Of the newest `searchedEventsMax` events of the project. */
  listEvents(projectId: number, filter: EventFilter): Promise<Page<EventSummary>>;
  /** Throws when the stored payload does not match its hash. */
  findEvent(projectId: number, eventId: string): Promise<StoredEvent | null>;
  /** By row, as they are numbered in the live tail; damaged ones are left out. */
  readPayloads(projectId: number, rows: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Of the issues seen last since then the newest events: payloads as stored, damaged ones left out. */
  sampleEvents(
    projectId: number,
    sinceMs: EpochMs,
    bounds: { readonly issues: number; readonly eventsOfIssue: number },
  ): Promise<ReadonlyArray<{ readonly issueId: number; readonly payloads: readonly string[] }>>;
  /** Null where the event has none, undefined when there is no such event. */
  findEventDomain(projectId: number, eventId: string): Promise<string | null | undefined>;
  findAttachment(
    projectId: number,
    eventId: string,
    attachmentId: number,
  ): Promise<(Attachment & { readonly bytes: Uint8Array }) | null>;
  /** Adds a repeated attachment once, and drops those beyond the limit. Returns how many the event has now. */
  addAttachments(projectId: number, eventId: string, attachments: readonly NewAttachment[]): Promise<number>;
}

export interface Grouping {
  readonly algorithm: string;
  readonly source: string;
  readonly parts: readonly string[];
  readonly notes: readonly string[];
  /** SHA-256, 64 hex. */
  readonly hash: string;
  /** Frames used for grouping; stored with the issue, not with each event. Absent where there are none. */
  readonly frames?: readonly FrameLocation[];
  readonly secondary?: SecondaryHash | null;
}

/** File and function of a frame as the grouping rules normalise them; empty where unknown. */
export interface FrameLocation {
  readonly file: string;
  readonly function: string;
}

export interface SecondaryHash {
  readonly hash: string;
  /** Whether the event has source lines or symbols, so that its primary hash is another one. */
  readonly hasSource: boolean;
}

interface EventColumns {
  /** 32 lower-case hex. */
  readonly eventId: string;
  readonly receivedAtMs: EpochMs;
  readonly timestampMs: EpochMs;
  readonly level: Level;
  readonly platform: string;
  readonly title: string;
  readonly culprit: string;
  readonly release: string | null;
  readonly dist: string | null;
  readonly environment: string | null;
  readonly sdkName: string | null;
  readonly sdkVersion: string | null;
  readonly domain: string | null;
  readonly scrubbedCount: number;
  /** True while frames wait for a source map that was missing or took too long. */
  readonly needsMapping: boolean;
}

export interface NewEvent extends EventColumns {
  readonly projectId: number;
  readonly grouping: Grouping;
  /** Secondary hash; a function where it is computed only when the primary hash has no issue. */
  readonly secondaryHash?: SecondaryHash | null | (() => SecondaryHash | null);
  readonly payload: string | PackedPayload;
  readonly errors: readonly EventError[];
  /** Keyed hash of the client address, for the per-sender limit on new issues; absent or null: unknown. */
  readonly sender?: string | null;
  /** Keyed hash of the user, for counting users without naming them. */
  readonly userHash: string | null;
  /** Missing debug ids, and `time` where symbolication only ran out of time. */
  readonly awaits?: readonly string[];
  readonly tags?: EventTagsAndText['tags'];
  /** Keyed hashes of other identifiers of the user, so that a search finds `userHash` by them. */
  readonly userKeys?: readonly string[];
  readonly attachments: readonly NewAttachment[];
}

export interface EventTagsAndText {
  readonly tags: ReadonlyArray<readonly [name: string, value: string]>;
  readonly text: string;
}

export interface NewAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly attachmentType: string;
  readonly bytes: Uint8Array;
}

export interface RecordedEvent {
  readonly eventId: string;
  readonly issueId: number;
  /** Nothing was stored or counted. */
  readonly duplicate: boolean;
  readonly isNew: boolean;
  readonly isRegression: boolean;
}

export interface EventStore {
  /** Stores an event with all its effects in one transaction. A known event id changes nothing. */
  recordEvent(event: NewEvent): Promise<RecordedEvent>;
}

/** A compressed payload as it is stored, with its grouping (src/core/events/compress-payload.ts). */
export interface PackedPayload {
  readonly body: Uint8Array;
  readonly sha256: Uint8Array;
}

export type IssueStatus = 'unresolved' | 'resolved' | 'ignored';

export type IssueSubstatus = 'new' | 'ongoing' | 'regressed';
