// From what an SDK sent to an event whose known fields have their types (docs/events.md, "How an event is
// read"). Pure; nothing is refused, nothing thrown.
import type { EventError, NormalizedEvent } from '../../../schemas/event.ts';
import { massiveBag, notedBag } from '../reading/bounded-json.ts';
import {
  absent,
  emptyRecord,
  isRecord,
  type JsonRecord,
  note,
  own,
  readText,
  type TextRule,
} from '../reading/lenient.ts';
import { readContexts, readExtra, readFingerprint, readModules } from './bags.ts';
import { readExceptions, readThreads } from './exception.ts';
import { keepUnknown, readBreadcrumbs, readLevel, readMessage, readSdk, readTags } from './fields.ts';
import { readRequest, readUser } from './request.ts';
import { readStacktrace } from './stacktrace.ts';
import { readEventTime } from './time.ts';

export interface NormalizeContext {
  readonly receivedAtMs: number;
  /** The id the event has from here on, 32 lower-case hex: the caller decides it. */
  readonly eventId: string;
  /** The client's clock when it sent, for clock drift. */
  readonly sentAtMs?: number | null;
  /** User-Agent or sentry_client, for events that do not name their SDK. */
  readonly userAgent?: string;
  /** Events older than this are dated by their arrival; 30 days. */
  readonly maxAgeMs?: number;
}

/** Names that older SDKs use, or that people write, for the fields of today. */
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

const texts: ReadonlyArray<readonly [string, TextRule]> = [
  ['logger', { charsMax: 64, over: 'drop', forbidden: /[\r\n]/ }],
  ['transaction', { charsMax: 200, over: 'cut' }],
  ['server_name', { charsMax: 256, over: 'cut' }],
  ['release', { charsMax: 200, over: 'drop', lenient: true, trim: true, forbidden: /[\r\n\t]/ }],
  ['dist', { charsMax: 64, over: 'drop', lenient: true, trim: true, forbidden: /[^A-Za-z0-9_.-]/ }],
  ['environment', { charsMax: 64, over: 'drop', trim: true, forbidden: /[\r\n/]/ }],
  ['site', { charsMax: 256, over: 'cut' }],
];

type Reader = (value: unknown, name: string, errors: EventError[]) => unknown;
const readers: ReadonlyArray<readonly [string, Reader]> = [
  ['logentry', readMessage],
  ['exception', readExceptions],
  ['threads', readThreads],
  ['breadcrumbs', readBreadcrumbs],
  ['tags', readTags],
  ['user', readUser],
  ['request', readRequest],
  ['contexts', readContexts],
  ['fingerprint', readFingerprint],
  ['modules', readModules],
  ['extra', readExtra],
  ['debug_meta', readDebugMeta],
  ['csp', readBag],
];

/** What the server says of itself; a client's word on it is not kept. */
const serverFields = ['event_id', 'received', 'project', 'key_id', '_meta', 'errors'];

const knownFields = new Set([
  ...serverFields,
  'timestamp',
  'level',
  'platform',
  'type',
  'sdk',
  'stacktrace',
  ...texts.map(([name]) => name),
  ...readers.map(([name]) => name),
  ...aliases.flat(),
]);

/**
 * Reads an event of any shape. Returns the event with every known field in its type and unknown ones kept
 * within bounds, and what was set aside, by name. Never throws; linear in the size of the input.
 */
export function normalizeEvent(
  raw: unknown,
  context: NormalizeContext,
): { event: NormalizedEvent; errors: EventError[] } {
  const errors: EventError[] = [];
  if (!isRecord(raw)) note(errors, 'invalid_data', 'event', raw);
  const source = isRecord(raw) ? raw : emptyRecord();
  const fields = byTodaysNames(source);
  const event = emptyRecord();
  event['event_id'] = context.eventId;
  event['timestamp'] = readEventTime(fields.get('timestamp'), context, errors);
  event['level'] = readLevel(fields.get('level'), 'level', errors) ?? 'error';
  event['platform'] = readPlatform(fields.get('platform'), errors);
  for (const [name, rule] of texts) {
    const text = readText(fields.get(name), name, errors, rule);
    if (text !== undefined) event[name] = text;
  }
  for (const [name, read] of readers) {
    const value = read(fields.get(name), name, errors);
    if (value !== undefined) event[name] = value;
  }
  const sdk = readSdk(fields.get('sdk'), 'sdk', errors, context.userAgent ?? '');
  if (sdk !== undefined) event['sdk'] = sdk;
  placeBareStack(event, fields.get('stacktrace'), errors);
  event['type'] = readKind(fields.get('type'), event, errors);
  keepUnknown(event, source, knownFields, massiveBag, '', errors);
  return { event: event as NormalizedEvent, errors };
}

/** The known fields; today's name wins over an old one wherever it holds anything. */
function byTodaysNames(source: JsonRecord): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const name of knownFields) fields.set(name, own(source, name));
  for (const [old, name] of aliases) {
    const value = own(source, old);
    const current = fields.get(name);
    if (!saysNothing(value) && saysNothing(current)) fields.set(name, value);
  }
  return fields;
}

/** True for what says nothing: the old name is asked then. */
function saysNothing(value: unknown): boolean {
  return (
    absent(value) || value === '' || value === false || (isRecord(value) && Object.keys(value).length === 0)
  );
}

/** An unknown platform is kept as it was said: nothing depends on the list, and people search for it. */
function readPlatform(value: unknown, errors: EventError[]): string {
  return readText(value, 'platform', errors, { charsMax: 64, over: 'cut', trim: true }) ?? 'other';
}

function readKind(value: unknown, event: JsonRecord, errors: EventError[]): string {
  const sent = readText(value, 'type', errors, { charsMax: 64, over: 'drop' });
  if (sent !== undefined) return sent;
  return event['exception'] === undefined ? 'default' : 'error';
}

/** Old SDKs put a stack beside the exception: it belongs to the last one without a stack, else to a thread of its own. */
function placeBareStack(event: JsonRecord, value: unknown, errors: EventError[]): void {
  const stack = readStacktrace(value, 'stacktrace', errors);
  if (stack === undefined) return;
  const exceptions = event['exception'] as { values: JsonRecord[] } | undefined;
  const last = exceptions?.values.at(-1);
  if (last !== undefined && last['stacktrace'] === undefined) last['stacktrace'] = stack;
  else if (event['threads'] === undefined)
    event['threads'] = { values: [{ current: true, stacktrace: stack }] };
}

/** `debug_meta.images` in any form; images of unknown types are kept. */
function readDebugMeta(value: unknown, name: string, errors: EventError[]): unknown {
  if (absent(value)) return undefined;
  const source = Array.isArray(value) ? { images: value } : value;
  if (!isRecord(source)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const images = own(source, 'images');
  if (!absent(images) && !Array.isArray(images)) note(errors, 'invalid_data', `${name}.images`, images);
  const meta = notedBag(source, massiveBag, name, errors) as JsonRecord;
  if (Array.isArray(images))
    meta['images'] = (meta['images'] as unknown[] | undefined)?.filter(isRecord) ?? [];
  else delete meta['images'];
  return meta;
}

function readBag(value: unknown, name: string, errors: EventError[]): unknown {
  return absent(value) ? undefined : notedBag(value, massiveBag, name, errors);
}
