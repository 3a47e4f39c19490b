// From what a visitor sent to what is stored of it, without the store: fields read, words scrubbed, images
// decoded. Pure, so that it runs where the request came in or in a thread for heavy bodies; feedback.ts files
// what comes of it.

import {
  type FeedbackRequest,
  type FeedbackWarning,
  feedbackRequest,
  messageCharactersMax,
} from '../../../schemas/feedback.ts';
import type { PreparedReport, ReportFacts } from '../ports/readings.ts';
import { boundedJson, largeBag } from '../reading/bounded-json.ts';
import { cutText } from '../reading/cut-text.ts';
import { scrubRecord } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import { readFeedback } from './fields.ts';
import { type SentFile, sentImages } from './screenshots.ts';

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

/**
 * Reads a report and scrubs it. `replacedAt` says where broken text of it was replaced, which is told. Throws
 * 400 without a message, for a page address that is not http(s).
 */
export function prepareReport(
  request: FeedbackRequest,
  files: readonly SentFile[],
  facts: ReportFacts,
  replacedAt: readonly string[] = [],
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
    reportKinds,
    facts.project,
  );
  return {
    fields: {
      ...clean,
      // Scrubbing may lengthen a text: `[Filtered]` can be longer than the secret.
      message: cutText(clean.message, messageCharactersMax),
      reportId: facts.reportId,
      truncated: read.truncated,
      // Not scrubbed: it was checked to be an e-mail address, and the visitor gave it to be answered.
      email: read.email,
      eventId: read.eventId,
      category: request.category ?? null,
      severity: request.severity ?? null,
      spam: (request.website ?? '').trim() !== '',
    },
    page: { url: read.url, domain: request.domain ?? null },
    images: sentImages(request.screenshots ?? [], files),
    isLenient: facts.lenientWarnings !== null,
    warnings: [...(facts.lenientWarnings ?? []), ...read.warnings, ...replacedTextWarnings(replacedAt)],
  };
}

/** One warning a field: the names inside of it are the visitor's. */
function replacedTextWarnings(replacedAt: readonly string[]): FeedbackWarning[] {
  const known = replacedAt
    .map((path) => path.split('.', 1)[0] ?? '')
    .filter((name) => name in feedbackRequest.shape);
  return [...new Set(known)].map((field) => ({
    code: 'invalid_text',
    field,
    message: `Broken text in ${field} was replaced.`,
  }));
}

const reportKinds = {
  message: 'text',
  name: 'text',
  url: 'text',
  tags: 'text',
  details: 'text',
  release: 'version',
  environment: 'text',
  locale: 'text',
  userAgent: 'version',
} as const;

/** The size of the window and whatever else the client says of it, cut to a limit. */
function viewportOf(request: FeedbackRequest): unknown {
  return request.viewport === null || request.viewport === undefined
    ? null
    : boundedJson(request.viewport, largeBag).value;
}
