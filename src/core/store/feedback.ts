import type { feedbackStates } from '../../../schemas/feedback.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { CursorPage, CursorWindow, OffsetWindow, Page } from './pagination.ts';

const screenshotTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export type ScreenshotType = (typeof screenshotTypes)[number];

export interface Screenshot {
  readonly contentType: ScreenshotType;
  readonly width: number;
  readonly height: number;
  readonly name: string | null;
  readonly bytes: Buffer;
}

export interface FeedbackDetails {
  readonly viewport: unknown;
  readonly console: unknown;
  readonly metadata: unknown;
}

export interface FeedbackFields {
  readonly reportId: string | null;
  readonly message: string;
  readonly truncated: boolean;
  readonly name: string | null;
  readonly email: string | null;
  readonly url: string | null;
  /** 32 lower-case hex digits. */
  readonly eventId: string | null;
  readonly category: string | null;
  readonly severity: string | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly userAgent: string | null;
  readonly locale: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly details: FeedbackDetails;
  readonly spam: boolean;
}

export type FeedbackSource = 'api' | 'feedback_item' | 'user_report';

export interface NewFeedback extends FeedbackFields {
  readonly projectId: number;
  readonly createdAtMs: EpochMs;
  /** The allowed host that it was accepted for; null for a report of a server about an event without a page. */
  readonly domain: string | null;
  readonly source: FeedbackSource;
  readonly screenshots: readonly Screenshot[];
}

export interface ImportedFeedback extends NewFeedback {
  readonly act: { readonly state: FeedbackState; readonly atMs: EpochMs; readonly by: string } | null;
}

export type FeedbackState = (typeof feedbackStates)[number];

export interface StoredFeedback extends Omit<NewFeedback, 'screenshots' | 'reportId' | 'details'> {
  readonly id: number;
  readonly state: FeedbackState;
  readonly stateAtMs: EpochMs | null;
  readonly stateBy: string | null;
  readonly issueId: number | null;
  readonly screenshotCount: number;
}

interface ScreenshotFacts extends Omit<Screenshot, 'bytes'> {
  readonly sizeBytes: number;
}

export interface FeedbackWithDetails {
  readonly feedback: StoredFeedback;
  readonly details: FeedbackDetails;
  readonly screenshots: ScreenshotFacts[];
}

export interface FeedbackFilter extends OffsetWindow {
  readonly search?: string | undefined;
  /** Without a state. */
  readonly spam: boolean;
  readonly state?: FeedbackState | undefined;
  readonly eventId?: string | undefined;
  readonly issueId?: number | undefined;
  readonly domain?: string | undefined;
  readonly category?: string | undefined;
  readonly descending: boolean;
}

export interface WorkspaceFeedbackFilter {
  readonly projectIds: readonly number[];
  readonly state: FeedbackState;
  readonly domain: string | null;
  /** Text in the message or the URL. Name and email are not searched. */
  readonly search: string | null;
}

export interface FeedbackStore {
  /** A known `reportId` changes nothing and returns the first report. */
  recordFeedback(report: NewFeedback): Promise<{ id: number; issueId: number | null; duplicate: boolean }>;
  /** If a report of the same time and message exists, only sets its state, unless a user has set one here. */
  importFeedbackRecord(report: ImportedFeedback): Promise<boolean>;
  listFeedback(projectId: number, filter: FeedbackFilter): Promise<Page<StoredFeedback>>;
  findFeedback(projectId: number, id: number): Promise<FeedbackWithDetails | null>;
  findScreenshot(projectId: number, id: number, position: number): Promise<Screenshot | null>;
  listReports(filter: WorkspaceFeedbackFilter, window: CursorWindow): Promise<CursorPage<StoredFeedback>>;
  countReports(projectIds: readonly number[]): Promise<Readonly<Record<FeedbackState, number>>>;
  /** Without spam. */
  reportMoments(projectIds: readonly number[], fromMs: EpochMs, limit: number): Promise<EpochMs[]>;
  changeFeedbackState(
    projectId: number,
    id: number,
    change: { readonly state: FeedbackState; readonly by: string; readonly atMs: EpochMs },
  ): Promise<StoredFeedback | null>;
  deleteFeedback(projectId: number, id: number): Promise<boolean>;
}
