// Inputs and results of reading events, feedback and releases; plain data, so that workers can receive them.

import type { FeedbackWarning } from '../../../schemas/feedback.ts';
import type { NewSessions } from '../store/counts/sessions.ts';
import type { NewEvent } from '../store/events.ts';
import type { ReportFields } from '../store/feedback.ts';
import type { Outcome } from '../store/outcomes.ts';
import type { Project, ScrubbedProject } from '../store/projects.ts';

export interface ScrubOptions {
  /** The project's own field names to filter. */
  readonly extraFields: readonly string[];
  /** If false no address is kept; if true addresses are cut to /24 (IPv4) or /48 (IPv6). */
  readonly storeIpAddresses: boolean;
  /** Address of the connection, for `{{auto}}`. */
  readonly clientAddress: string;
}

export interface EventFacts {
  readonly receivedAtMs: number;
  /** From the envelope header, 32 hex digits; wins over the payload's id. */
  readonly envelopeEventId: string | null;
  /** For an event without an id; generated on access. */
  readonly newEventId: string;
  readonly sentAtMs: number | null;
  readonly userAgent: string;
  readonly clientAddress: string;
  readonly project: Pick<Project, 'id' | 'scrubFields' | 'storeIpAddresses'>;
  /** Null if users are not counted. */
  readonly userHashKey: Uint8Array | null;
}

export interface Mapping {
  readonly needsMapping: boolean;
  /** Debug ids or artifacts it waits for: see `NewEvent.awaits`. */
  readonly awaits?: readonly string[];
}

export type PreparedEvent = Omit<NewEvent, 'projectId' | 'receivedAtMs' | 'domain' | 'attachments'>;

export type EventKey = Pick<NewEvent, 'grouping' | 'plainKey' | 'title' | 'culprit'>;

export interface SentImage {
  readonly bytes: Buffer | null;
  readonly name: string;
}

export interface ReportFacts {
  readonly userAgent: string;
  /** 32 hex digits that identify a repeated report; null if each is new. */
  readonly reportId: string | null;
  /** Warnings so far, for envelope items, where invalid screenshots are dropped instead of refused. */
  readonly lenientWarnings: readonly FeedbackWarning[] | null;
  readonly project: ScrubbedProject;
}

interface ReportedPage {
  readonly url: string | null;
  readonly domain: string | null;
  /** The URL of the request during which a server reported, used if the report names no page. */
  readonly requestUrl?: string | null;
}

/** Feedback that was read; permission and images are checked later. */
export interface PreparedReport {
  readonly fields: ReportFields;
  readonly page: ReportedPage;
  readonly images: readonly SentImage[];
  readonly isLenient: boolean;
  readonly warnings: readonly FeedbackWarning[];
}

export interface ReportItemFacts extends Pick<ReportFacts, 'userAgent' | 'project'> {
  readonly type: 'feedback' | 'user_report';
  /** From the envelope header, 32 hex digits. */
  readonly envelopeEventId: string | null;
}

type ReleasedProject = ScrubbedProject & { readonly id: number };

export interface ReleaseFacts {
  readonly project: ReleasedProject;
  readonly nowMs: number;
}

export type CountedProject = ScrubbedProject & { readonly id: number };

export interface HealthOf {
  readonly client_report: readonly Outcome[];
  readonly session: NewSessions;
  readonly sessions: NewSessions;
}

export type HealthType = keyof HealthOf;

export interface HealthFacts {
  readonly project: CountedProject;
  readonly atMs: number;
  readonly sentAt: string | null;
}
