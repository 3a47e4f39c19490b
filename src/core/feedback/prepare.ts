// From what a visitor sent to what is stored of it, without the store: fields read, words scrubbed, images
// decoded. Pure, so that it runs where the request came in or in a thread for heavy bodies; feedback.ts files
// what comes of it.
import {
  type FeedbackRequest,
  type FeedbackWarning,
  messageCharactersMax,
} from '../../../schemas/feedback.ts';
import { boundedJson, largeBag } from '../reading/bounded-json.ts';
import { cutText } from '../reading/cut-text.ts';
import { type ScrubbedProject, scrubRecord } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import { readFeedback } from './fields.ts';
import { type SentFile, type SentImage, sentImages } from './screenshots.ts';

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

/** The facts of a report that came by itself. */
export function reportFactsOf(project: Project, userAgent: string | undefined): ReportFacts {
  const { scrubFields, storeIpAddresses } = project;
  return {
    userAgent: userAgent ?? '',
    reportId: null,
    lenientWarnings: null,
    project: { scrubFields, storeIpAddresses },
  };
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

/** What is shown with one report and not searched. */
export interface FeedbackDetails {
  readonly viewport: unknown;
  readonly console: unknown;
  readonly metadata: unknown;
}

/** What a report says of the page that it comes from. */
export interface ReportedPage {
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

/** Reads a report and scrubs it. Throws 400 without a message, for a page address that is not http(s). */
export function prepareReport(
  request: FeedbackRequest,
  files: readonly SentFile[],
  facts: ReportFacts,
): PreparedReport {
  const read = readFeedback(request);
  const clean = scrubRecord(
    {
      message: read.message,
      name: read.name,
      url: read.url,
      tags: read.tags,
      details: {
        viewport: viewportOf(request),
        console: read.console,
        metadata: request.metadata ?? null,
      },
      release: request.release ?? null,
      environment: request.environment ?? null,
      locale: request.locale ?? null,
      userAgent: cutText(request.user_agent ?? facts.userAgent, 512) || null,
    },
    facts.project,
    { versions: ['release', 'userAgent'] },
  );
  return {
    fields: {
      ...clean,
      // What is taken out may be shorter than the words that stand for it.
      message: cutText(clean.message, messageCharactersMax),
      reportId: facts.reportId,
      truncated: read.truncated,
      // Its form was checked, and it is kept as it was signed.
      email: read.email,
      eventId: read.eventId,
      category: request.category ?? null,
      severity: request.severity ?? null,
      spam: (request.website ?? '').trim() !== '',
    },
    page: { url: read.url, domain: request.domain ?? null },
    images: sentImages(request.screenshots ?? [], files),
    isLenient: facts.lenientWarnings !== null,
    warnings: [...(facts.lenientWarnings ?? []), ...read.warnings],
  };
}

/** Its size and what else a client says of it, within bounds: nobody counts the members of a window. */
function viewportOf(request: FeedbackRequest): unknown {
  return request.viewport === null || request.viewport === undefined
    ? null
    : boundedJson(request.viewport, largeBag).value;
}
