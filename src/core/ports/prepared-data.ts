// Inputs and results of reading events, feedback and releases; plain data, so that workers can receive them.

import type { FeedbackWarning } from '../../../schemas/feedback.ts';
import type { FilterName } from '../../../schemas/inbound-filters.ts';
import type { NewSessions, Outcome } from '../store/counts.ts';
import type { NewEvent } from '../store/events.ts';
import type { FeedbackFields } from '../store/feedback.ts';
import type { Project, ProjectScrubSettings } from '../store/projects.ts';

export interface ScrubOptions {
  readonly extraFields: readonly string[];
  /** If false no address is kept; if true addresses are cut to /24 (IPv4) or /48 (IPv6). */
  readonly storeIpAddresses: boolean;
  /** Address of the connection, for `{{auto}}`. */
  readonly clientAddress: string;
}

export interface EventReadContext {
  readonly receivedAtMs: number;
  /** From the envelope header, 32 hex digits; wins over the payload's id. */
  readonly envelopeEventId: string | null;
  /** For an event without an id. */
  readonly newEventId: string | (() => string);
  readonly sentAtMs: number | null;
  readonly userAgent: string;
  readonly clientAddress: string;
  /** Host of Origin, else of Referer. */
  readonly domain: string | null;
  readonly project: Pick<Project, 'id' | 'scrubFields' | 'storeIpAddresses' | 'inboundFilters'>;
  /** Null if users are not counted. */
  readonly userHashKey: Uint8Array | null;
}

export interface SymbolicationState {
  readonly needsMapping: boolean;
  /** Debug ids or artifacts it waits for: see `NewEvent.awaits`. */
  readonly awaits?: readonly string[];
}

export type PreparedEvent = Omit<NewEvent, 'projectId' | 'receivedAtMs' | 'domain' | 'attachments'>;

export interface FilteredEvent {
  readonly eventId: string;
  readonly filteredBy: FilterName;
}

export type EventGroupingKey = Pick<NewEvent, 'grouping' | 'secondaryHash' | 'title' | 'culprit'>;

export interface UploadedImage {
  readonly bytes: Buffer | null;
  readonly name: string;
}

export interface FeedbackReadContext {
  readonly userAgent: string;
  /** 32 hex digits that identify a repeated report; null if each is new. */
  readonly reportId: string | null;
  /** Warnings so far, for envelope items, where invalid screenshots are dropped instead of refused. */
  readonly lenientWarnings: readonly FeedbackWarning[] | null;
  readonly project: ProjectScrubSettings;
}

interface FeedbackPage {
  readonly url: string | null;
  readonly domain: string | null;
  /** The URL of the request during which a server reported, used if the report names no page. */
  readonly requestUrl?: string | null;
}

/** Feedback that was read; permission and images are checked later. */
export interface PreparedFeedback {
  readonly fields: FeedbackFields;
  readonly page: FeedbackPage;
  readonly images: readonly UploadedImage[];
  readonly isLenient: boolean;
  readonly warnings: readonly FeedbackWarning[];
}

export interface FeedbackItemReadContext extends Pick<FeedbackReadContext, 'userAgent' | 'project'> {
  readonly type: 'feedback' | 'user_report';
  readonly envelopeEventId: string | null;
}

export interface ReleaseReadContext {
  readonly project: ScrubbedProjectWithId;
  readonly nowMs: number;
}

export type ScrubbedProjectWithId = ProjectScrubSettings & { readonly id: number };

export interface HealthResults {
  readonly client_report: readonly Outcome[];
  readonly session: NewSessions;
  readonly sessions: NewSessions;
}

export type HealthItemType = keyof HealthResults;

export interface HealthReadContext {
  readonly project: ScrubbedProjectWithId;
  readonly atMs: number;
  readonly sentAt: string | null;
}
