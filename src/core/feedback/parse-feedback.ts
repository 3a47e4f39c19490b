// Reads and scrubs feedback without the store, so that it also runs in a worker.

import {
  type ConsoleLine,
  consoleCharactersMax,
  consoleLinesMax,
  type FeedbackRequest,
  type FeedbackWarning,
  feedbackRequest,
  messageCharactersMax,
} from '../../../schemas/feedback.ts';
import { createInvalidParamError, createMissingParamsError } from '../errors.ts';
import { parseEventId } from '../ids.ts';
import { largeJsonLimit, limitJson } from '../parsing/bounded-json.ts';
import { cutText } from '../parsing/cut-text.ts';
import { getOwn, isJsonObject, type JsonObject, removeNul } from '../parsing/unknown-values.ts';
import { parseUrlHost } from '../parsing/web-url.ts';
import type { FeedbackReadContext, PreparedFeedback } from '../ports/prepared-data.ts';
import { scrubRecord } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import { collectImages, type FeedbackFile } from './screenshots.ts';

const emailPattern = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\/?#[\]]{1,189}$/;

export function createFeedbackReadContext(
  project: Project,
  userAgent: string | undefined,
): FeedbackReadContext {
  const { scrubFields, storeIpAddresses } = project;
  return {
    userAgent: userAgent ?? '',
    reportId: null,
    lenientWarnings: null,
    project: { scrubFields, storeIpAddresses },
  };
}

/** `replacedAt` becomes warnings. Throws 400 without a message or for a page URL that is not http(s). */
export function prepareFeedback(
  request: FeedbackRequest,
  files: readonly FeedbackFile[],
  facts: FeedbackReadContext,
  replacedAt: readonly string[] = [],
): PreparedFeedback {
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
      // Scrubbing may lengthen it: `[Filtered]` can be longer than the secret.
      message: cutText(clean.message, messageCharactersMax),
      reportId: facts.reportId,
      truncated: read.truncated,
      // Not scrubbed: a validated address that the visitor gave for a reply.
      email: read.email,
      eventId: read.eventId,
      category: request.category ?? null,
      severity: request.severity ?? null,
      spam: (request.website ?? '').trim() !== '',
    },
    page: { url: read.url, domain: request.domain ?? null },
    images: collectImages(request.screenshots ?? [], files),
    isLenient: facts.lenientWarnings !== null,
    warnings: [...(facts.lenientWarnings ?? []), ...read.warnings, ...replacedTextWarnings(replacedAt)],
  };
}

/** One warning per field; nested names are the visitor's. */
function replacedTextWarnings(replacedAt: readonly string[]): FeedbackWarning[] {
  const known = replacedAt
    .map((path) => path.split('.', 1)[0] ?? '')
    .filter((name) => name in feedbackRequest.shape);
  return [...new Set(known)].map((field) => ({
    code: 'invalid_text',
    field,
    message: `Invalid characters in ${field} were replaced.`,
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

function viewportOf(request: FeedbackRequest): unknown {
  return request.viewport === null || request.viewport === undefined
    ? null
    : limitJson(request.viewport, largeJsonLimit).value;
}

// Falls back to `contexts.feedback` (Sentry's protocol). docs/bug-reports.md, "Fields of a bug report".
function readFeedback(request: FeedbackRequest) {
  const warnings: FeedbackWarning[] = [];
  const sentry = getSentryFeedbackContext(request);
  const messageText = firstText(
    request.message,
    request.comments,
    request.description,
    getOwn(sentry, 'message'),
  );
  if (messageText === null) throw createMissingParamsError(['message']);
  const message = cutText(messageText, messageCharactersMax);
  const url = firstText(request.url, getOwn(sentry, 'url'));
  if (url !== null && parseUrlHost(url) === null) {
    throw createInvalidParamError({ url: 'url must be an http or https URL.' });
  }
  return {
    message,
    truncated: message.length < messageText.length,
    name: cutOrNull(firstText(request.name, getOwn(sentry, 'name')), 128),
    email: readEmail(
      firstText(request.email, request.contact_email, getOwn(sentry, 'contact_email')),
      warnings,
    ),
    url: cutOrNull(url, 2048),
    eventId: readEventId(request, sentry, warnings),
    console: readConsole(request.console ?? []),
    tags: readTags(request.tags ?? {}),
    warnings,
  };
}

function getSentryFeedbackContext(request: FeedbackRequest): JsonObject {
  const contexts = isJsonObject(request.contexts) ? request.contexts : {};
  const feedback = getOwn(contexts, 'feedback');
  return isJsonObject(feedback) ? feedback : {};
}

function firstText(...values: readonly unknown[]): string | null {
  const found = values.find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? removeNul(found).trim() || null : null;
}

function readEmail(email: string | null, warnings: FeedbackWarning[]): string | null {
  if (email === null || emailPattern.test(email)) return email;
  warnings.push({
    code: 'invalid_email',
    field: 'email',
    message: 'email is not a valid e-mail address and was ignored.',
  });
  return null;
}

function readEventId(request: FeedbackRequest, sentry: JsonObject, warnings: FeedbackWarning[]) {
  const text = firstText(
    request.event_id,
    request.associated_event_id,
    getOwn(sentry, 'associated_event_id'),
  );
  if (text === null) return null;
  const eventId = parseEventId(text);
  if (eventId === null) {
    warnings.push({ code: 'invalid_event_id', field: 'event_id', message: 'event_id was ignored.' });
  }
  return eventId;
}

function readTags(tags: NonNullable<FeedbackRequest['tags']>): Record<string, string> {
  const entries = Object.entries(tags).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function readConsole(lines: readonly ConsoleLine[]): ConsoleLine[] {
  return lines.slice(-consoleLinesMax).map(({ level, message, timestamp }) => ({
    level: level ?? null,
    message: cutText(removeNul(message ?? ''), consoleCharactersMax),
    timestamp: timestamp ?? null,
  }));
}

function cutOrNull(text: string | null, charactersMax: number): string | null {
  return text === null ? null : cutText(text, charactersMax);
}
