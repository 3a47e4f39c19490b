// Bug reports as the store keeps them: types alone.
import type { EpochMs } from '../reading/moments.ts';
import type { ListWindow, Page } from './page.ts';

const screenshotTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export type ScreenshotType = (typeof screenshotTypes)[number];

export interface Screenshot {
  readonly contentType: ScreenshotType;
  readonly width: number;
  readonly height: number;
  readonly name: string | null;
  readonly bytes: Buffer;
}

/** What is shown with one report and not searched. */
export interface FeedbackDetails {
  readonly viewport: unknown;
  readonly console: unknown;
  readonly metadata: unknown;
}

/** What is kept of a report, whoever files it. */
export interface ReportFields {
  readonly reportId: string | null;
  readonly message: string;
  readonly truncated: boolean;
  readonly name: string | null;
  readonly email: string | null;
  readonly url: string | null;
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

export interface NewFeedback extends ReportFields {
  readonly projectId: number;
  readonly createdAtMs: EpochMs;
  /**
   * The listed host that let it in; null for a report of a server about an event that came from no page
   * (D-91).
   */
  readonly domain: string | null;
  readonly source: FeedbackSource;
  readonly screenshots: readonly Screenshot[];
}

/** A report of another database; `act` is what somebody there said became of it. */
export interface ForeignFeedback extends NewFeedback {
  readonly act: { readonly state: FeedbackState; readonly atMs: EpochMs; readonly by: string } | null;
}

/** What became of a report, for whoever works through them. */
export const feedbackStates = ['open', 'resolved', 'spam'] as const;

export type FeedbackState = (typeof feedbackStates)[number];

export interface StoredFeedback extends Omit<NewFeedback, 'screenshots' | 'reportId' | 'details'> {
  readonly id: number;
  readonly state: FeedbackState;
  /** When somebody said so last, and who; null where nobody did. */
  readonly stateAtMs: EpochMs | null;
  readonly stateBy: string | null;
  readonly issueId: number | null;
  readonly screenshotCount: number;
}

interface ScreenshotFacts {
  readonly contentType: Screenshot['contentType'];
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly name: string | null;
}

/** A report with all that belongs to it but the bytes of its screenshots. */
export interface WholeFeedback {
  readonly feedback: StoredFeedback;
  readonly details: FeedbackDetails;
  readonly screenshots: ScreenshotFacts[];
}

export interface FeedbackFilter extends ListWindow {
  readonly search?: string | undefined;
  readonly spam: boolean;
  readonly eventId?: string | undefined;
  readonly issueId?: number | undefined;
  readonly domain?: string | undefined;
  readonly category?: string | undefined;
  readonly descending: boolean;
}

/** A place in a list that runs from the newest report to the oldest. */
export interface FeedbackPlace {
  readonly createdAtMs: EpochMs;
  readonly id: number;
}

/** Which reports of several projects are asked for. */
export interface ReportFilter {
  readonly projectIds: readonly number[];
  readonly state: FeedbackState;
  readonly domain: string | null;
  /** Text in the words or the page of a report. What says who wrote it is not looked at. */
  readonly search: string | null;
}

export interface FeedbackStore {
  /**
   * Stores a report with its screenshots; one whose `reportId` is there changes nothing and answers the
   * first.
   */
  recordFeedback(report: NewFeedback): Promise<{ id: number; issueId: number | null; duplicate: boolean }>;
  /**
   * Stores a report as it was elsewhere. One of the same moment and words is there already: then it gets its
   * state, where nobody here gave it one. False where nothing changed.
   */
  takeOverFeedback(report: ForeignFeedback): Promise<boolean>;
  listFeedback(projectId: number, filter: FeedbackFilter): Promise<Page<StoredFeedback>>;
  findFeedback(projectId: number, id: number): Promise<WholeFeedback | null>;
  /** One screenshot by its place in the report, from 1. */
  findScreenshot(projectId: number, id: number, place: number): Promise<Screenshot | null>;
  /** Reports from a place on, in the order of the list: newest first, or newer ones from it backwards. */
  listReports(
    filter: ReportFilter,
    window: { readonly limit: number; readonly from: FeedbackPlace | null; readonly isBackwards: boolean },
  ): Promise<StoredFeedback[]>;
  /** How many reports of these projects are in each state. */
  countReports(projectIds: readonly number[]): Promise<Readonly<Record<FeedbackState, number>>>;
  /** Moments at which reports of these projects came from `fromMs` on, spam aside; at most `limit`. */
  reportMoments(projectIds: readonly number[], fromMs: EpochMs, limit: number): Promise<EpochMs[]>;
  /** Writes the state of a report; null where there is none of that id. */
  changeFeedbackState(
    projectId: number,
    id: number,
    change: { readonly state: FeedbackState; readonly by: string; readonly atMs: EpochMs },
  ): Promise<StoredFeedback | null>;
  deleteFeedback(projectId: number, id: number): Promise<boolean>;
  /** Removes up to `limit` reports made before a moment, screenshots and all; answers how many. */
  pruneFeedback(projectId: number, beforeMs: EpochMs, limit: number): Promise<number>;
}
