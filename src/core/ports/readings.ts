// What reading takes and what it gives, wherever it is done: facts in, prepared things out. Plain data.

import type { FeedbackWarning } from '../../../schemas/feedback.ts';
import type { NewSessions } from '../store/counts/sessions.ts';
import type { NewEvent } from '../store/events.ts';
import type { ReportFields } from '../store/feedback.ts';
import type { Outcome } from '../store/outcomes.ts';
import type { Project, ScrubbedProject } from '../store/projects.ts';

export interface ScrubOptions {
  /** Names of the project's own whose values are filtered. */
  readonly extraFields: readonly string[];
  /** Off: no address is kept anywhere. On: they are cut to /24 and /48. */
  readonly storeIpAddresses: boolean;
  /** The address of the connection, for `{{auto}}`. */
  readonly clientAddress: string;
}

/** All that reading an event takes beside the event: plain data. */
export interface EventFacts {
  readonly receivedAtMs: number;
  /** The id of the envelope header, 32 hex: it wins over the payload's. Null where there is none. */
  readonly envelopeEventId: string | null;
  /** For an event that brings no id of its own; made when it is asked for. */
  readonly newEventId: string;
  /** The client's clock when it sent. */
  readonly sentAtMs: number | null;
  readonly userAgent: string;
  readonly clientAddress: string;
  readonly project: Pick<Project, 'id' | 'scrubFields' | 'storeIpAddresses'>;
  /** Null where users are not counted. */
  readonly userHashKey: Uint8Array | null;
}

/** What mapping came to. */
export interface Mapping {
  readonly needsMapping: boolean;
  /** What it waits for: see `NewEvent.awaits`. */
  readonly awaits?: readonly string[];
}

/** What the store is handed of an event, save what the request around it says. */
export type PreparedEvent = Omit<NewEvent, 'projectId' | 'receivedAtMs' | 'domain' | 'attachments'>;

/** By what an event is found and called. */
export type EventKey = Pick<NewEvent, 'grouping' | 'plainKey' | 'title' | 'culprit'>;

/** A screenshot as it came: its bytes, or null where they could not be read. */
export interface SentImage {
  readonly bytes: Buffer | null;
  readonly name: string;
}

/** All that reading a report takes beside the report: plain data. */
export interface ReportFacts {
  /** The header, for a report that does not say. */
  readonly userAgent: string;
  /** 32 hex by which the same report sent twice is known; null where each is new. */
  readonly reportId: string | null;
  /** Fields left out before; given for items of an envelope, where odd screenshots are left out too. */
  readonly lenientWarnings: readonly FeedbackWarning[] | null;
  readonly project: ScrubbedProject;
}

/** What a report says of the page that it comes from. */
interface ReportedPage {
  readonly url: string | null;
  readonly domain: string | null;
  /** The address of the request in which a server reported, where it names no page. */
  readonly requestUrl?: string | null;
}

/** A report that was read; who may file it and whether its images are any is still to be asked. */
export interface PreparedReport {
  readonly fields: ReportFields;
  readonly page: ReportedPage;
  readonly images: readonly SentImage[];
  readonly isLenient: boolean;
  readonly warnings: readonly FeedbackWarning[];
}

/** All that reading an item takes beside its JSON: plain data. */
export interface ReportItemFacts extends Pick<ReportFacts, 'userAgent' | 'project'> {
  readonly type: 'feedback' | 'user_report';
  /** `event_id` of the envelope's header, 32 hex, or null. */
  readonly envelopeEventId: string | null;
}

/** Whose release it is, and what decides how its texts are scrubbed: plain data. */
type ReleasedProject = ScrubbedProject & { readonly id: number };

/** Whose release is told of, and when. */
export interface ReleaseFacts {
  readonly project: ReleasedProject;
  readonly nowMs: number;
}

/** Whose losses and runs are counted, and what decides how their names are scrubbed. */
export type CountedProject = ScrubbedProject & { readonly id: number };

/** Items that tell how clients fare, and what each counts for. */
export interface HealthOf {
  readonly client_report: readonly Outcome[];
  readonly session: NewSessions;
  readonly sessions: NewSessions;
}

export type HealthType = keyof HealthOf;

/** Whose item it is, when it came, and when its envelope says that it was sent; null where it does not. */
export interface HealthFacts {
  readonly project: CountedProject;
  readonly atMs: number;
  readonly sentAt: string | null;
}
