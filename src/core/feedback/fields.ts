// Reading a bug report: which of several names was used, what is cut, what is left out with a warning. Pure.
import {
  type ConsoleLine,
  consoleCharactersMax,
  consoleLinesMax,
  type FeedbackRequest,
  type FeedbackWarning,
  messageCharactersMax,
} from '../../../schemas/feedback.ts';
import { invalidParam, missingParams } from '../errors.ts';
import { parseEventId } from '../ids.ts';
import { cutText } from '../reading/cut-text.ts';
import { isRecord, type JsonRecord, own, withoutNul } from '../reading/lenient.ts';
import { hostOfUrl } from '../reading/web-address.ts';

interface ReadFeedback {
  readonly message: string;
  readonly truncated: boolean;
  readonly name: string | null;
  readonly email: string | null;
  readonly url: string | null;
  /** 32 lower-case hex. */
  readonly eventId: string | null;
  readonly console: readonly ConsoleLine[];
  readonly tags: Readonly<Record<string, string>>;
  readonly warnings: readonly FeedbackWarning[];
}

const emailPattern = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\/?#[\]]{1,189}$/;

/**
 * Reads the fields of a report, those of `contexts.feedback` (Sentry protocol) where ours are absent. A
 * message over 4,096 characters is cut, an address that is none is left out, each with a warning. Throws 400
 * without a message, for a page address that is not http(s). docs/bug-reports.md, "Fields of a bug report".
 */
export function readFeedback(request: FeedbackRequest): ReadFeedback {
  const warnings: FeedbackWarning[] = [];
  const sentry = sentryFeedback(request);
  const said = firstText(request.message, request.comments, request.description, own(sentry, 'message'));
  if (said === null) throw missingParams(['message']);
  const message = cutText(said, messageCharactersMax);
  const url = firstText(request.url, own(sentry, 'url'));
  if (url !== null && hostOfUrl(url) === null) {
    throw invalidParam({ url: 'url must be an http or https address.' });
  }
  return {
    message,
    truncated: message.length < said.length,
    name: cutOrNull(firstText(request.name, own(sentry, 'name')), 128),
    email: readEmail(firstText(request.email, request.contact_email, own(sentry, 'contact_email')), warnings),
    url: cutOrNull(url, 2048),
    eventId: readEventId(request, sentry, warnings),
    console: readConsole(request.console ?? []),
    tags: readTags(request.tags ?? {}),
    warnings,
  };
}

function sentryFeedback(request: FeedbackRequest): JsonRecord {
  const contexts = isRecord(request.contexts) ? request.contexts : {};
  const feedback = own(contexts, 'feedback');
  return isRecord(feedback) ? feedback : {};
}

function firstText(...values: readonly unknown[]): string | null {
  const found = values.find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? withoutNul(found).trim() || null : null;
}

function readEmail(email: string | null, warnings: FeedbackWarning[]): string | null {
  if (email === null || emailPattern.test(email)) return email;
  warnings.push({
    code: 'invalid_email',
    field: 'email',
    message: 'email is not an address and was left out.',
  });
  return null;
}

function readEventId(
  request: FeedbackRequest,
  sentry: JsonRecord,
  warnings: FeedbackWarning[],
): string | null {
  const given = firstText(request.event_id, request.associated_event_id, own(sentry, 'associated_event_id'));
  if (given === null) return null;
  const eventId = parseEventId(given);
  if (eventId === null) {
    warnings.push({ code: 'invalid_event_id', field: 'event_id', message: 'event_id was left out.' });
  }
  return eventId;
}

function readTags(tags: NonNullable<FeedbackRequest['tags']>): Record<string, string> {
  const given = Object.entries(tags).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** The newest lines, each cut. */
function readConsole(lines: readonly ConsoleLine[]): ConsoleLine[] {
  return lines.slice(-consoleLinesMax).map(({ level, message, timestamp }) => ({
    level: level ?? null,
    message: cutText(withoutNul(message ?? ''), consoleCharactersMax),
    timestamp: timestamp ?? null,
  }));
}

function cutOrNull(text: string | null, charactersMax: number): string | null {
  return text === null ? null : cutText(text, charactersMax);
}
