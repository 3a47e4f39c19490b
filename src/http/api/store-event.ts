import { storeRequest } from '../../../schemas/store.ts';
import { findSenderHost, type RequestSender } from '../../core/domains/domains.ts';
import { createMissingParamsError } from '../../core/errors.ts';
import type { IngestContext } from '../../core/events/ingest.ts';
import { toArray } from '../../core/parsing/unknown-values.ts';
import { toLimitAddress } from '../limits/client-address.ts';
import { checkKnownParameters } from './parse-parameters.ts';
import type { ApiRequest } from './route.ts';

/** Throws 400 for the two strict fields, and for an event without any message (see requireMessage). */
export function checkEvent(params: ApiRequest['params']): ApiRequest['params'] {
  const event = checkKnownParameters(storeRequest, { params });
  requireMessage(event);
  return event;
}

type Bag = Readonly<Record<string, unknown>>;

const entriesCheckedMax = 200;

/** Throws 400 unless there is a message, exception, logentry or stack trace; null and blank do not count. */
export function requireMessage(event: Bag): void {
  const exceptions = event['exception'] ?? event['sentry.interfaces.Exception'];
  const logentry = event['logentry'] ?? event['sentry.interfaces.Message'];
  const hasMessage =
    saysText(event['message']) ||
    saysText(logentry) ||
    entriesOf(exceptions).some((each) => hasText(each['type']) || hasText(each['value']) || hasStack(each)) ||
    entriesOf(event['threads']).some(hasStack) ||
    hasStack(event);
  if (!hasMessage) throw createMissingParamsError(['message']);
}

function saysText(value: unknown): boolean {
  return hasText(value) || (isRecord(value) && (hasText(value['message']) || hasText(value['formatted'])));
}

function hasText(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'number' || (isRecord(value) && Object.keys(value).length > 0);
}

function hasStack(value: Bag): boolean {
  const stack = value['stacktrace'];
  const frames = isRecord(stack) && 'frames' in stack ? stack['frames'] : stack;
  return toArray(frames)?.slice(0, entriesCheckedMax).some(isRecord) === true;
}

/** Sentry's three forms of exceptions and threads: `{values: […]}`, an array, one object. */
function entriesOf(value: unknown): Bag[] {
  const list = isRecord(value) && 'values' in value ? value['values'] : value;
  const entries = toArray(list) ?? (isRecord(list) ? [list] : []);
  return entries.slice(0, entriesCheckedMax).filter(isRecord);
}

function isRecord(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** For a single event; an envelope adds its own headers. */
export function toEventContext(request: ApiRequest): IngestContext {
  return {
    receivedAtMs: request.receivedAtMs,
    clientAddress: request.clientAddress,
    countedAddress: toLimitAddress(request.clientAddress),
    domain: findSenderHost(toSender(request)),
    userAgent: request.header('user-agent') || sentryClientOf(request),
  };
}

/** For SDKs without User-Agent: `sentry_client`, e.g. `raven-node/2.6.4`. */
function sentryClientOf({ header, query }: Pick<ApiRequest, 'header' | 'query'>): string {
  const fields = (header('x-sentry-auth') ?? header('authorization') ?? '').slice(0, 2048).split(',');
  const clients = fields.map((field) => /^\s*(?:sentry\s+)?sentry_client=(.*)$/i.exec(field)?.[1]?.trim());
  const named = clients.find((client) => client !== undefined) ?? query['sentry_client'];
  return typeof named === 'string' ? named : '';
}

/** Whether to explain the grouping of an event (docs/grouping.md) or the refusal of a key (docs/keys.md). */
export function wantsExplanation(request: Pick<ApiRequest, 'header'>): boolean {
  return request.header('x-notifier-explain') === '1';
}

export function toSender(request: Pick<ApiRequest, 'header'>): Pick<RequestSender, 'origin' | 'referer'> {
  return { origin: request.header('origin'), referer: request.header('referer') };
}
