// Reads `feedback` and older `user_report` items. Single invalid fields are dropped with a warning.

import { hash } from 'node:crypto';
import { type FeedbackRequest, type FeedbackWarning, feedbackRequest } from '../../../schemas/feedback.ts';
import { parseEventId } from '../ids.ts';
import type { PreparedReport, ReportItemFacts } from '../ports/readings.ts';
import { cutText } from '../reading/cut-text.ts';
import { isRecord, type JsonRecord, own } from '../reading/lenient.ts';
import { hostOfUrl } from '../reading/web-address.ts';
import { prepareReport } from './prepare.ts';
import type { SentFile } from './screenshots.ts';

interface FeedbackItem extends ReportItemFacts {
  readonly payload: JsonRecord;
}

/** `reportId` is the item's id, for a `user_report` a hash of its content. Throws 400 without a message. */
export function prepareReportItem(
  payload: JsonRecord,
  files: readonly SentFile[],
  facts: ReportItemFacts,
  replacedAt: readonly string[] = [],
): PreparedReport {
  const item = { ...facts, payload };
  const { request, warnings } = lenientRequest(item);
  const { userAgent, project } = facts;
  const reportId = reportIdOf(item, request);
  const reportFacts = { userAgent, project, reportId, lenientWarnings: warnings };
  const read = prepareReport(request, files, reportFacts, replacedAt);
  if (pageOf(payload) !== undefined) return read;
  return { ...read, page: { ...read.page, url: null, requestUrl: read.page.url } };
}

function pageOf(payload: JsonRecord): string | undefined {
  const contexts = own(payload, 'contexts');
  const said = isRecord(contexts) ? ownIn(contexts, 'feedback', 'url') : undefined;
  return webAddress(own(payload, 'url')) ?? webAddress(said);
}

/** The id of a feedback event is its own; the event it is about is in its context. */
function reportIdOf(item: FeedbackItem, request: FeedbackRequest): string | null {
  if (item.type === 'feedback') return parseEventId(own(item.payload, 'event_id')) ?? item.envelopeEventId;
  const words = [request.event_id, request.name, request.email, request.comments];
  return hash('sha256', JSON.stringify(words)).slice(0, 32);
}

function lenientRequest(item: FeedbackItem): { request: FeedbackRequest; warnings: FeedbackWarning[] } {
  const warnings: FeedbackWarning[] = [];
  const fields: JsonRecord = {};
  for (const [field, schema] of Object.entries(feedbackRequest.shape)) {
    const value = fieldOf(item, field);
    if (value === undefined || value === null) continue;
    if (schema.safeParse(value).success) fields[field] = value;
    else warnings.push({ code: 'invalid_field', field, message: `${field} was ignored.` });
  }
  return { request: feedbackRequest.parse(fields), warnings };
}

// Server SDKs add the current request; its URL is kept if no page is named, but does not count as a page.
function fieldOf(item: FeedbackItem, field: string): unknown {
  const value = own(item.payload, field);
  if (item.type === 'feedback' && ownFieldsOfEvents.has(field)) return undefined;
  if (field === 'tags') return tagsOf(value);
  if (field === 'name' && typeof value === 'string') return cutText(value, 128);
  if (field === 'event_id' && value === undefined) return item.envelopeEventId;
  if (field === 'url') return pageOf(item.payload) ?? webAddress(ownIn(item.payload, 'request', 'url'));
  return field === 'contexts' ? readableContexts(value) : value;
}

/** In a feedback event these describe the event, not the feedback. */
const ownFieldsOfEvents: ReadonlySet<string> = new Set([
  'event_id',
  'message',
  'comments',
  'description',
  'website',
]);

function readableContexts(contexts: unknown): unknown {
  const feedback = isRecord(contexts) ? own(contexts, 'feedback') : undefined;
  if (!isRecord(feedback)) return undefined;
  return { feedback: { ...feedback, url: webAddress(own(feedback, 'url')) } };
}

function ownIn(record: JsonRecord, outer: string, inner: string): unknown {
  const value = own(record, outer);
  return isRecord(value) ? own(value, inner) : undefined;
}

/** Other URLs are dropped, because they would make the whole report invalid. */
function webAddress(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 2048 && hostOfUrl(value) !== null ? value : undefined;
}

/** Accepts pairs as well. */
function tagsOf(tags: unknown): Record<string, string> | undefined {
  if (typeof tags !== 'object' || tags === null) return undefined;
  const pairs: unknown[] = Array.isArray(tags) ? tags : Object.entries(tags);
  const readable = pairs.filter(
    (pair): pair is [string, string | number | boolean] =>
      Array.isArray(pair) && typeof pair[0] === 'string' && pair[1] !== null && typeof pair[1] !== 'object',
  );
  return Object.fromEntries(
    readable.slice(0, 50).map(([name, value]) => [cutText(name, 32), cutText(String(value), 200)]),
  );
}
