// The rules of bug reports: who may file one, what is kept of it, how it is listed. The route and the envelope file alike.
import {
  type FeedbackRequest,
  type FeedbackView,
  type FeedbackWarning,
  messageCharactersMax,
} from '../../schemas/feedback.ts';
import type { Deps } from './deps.ts';
import type { Sender } from './domains.ts';
import { invalidId } from './errors.ts';
import { admitBugReport } from './feedback-admission.ts';
import { cutCharacters, readFeedback } from './feedback-fields.ts';
import { readScreenshots, type Screenshot, type SentFile } from './feedback-screenshots.ts';
import { scrubRecord } from './scrub-record.ts';
import type { EpochMs, Project } from './store.ts';

export type FeedbackSource = 'api' | 'feedback_item' | 'user_report';

/** What the request around a report says of it. */
export interface FeedbackContext {
  readonly source: FeedbackSource;
  readonly sender: Pick<Sender, 'origin' | 'referer'>;
  readonly receivedAtMs: EpochMs;
  readonly userAgent?: string | undefined;
  /** Files that came with the report, beside those in its `screenshots`. */
  readonly files?: readonly SentFile[];
  /** 32 hex by which the same report sent twice is known; null where each is new. */
  readonly reportId?: string | null;
  /** The event beside the report in one envelope, 32 hex: what it is about where it names none itself. */
  readonly besideEventId?: string | null;
  /** Fields left out before (`lenientFeedback`); given for items of an envelope, where odd screenshots are left out too. */
  readonly lenientWarnings?: readonly FeedbackWarning[];
}

export interface NewFeedback {
  readonly projectId: number;
  readonly reportId: string | null;
  readonly createdAtMs: EpochMs;
  readonly message: string;
  readonly truncated: boolean;
  readonly name: string | null;
  readonly email: string | null;
  readonly url: string | null;
  /**
   * The listed host that let it in; null for a report of a server about an event that came from no page
   * (D-91).
   */
  readonly domain: string | null;
  readonly eventId: string | null;
  readonly category: string | null;
  readonly severity: string | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly userAgent: string | null;
  readonly locale: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly details: FeedbackDetails;
  readonly source: FeedbackSource;
  readonly spam: boolean;
  readonly screenshots: readonly Screenshot[];
}

/** What is shown with one report and not searched. */
export interface FeedbackDetails {
  readonly viewport: unknown;
  readonly console: unknown;
  readonly metadata: unknown;
}

export interface StoredFeedback extends Omit<NewFeedback, 'screenshots' | 'reportId' | 'details'> {
  readonly id: number;
  readonly issueId: number | null;
  readonly screenshotCount: number;
}

export interface ScreenshotFacts {
  readonly contentType: Screenshot['contentType'];
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly name: string | null;
}

export interface FeedbackFilter {
  readonly search?: string;
  readonly spam: boolean;
  readonly eventId?: string;
  readonly issueId?: number;
  readonly domain?: string;
  readonly category?: string;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface FeedbackStore {
  /** Stores a report with its screenshots; one whose `reportId` is there changes nothing and answers the first. */
  recordFeedback(report: NewFeedback): Promise<{ id: number; issueId: number | null; duplicate: boolean }>;
  listFeedback(projectId: number, filter: FeedbackFilter): Promise<{ rows: StoredFeedback[]; total: number }>;
  findFeedback(
    projectId: number,
    id: number,
  ): Promise<{ feedback: StoredFeedback; details: FeedbackDetails; screenshots: ScreenshotFacts[] } | null>;
  /** One screenshot by its place in the report, from 1. */
  findScreenshot(projectId: number, id: number, place: number): Promise<Screenshot | null>;
  deleteFeedback(projectId: number, id: number): Promise<boolean>;
  /** Removes up to `limit` reports made before a moment, screenshots and all; answers how many. */
  pruneFeedback(projectId: number, beforeMs: EpochMs, limit: number): Promise<number>;
}

export interface FiledFeedback {
  readonly feedbackId: number;
  readonly eventId: string | null;
  readonly issueId: number | null;
  readonly truncated: boolean;
  /** True when the report was there before: nothing was stored. */
  readonly duplicate: boolean;
  readonly warnings: readonly FeedbackWarning[];
}

/**
 * Files a bug report: scrubbed, linked to its error, marked as spam when the honeypot is filled. Throws 403 with the
 * reason where `admitBugReport` does not let it in (D-23), 400 for a report that cannot be read.
 */
export async function fileFeedback(
  deps: Deps,
  project: Project,
  request: FeedbackRequest,
  context: FeedbackContext,
): Promise<FiledFeedback> {
  const read = readFeedback(request);
  const sender = { ...context.sender, url: read.url ?? undefined, domain: request.domain ?? undefined };
  const eventId = read.eventId ?? context.besideEventId ?? null;
  const domain = await admitBugReport(deps, project, sender, eventId);
  const images = readScreenshots(request.screenshots ?? [], context.files ?? [], {
    lenient: context.lenientWarnings !== undefined,
  });
  const warnings = [...(context.lenientWarnings ?? []), ...read.warnings, ...images.warnings];
  const clean = scrubRecord(
    {
      message: read.message,
      name: read.name,
      url: read.url,
      tags: read.tags,
      details: {
        viewport: request.viewport ?? null,
        console: read.console,
        metadata: request.metadata ?? null,
      },
      release: request.release ?? null,
      environment: request.environment ?? null,
      locale: request.locale ?? null,
      userAgent: cutCharacters(request.user_agent ?? context.userAgent ?? '', 512) || null,
    },
    project,
    { versions: ['release', 'userAgent'] },
  );
  const report: NewFeedback = {
    projectId: project.id,
    reportId: context.reportId ?? null,
    createdAtMs: context.receivedAtMs,
    ...clean,
    message: cutCharacters(clean.message, messageCharactersMax),
    truncated: read.truncated,
    // Its form was checked, and it is kept as it was signed.
    email: read.email,
    domain,
    eventId,
    category: request.category ?? null,
    severity: request.severity ?? null,
    source: context.source,
    spam: (request.website ?? '').trim() !== '',
    screenshots: images.screenshots.map((image) => scrubRecord(image, project, { kept: ['bytes'] })),
  };
  const recorded = await deps.store.recordFeedback(report);
  deps.outcomes.count({
    projectId: project.id,
    atMs: context.receivedAtMs,
    outcome: recorded.duplicate ? 'duplicate' : 'accepted',
    reason: '',
    category: 'feedback',
    quantity: 1,
  });
  deps.log.info({ projectId: project.id, feedbackId: recorded.id, spam: report.spam }, 'bug report filed');
  return {
    feedbackId: recorded.id,
    eventId,
    issueId: recorded.issueId,
    truncated: read.truncated,
    duplicate: recorded.duplicate,
    warnings,
  };
}

/** A report of this project with all that belongs to it; 404 for an id that names none here. */
export async function readFeedbackById(deps: Deps, project: Project, id: number) {
  const found = await deps.store.findFeedback(project.id, id);
  if (found === null) throw invalidId('feedback');
  return found;
}

/** One screenshot of a report; 404 for an id or a place that names none here. */
export async function readScreenshot(
  deps: Deps,
  project: Project,
  id: number,
  place: number,
): Promise<Screenshot> {
  const screenshot = await deps.store.findScreenshot(project.id, id, place);
  if (screenshot === null) throw invalidId('feedback');
  return screenshot;
}

/** Removes a report and its screenshots, and answers what it was. */
export async function deleteFeedback(deps: Deps, project: Project, id: number): Promise<StoredFeedback> {
  const { feedback } = await readFeedbackById(deps, project, id);
  if (!(await deps.store.deleteFeedback(project.id, id))) throw invalidId('feedback');
  return feedback;
}

/** A report as lists show it. */
export function viewFeedback(feedback: StoredFeedback): FeedbackView {
  return {
    feedback_id: feedback.id,
    message: feedback.message,
    name: feedback.name,
    email: feedback.email,
    url: feedback.url,
    domain: feedback.domain,
    event_id: feedback.eventId,
    issue_id: feedback.issueId,
    category: feedback.category,
    severity: feedback.severity,
    release: feedback.release,
    environment: feedback.environment,
    user_agent: feedback.userAgent,
    locale: feedback.locale,
    tags: feedback.tags,
    source: feedback.source,
    spam: feedback.spam,
    truncated: feedback.truncated,
    screenshot_count: feedback.screenshotCount,
    created_at: new Date(feedback.createdAtMs).toISOString(),
  };
}
