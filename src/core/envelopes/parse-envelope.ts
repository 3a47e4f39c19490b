// Parses envelopes (docs/events.md, "Envelopes"). An invalid item cannot change the meaning of another.

import { readPlainJson } from '../../wordpress/php/json-decode.ts';
import { createBadRequestError } from '../errors.ts';
import { lenientJsonOptions } from '../parsing/item-json.ts';
import { createJsonObject, getOwn, isJsonObject, type JsonObject } from '../parsing/unknown-values.ts';

export const headerLineBytesMax = 8 * 1024;
export const envelopeItemsMax = 500;

export interface EnvelopeItem {
  readonly headers: Readonly<JsonObject>;
  readonly type: string;
  readonly payload: Buffer;
}

export interface Envelope {
  readonly headers: Readonly<JsonObject>;
  readonly items: readonly EnvelopeItem[];
}

const lineFeed = 0x0a;

/** LF ends a line, blank lines between items are skipped. Throws 400 `notifier_invalid_envelope` (with the position),
 * `notifier_empty_envelope` or, for a second event, `notifier_duplicate_item`. */
export function parseEnvelope(bytes: Buffer): Envelope {
  const steps = envelopeSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Yields to the event loop in between, because 500 headers of 8 KiB take too long at once. */
export async function parseEnvelopeAsync(
  bytes: Buffer,
  yieldToEventLoop: () => Promise<void>,
): Promise<Envelope> {
  const steps = envelopeSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldToEventLoop();
  }
}

function* envelopeSteps(bytes: Buffer): Generator<void, Envelope> {
  if (bytes.length === 0) throw createBadRequestError('notifier_empty_envelope', 'The envelope is empty.');
  const first = parseHeaderLine(bytes, 0, 'envelope header');
  const items: EnvelopeItem[] = [];
  let hasEvent = false;
  let position = yield* skipBlankLines(bytes, first.next);
  while (position < bytes.length) {
    if (items.length >= envelopeItemsMax) throw invalid(`more than ${envelopeItemsMax} items`, position);
    const { item, next } = parseItem(bytes, position);
    if (item.type === 'event' && hasEvent) throw duplicate('event');
    hasEvent ||= item.type === 'event';
    items.push(item);
    yield;
    position = yield* skipBlankLines(bytes, next);
  }
  if (items.length === 0)
    throw createBadRequestError('notifier_empty_envelope', 'The envelope contains no items.');
  return { headers: first.header, items };
}

/** The envelope header, or null if invalid; to find the `dsn` before anything else is read. */
export function parseEnvelopeHeader(bytes: Buffer): Readonly<JsonObject> | null {
  try {
    return parseHeaderLine(bytes, 0, 'envelope header').header;
  } catch {
    return null;
  }
}

/** The event at the start of an envelope if it is at least three quarters of the bytes, else null. */
export function findLeadingEvent(bytes: Buffer): Buffer | null {
  try {
    const { item } = parseItem(bytes, parseHeaderLine(bytes, 0, 'envelope header').next);
    return item.type === 'event' && item.payload.length >= bytes.length * 0.75 ? item.payload : null;
  } catch {
    return null;
  }
}

function parseItem(bytes: Buffer, start: number): { item: EnvelopeItem; next: number } {
  const { header, next } = parseHeaderLine(bytes, start, 'item header');
  const type = getOwn(header, 'type');
  if (typeof type !== 'string' || type === '') throw invalid('an item header without a type', start);
  const from = Math.min(next, bytes.length);
  const length = getOwn(header, 'length');
  if (length === undefined || length === null) {
    const end = lineEnd(bytes, from);
    return { item: { headers: header, type, payload: bytes.subarray(from, end) }, next: end + 1 };
  }
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) {
    throw invalid('an item length that is not a whole number', start);
  }
  const end = from + length;
  if (end > bytes.length) throw invalid(`an item of ${length} bytes with ${bytes.length - from} left`, from);
  if (end < bytes.length && bytes[end] !== lineFeed) throw invalid('no line feed after a payload', end);
  return { item: { headers: header, type, payload: bytes.subarray(from, end) }, next: end + 1 };
}

function parseHeaderLine(
  bytes: Buffer,
  start: number,
  lineName: string,
): { header: JsonObject; next: number } {
  const end = lineEnd(bytes, start);
  if (end - start > headerLineBytesMax)
    throw invalid(`a ${lineName} over ${headerLineBytesMax} bytes`, start);
  const read = readPlainJson(bytes.subarray(start, end), lenientJsonOptions);
  if (!read.ok || !isJsonObject(read.value)) throw invalid(`a ${lineName} that is not a JSON object`, start);
  return { header: withoutPrototype(read.value), next: end + 1 };
}

function lineEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(lineFeed, start);
  return end === -1 ? bytes.length : end;
}

const blankBytesAStep = 256 * 1024;

/** Start of the next line that is not blank; the end of the bytes if there is none. */
function* skipBlankLines(bytes: Buffer, start: number): Generator<void, number> {
  let line = start;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === lineFeed) line = at + 1;
    else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return line;
    if (at % blankBytesAStep === 0) yield;
  }
  return bytes.length;
}

function withoutPrototype(header: JsonObject): JsonObject {
  const copy = createJsonObject();
  for (const key of Object.keys(header)) copy[key] = header[key];
  return copy;
}

function invalid(problem: string, position: number): Error {
  return createBadRequestError('notifier_invalid_envelope', `The envelope is not valid: ${problem}.`, {
    position,
  });
}

function duplicate(type: string): Error {
  return createBadRequestError(
    'notifier_duplicate_item',
    `The envelope contains more than one ${type} item.`,
    { type },
  );
}
