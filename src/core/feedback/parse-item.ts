// Reads `feedback` and older `user_report` items. Single invalid fields are dropped with a warning.

import { hash } from 'node:crypto';
import { type FeedbackRequest, type FeedbackWarning, feedbackRequest } from '../../../schemas/feedback.ts';
import { parseEventId } from '../ids.ts';
import { cutText } from '../parsing/cut-text.ts';
import { getOwn, isJsonObject, type JsonObject } from '../parsing/unknown-values.ts';
import { parseUrlHost } from '../parsing/web-url.ts';
import type { FeedbackItemReadContext, PreparedFeedback } from '../ports/prepared-data.ts';
import { prepareFeedback } from './parse-feedback.ts';
import type { FeedbackFile } from './screenshots.ts';

interface FeedbackItem extends FeedbackItemReadContext {
  readonly payload: JsonObject;
}

/** `reportId` is the item's id, for a `user_report` a hash of its content. Throws 400 without a message. */
export function parseFeedbackItem(
  payload: JsonObject,
  files: readonly FeedbackFile[],
  facts: FeedbackItemReadContext,
  replacedAt: readonly string[] = [],
): PreparedFeedback {
  const item = { ...facts, payload };
  const { request, warnings } = lenientRequest(item);
  const { userAgent, project } = facts;
  const reportId = reportIdOf(item, request);
  const reportFacts = { userAgent, project, reportId, lenientWarnings: warnings };
  const read = prepareFeedback(request, files, reportFacts, replacedAt);
  if (pageOf(payload) !== undefined) return read;
  return { ...read, page: { ...read.page, url: null, requestUrl: read.page.url } };
}

function pageOf(payload: JsonObject): string | undefined {
  const contexts = getOwn(payload, 'contexts');
  const url = isJsonObject(contexts) ? ownIn(contexts, 'feedback', 'url') : undefined;
  return webAddress(getOwn(payload, 'url')) ?? webAddress(url);
}

/** The id of a feedback event is its own; the event it is about is in its context. */
function reportIdOf(item: FeedbackItem, request: FeedbackRequest): string | null {
  if (item.type === 'feedback') return parseEventId(getOwn(item.payload, 'event_id')) ?? item.envelopeEventId;
  const words = [request.event_id, request.name, request.email, request.comments];
  return hash('sha256', JSON.stringify(words)).slice(0, 32);
}

function lenientRequest(item: FeedbackItem): { request: FeedbackRequest; warnings: FeedbackWarning[] } {
  const warnings: FeedbackWarning[] = [];
  const fields: JsonObject = {};
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
  const value = getOwn(item.payload, field);
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
  const feedback = isJsonObject(contexts) ? getOwn(contexts, 'feedback') : undefined;
  if (!isJsonObject(feedback)) return undefined;
  return { feedback: { ...feedback, url: webAddress(getOwn(feedback, 'url')) } };
}

function ownIn(record: JsonObject, outer: string, inner: string): unknown {
  const value = getOwn(record, outer);
  return isJsonObject(value) ? getOwn(value, inner) : undefined;
}

/** Other URLs are dropped, because they would make the whole report invalid. */
function webAddress(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 2048 && parseUrlHost(value) !== null
    ? value
    : undefined;
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
