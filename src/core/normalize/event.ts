import type { EventError, Level, NormalizedEvent } from '../../../schemas/event.ts';
import { hugeJsonLimit, largeJsonLimit, mediumJsonLimit } from '../parsing/bounded-json.ts';
import { cutText } from '../parsing/cut-text.ts';
import { dayMs, minuteMs } from '../parsing/durations.ts';
import {
  createFieldReader,
  createFieldTable,
  type FieldReader,
  type TextRule,
} from '../parsing/field-reader.ts';
import { formatMicroseconds, parseMicroseconds } from '../parsing/timestamps.ts';
import {
  createJsonObject,
  getOwn,
  isAbsent,
  isEmptyList,
  isJsonObject,
  isTextAbsent,
  type JsonObject,
} from '../parsing/unknown-values.ts';
import { parsePhpMessage } from '../wordpress-components/php-messages.ts';
import { readExceptions, readStacktrace, readThreads } from './exception.ts';
import { readContexts, readDebugMeta, readExtra, readFingerprint, readModules } from './free-form-fields.ts';
import { messageCharsMax, readLevel, readMessage } from './message.ts';
import { readRequest, readUser } from './request.ts';
import { readTags } from './tags.ts';

/** Beyond this the client's clock is wrong: docs/events.md, "Times". */
const futureTimestampMsMax = minuteMs;
/** Older events get the time of arrival. */
const eventAgeMsMax = 30 * dayMs;
/** Offline SDKs send late; only a longer delay counts as a slow clock. */
const slowClockMsMin = 55 * minuteMs;

const word: TextRule = { charsMax: 128, over: 'cut', lenient: true };

export interface NormalizeContext {
  readonly receivedAtMs: number;
  readonly eventId: string;
  readonly sentAtMs?: number | null;
  /** User-Agent or sentry_client, for events that do not name their SDK. */
  readonly userAgent?: string;
  readonly maxAgeMs?: number;
  /** Paths where invalid text was replaced; empty for a top-level name. */
  readonly replacedAt?: readonly string[];
}

/** Field names of older SDKs. */
const aliases: ReadonlyArray<readonly [string, string]> = [
  ['sentry.interfaces.Message', 'logentry'],
  ['message', 'logentry'],
  ['sentry.interfaces.Exception', 'exception'],
  ['sentry.interfaces.Stacktrace', 'stacktrace'],
  ['sentry.interfaces.Breadcrumbs', 'breadcrumbs'],
  ['sentry.interfaces.Threads', 'threads'],
  ['sentry.interfaces.Contexts', 'contexts'],
  ['sentry.interfaces.User', 'user'],
  ['sentry.interfaces.Http', 'request'],
  ['sentry.interfaces.Csp', 'csp'],
  ['culprit', 'transaction'],
];

/** Set by the server; ignored from clients. */
const serverFields = ['event_id', 'received', 'project', 'key_id', '_meta', 'errors'];

const dropped = new Set([...serverFields, ...aliases.map(([oldName]) => oldName)]);

/** Unknown platforms are kept, because people search for them. */
const platform: TextRule = { charsMax: 64, over: 'cut', trim: true };
const logger: TextRule = { charsMax: 64, over: 'drop', forbidden: /[\r\n]/ };
const transaction: TextRule = { charsMax: 200, over: 'cut' };
const shortText: TextRule = { charsMax: 256, over: 'cut' };
const release: TextRule = { charsMax: 200, over: 'drop', lenient: true, trim: true, forbidden: /[\r\n\t]/ };
const dist: TextRule = {
  charsMax: 64,
  over: 'drop',
  lenient: true,
  trim: true,
  forbidden: /[^A-Za-z0-9_.-]/,
};
const environment: TextRule = { charsMax: 64, over: 'drop', trim: true, forbidden: /[\r\n/]/ };
const kind: TextRule = { charsMax: 64, over: 'drop' };

/** docs/events.md, "How an event is read". Drops invalid values, noted in `errors`. Never throws; linear. */
export function normalizeEvent(
  raw: unknown,
  context: NormalizeContext,
): { event: NormalizedEvent; errors: EventError[] } {
  const errors: EventError[] = [];
  const event = createFieldReader(isJsonObject(raw) ? renameOldFields(raw) : createJsonObject(), errors);
  if (!isJsonObject(raw)) event.note('invalid_data', 'event', raw);
  for (const path of context.replacedAt ?? []) event.note('invalid_data', path === '' ? 'event' : path);
  event.set('event_id', context.eventId);
  event.set('timestamp', readEventTime(event, 'timestamp', context));
  const level = readLevel(event, 'level');
  event.set('level', level ?? 'error');
  event.set('platform', event.text('platform', platform) ?? 'other');
  event.text('logger', logger);
  event.text('transaction', transaction);
  event.text('server_name', shortText);
  event.text('release', release);
  event.text('dist', dist);
  event.text('environment', environment);
  event.text('site', shortText);
  event.read('logentry', readMessage);
  event.read('exception', readExceptions);
  event.read('threads', readThreads);
  if (level === undefined) event.set('level', levelFromMessage(event.result) ?? 'error');
  event.read('breadcrumbs', readBreadcrumbs);
  event.read('tags', readTags);
  event.read('user', readUser);
  event.read('request', readRequest);
  event.read('contexts', readContexts);
  event.read('fingerprint', readFingerprint);
  event.read('modules', readModules);
  event.read('extra', readExtra);
  event.read('debug_meta', readDebugMeta);
  event.json('csp', hugeJsonLimit);
  event.set('sdk', readSdk(event, 'sdk', context.userAgent ?? ''));
  attachLooseStacktrace(event.result, readStacktrace(event, 'stacktrace'));
  if (event.text('type', kind) === undefined) {
    event.set('type', event.result['exception'] === undefined ? 'default' : 'error');
  }
  event.rest(hugeJsonLimit);
  return { event: event.result as NormalizedEvent, errors };
}

/** PHP log shippers do not set levels; this reads the level from the message. */
function levelFromMessage(event: JsonObject): Level | null {
  const entry = event['logentry'] as { formatted?: string; message?: string } | undefined;
  const text = entry?.formatted ?? entry?.message;
  return text === undefined || event['exception'] !== undefined
    ? null
    : (parsePhpMessage(text)?.level ?? null);
}

function renameOldFields(source: JsonObject): JsonObject {
  const fields = createJsonObject();
  let hasOldNames = false;
  for (const name of Object.keys(source)) {
    if (dropped.has(name)) hasOldNames = true;
    else fields[name] = source[name];
  }
  if (!hasOldNames) return fields;
  for (const [oldName, name] of aliases) {
    const value = getOwn(source, oldName);
    if (!isEmptyValue(value) && isEmptyValue(fields[name])) fields[name] = value;
  }
  return fields;
}

function isEmptyValue(value: unknown): boolean {
  if (isTextAbsent(value) || value === '') return true;
  return isEmptyList(value) || (isJsonObject(value) && Object.keys(value).length === 0);
}

// Old SDKs put it next to the exceptions: it belongs to the last one without a stack, else to a thread.
function attachLooseStacktrace(event: JsonObject, stack: JsonObject | undefined): void {
  if (stack === undefined) return;
  const exceptions = event['exception'] as { values: JsonObject[] } | undefined;
  const last = exceptions?.values.at(-1);
  if (last !== undefined && last['stacktrace'] === undefined) {
    last['stacktrace'] = stack;
  } else if (event['threads'] === undefined) {
    event['threads'] = { values: [{ current: true, stacktrace: stack }] };
  }
}

/** Falls back to the User-Agent or sentry_client (`raven-php/1.2`). */
function readSdk(event: FieldReader, name: string, userAgent: string): JsonObject | undefined {
  const sdk = event.record(name);
  if (sdk === undefined) return sdkFromUserAgent(userAgent);
  sdk.text('name', word);
  sdk.text('version', word);
  sdk.rest(largeJsonLimit);
  return sdk.keptIfAny();
}

function sdkFromUserAgent(userAgent: string): JsonObject | undefined {
  const client = /^([a-z][\w.-]{1,63})\/(\d[\w.+-]{0,31})(?:\s|$)/i.exec(cutText(userAgent, 256));
  const isTool = /^(?:mozilla|opera|curl|wget|wordpress|okhttp|dalvik)$/i.test(client?.[1] ?? '');
  return client === null || isTool ? undefined : { name: client[1], version: client[2] };
}

interface ClockReading {
  readonly receivedAtMs: number;
  readonly sentAtMs?: number | null;
  readonly maxAgeMs?: number;
}

// As sent, corrected by clock drift; the time of arrival if unreadable, in the future or too old.
function readEventTime(event: FieldReader, name: string, clock: ClockReading): string {
  const receivedMicros = clock.receivedAtMs * 1000;
  const value = event.sent(name);
  if (isTextAbsent(value)) return formatMicroseconds(receivedMicros);
  const sent = parseMicroseconds(value);
  if (sent === null) {
    event.note('invalid_data', name, value);
    return formatMicroseconds(receivedMicros);
  }
  const drift = clockDriftMs(clock);
  if (drift !== 0) event.note('clock_drift', name, value);
  const micros = sent + drift * 1000;
  if (micros > receivedMicros + futureTimestampMsMax * 1000) {
    event.note('future_timestamp', name, value);
    return formatMicroseconds(receivedMicros);
  }
  if (micros < receivedMicros - (clock.maxAgeMs ?? eventAgeMsMax) * 1000) {
    event.note('past_timestamp', name, value);
    return formatMicroseconds(receivedMicros);
  }
  return formatMicroseconds(micros);
}

function clockDriftMs(clock: ClockReading): number {
  if (clock.sentAtMs === null || clock.sentAtMs === undefined) return 0;
  const drift = clock.receivedAtMs - clock.sentAtMs;
  return drift < -futureTimestampMsMax || drift > slowClockMsMin ? drift : 0;
}

const breadcrumbsMax = 100;
const category: TextRule = { charsMax: 128, over: 'cut' };
const message: TextRule = { charsMax: messageCharsMax, over: 'cut', lenient: true };

/** The newest 100. */
function readBreadcrumbs(event: FieldReader, name: string): JsonObject | undefined {
  const entries = event.entries(name) ?? [];
  if (entries.length > breadcrumbsMax) event.note('value_too_long', name);
  const values = event.records(`${name}.values`, entries.slice(-breadcrumbsMax), readBreadcrumb);
  return values.length === 0 ? undefined : { values };
}

function readBreadcrumb(breadcrumb: FieldReader): JsonObject {
  breadcrumb.all(breadcrumbFields, mediumJsonLimit);
  return breadcrumb.result;
}

/** PHP sends an empty list for no data. */
function readBreadcrumbData(breadcrumb: FieldReader, name: string): unknown {
  const data = breadcrumb.sent(name);
  if (isAbsent(data) || isEmptyList(data)) return undefined;
  if (isJsonObject(data) || Array.isArray(data)) return breadcrumb.limitedJson(name, data, mediumJsonLimit);
  breadcrumb.note('invalid_data', name, data);
  return undefined;
}

const breadcrumbFields = createFieldTable<FieldReader>([
  ['timestamp', (crumb, name) => crumb.moment(name)],
  ['type category event_id', (crumb, name) => crumb.text(name, category)],
  ['message', (crumb, name) => crumb.text(name, message)],
  ['level', (crumb, name) => crumb.read(name, readLevel)],
  ['data', (crumb, name) => crumb.read(name, readBreadcrumbData)],
]);
