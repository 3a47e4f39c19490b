// Events as the store keeps and answers them: types alone.

import type { EventError, Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { ListWindow } from './page.ts';

/** An event as lists show it. `issueId` is the issue that stands for it now. */
export interface EventSummary extends EventColumns {
  readonly issueId: number;
}

export interface StoredEvent extends EventSummary {
  /** The event as JSON text, byte for byte as it was handed in. */
  readonly payload: string;
  readonly grouping: Grouping;
  readonly errors: readonly EventError[];
  readonly attachments: readonly Attachment[];
  /** Neighbours in the same issue by received time; null at its ends. */
  readonly olderEventId: string | null;
  readonly newerEventId: string | null;
}

/** Attachments of one event, however many envelopes bring them. */
export const attachmentsOfEventMax = 20;

export interface Attachment {
  readonly id: number;
  readonly filename: string;
  readonly contentType: string;
  readonly attachmentType: string;
  readonly sizeBytes: number;
  /** 64 hex. */
  readonly sha256: string;
}

export interface EventFilter extends ListWindow {
  /** Text in the title or the culprit. */
  readonly search?: string | undefined;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  /** By received time. */
  readonly descending: boolean;
}

/** Events that are already filed. */
export interface EventReadStore {
  /** Throws when the stored payload no longer matches its hash. */
  findEvent(projectId: number, eventId: string): Promise<StoredEvent | null>;
  /** The host an event came from; null where the event names none, undefined where it is not there. */
  findEventDomain(projectId: number, eventId: string): Promise<string | null | undefined>;
  findAttachment(
    projectId: number,
    eventId: string,
    attachmentId: number,
  ): Promise<(Attachment & { readonly bytes: Uint8Array }) | null>;
  /**
   * Adds attachments that came after their event, one sent again once, as long as the event has no more than
   * `attachmentsOfEventMax`. Answers how many of them the event now has; none when the event is not there.
   */
  addAttachments(projectId: number, eventId: string, attachments: readonly NewAttachment[]): Promise<number>;
}

/** How an event's issue was found: written into the issue and shown with the event. */
export interface Grouping {
  readonly algorithm: string;
  readonly source: string;
  readonly parts: readonly string[];
  readonly notes: readonly string[];
  /** sha256, 64 hex. */
  readonly hash: string;
  /** Of the stacks that count; kept with the issue, never with each event. Absent where there are none. */
  readonly frames?: readonly FramePlace[];
  /** Where it was asked for: see `NewEvent.plainKey`. */
  readonly plain?: PlainKey | null;
}

/** Where a frame that counts is, as the rule writes it; empty where it is not known. */
export interface FramePlace {
  readonly file: string;
  readonly function: string;
}

/** What is left of a key without source lines and symbols (DECISIONS.md D-124). */
export interface PlainKey {
  /** sha256, 64 hex. */
  readonly hash: string;
  /** Whether the event knew more than this, and is found by it: its own key is another one. */
  readonly isInformed: boolean;
}

/** What lists show of an event and searches look at, beside the issue it belongs to. */
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
  /** Host the event came from, when the request said one. */
  readonly domain: string | null;
  readonly scrubbedCount: number;
  /** True where frames await a source map that was not there (or not in time). */
  readonly needsMapping: boolean;
}

export interface NewEvent extends EventColumns {
  readonly projectId: number;
  readonly grouping: Grouping;
  /**
   * By what it finds an issue of events that knew more or less than it did, or null. Asked for only where its
   * hash leads nowhere; known already where the event was read in a thread.
   */
  readonly plainKey?: PlainKey | null | (() => PlainKey | null);
  /** The normalised and scrubbed event as JSON text, packed where it was made in a thread. */
  readonly payload: string | PackedPayload;
  readonly errors: readonly EventError[];
  /** Keyed hash of the address that sent it, by which new issues are shared; absent or null: of nobody. */
  readonly sender?: string | null;
  /** Keyed hash of the user, or null: for counting users, never for naming them. */
  readonly userHash: string | null;
  /** Where it needs mapping: debug ids whose maps are missing, and `time` where only the time was short. */
  readonly awaits?: readonly string[];
  /** Tags that are counted at its issue; absent: none. */
  readonly tags?: ToldOfEvent['tags'];
  /** Keyed hashes of other names of its user, by which `userHash` is found. */
  readonly userKeys?: readonly string[];
  /** Bytes of attachments that came with the event. */
  readonly attachments: readonly NewAttachment[];
}

/** Tags that are counted at the issue, and texts that a search for issues looks at. */
export interface ToldOfEvent {
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
  /** True when the id was there before: nothing was stored or counted. */
  readonly duplicate: boolean;
  readonly isNew: boolean;
  readonly isRegression: boolean;
}

/** The path of an event: one call, one transaction. */
export interface EventStore {
  /**
   * Files an event: finds or makes its issue, counts it, moves the issue's state, makes its release. Resolves
   * after the commit that holds all of it. A known event id changes nothing and answers the first issue.
   */
  recordEvent(event: NewEvent): Promise<RecordedEvent>;
}

/** A payload as it is kept, with how it was grouped (src/core/events/pack.ts), and the hash of the body. */
export interface PackedPayload {
  readonly body: Uint8Array;
  readonly sha256: Uint8Array;
}

export type IssueStatus = 'unresolved' | 'resolved' | 'ignored';

export type IssueSubstatus = 'new' | 'ongoing' | 'regressed';
