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

export interface StoredFeedback extends Omit<NewFeedback, 'screenshots' | 'reportId' | 'details'> {
  readonly id: number;
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

export interface FeedbackStore {
  /**
   * Stores a report with its screenshots; one whose `reportId` is there changes nothing and answers the
   * first.
   */
  recordFeedback(report: NewFeedback): Promise<{ id: number; issueId: number | null; duplicate: boolean }>;
  listFeedback(projectId: number, filter: FeedbackFilter): Promise<Page<StoredFeedback>>;
  findFeedback(projectId: number, id: number): Promise<WholeFeedback | null>;
  /** One screenshot by its place in the report, from 1. */
  findScreenshot(projectId: number, id: number, place: number): Promise<Screenshot | null>;
  deleteFeedback(projectId: number, id: number): Promise<boolean>;
  /** Removes up to `limit` reports made before a moment, screenshots and all; answers how many. */
  pruneFeedback(projectId: number, beforeMs: EpochMs, limit: number): Promise<number>;
}
