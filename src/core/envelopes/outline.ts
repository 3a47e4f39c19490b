// Finds the events of a large JSON document by byte ranges, without parsing it. Runs in a worker.
import { isPlainJson } from '../../wordpress/php/json-decode.ts';
import { endOfText, isBlank } from '../../wordpress/php/json-tokens.ts';
import { lenientJsonOptions } from '../parsing/item-json.ts';
import { sortIntegerKeys } from '../parsing/unknown-values.ts';
import type { DocumentOutline } from '../ports/large-body-reader.ts';
import { batchEventsMax, eventFieldNames } from './parse-upload.ts';
import { eventBytesMax, parseJsonOrNull } from './sort-items.ts';

export function readDocumentOutline(document: Uint8Array): DocumentOutline {
  if (!isPlainJson(document, lenientJsonOptions)) return { kind: 'other' };
  const { names, events } = scanMembers(document);
  if (names.has('events')) {
    const count = events?.length ?? null;
    if (events === null || events.length === 0 || events.length > batchEventsMax) {
      return { kind: 'wrong', count };
    }
    const pieces = events.map((each) => ({
      ...each,
      isTooLarge: isTooLarge(document, each.start, each.end),
    }));
    return { kind: 'events', pieces };
  }
  if (!eventFieldNames.some((name) => names.has(name))) return { kind: 'other' };
  return { kind: 'event', isTooLarge: isTooLarge(document, 0, document.length) };
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The document's member names that matter, and the elements of its last `events` if they are a list. */
function scanMembers(document: Uint8Array): { names: ReadonlySet<string>; events: ByteRange[] | null } {
  const names = new Set<string>();
  let events: ByteRange[] | null = null;
  // The document is JSON: what begins with this byte is a byte order mark.
  const start = skipBlanks(document, document[0] === 0xef ? 3 : 0);
  for (const { name: written, start: value } of membersOf(document, start)) {
    const name = knownName(document.subarray(written.start, written.end));
    if (name !== null) names.add(name);
    if (name === 'events') events = scanList(document, value);
  }
  return { names, events };
}

interface Member extends ByteRange {
  /** With its quotes. */
  readonly name: ByteRange;
}

/** None unless an object begins at `start`. */
function* membersOf(document: Uint8Array, start: number): Generator<Member> {
  if (document[start] !== openBrace) return;
  for (let at = skipBlanks(document, start + 1); document[at] === quote; ) {
    const name = { start: at, end: endOfText(document, at + 1) };
    // +1 for the colon; the document is known to be JSON.
    const value = skipBlanks(document, skipBlanks(document, name.end) + 1);
    const end = skipValue(document, value);
    yield { name, start: value, end };
    at = skipComma(document, end);
  }
}

/** Elements of an array, or of an object that is a PHP array with gaps; null for other values. */
function scanList(document: Uint8Array, start: number): ByteRange[] | null {
  if (document[start] === openBracket) return scanArray(document, start);
  if (document[start] !== openBrace) return null;
  const members = new Map<string, ByteRange>();
  for (const { name, start: value, end } of membersOf(document, start)) {
    const text = Buffer.from(document.subarray(name.start + 1, name.end - 1)).toString('latin1');
    members.set(text, { start: value, end });
  }
  return sortIntegerKeys([...members.keys()])?.map((name) => members.get(name) as ByteRange) ?? null;
}

function scanArray(document: Uint8Array, start: number): ByteRange[] {
  const elements: ByteRange[] = [];
  let at = skipBlanks(document, start + 1);
  while (document[at] !== closeBracket) {
    const end = skipValue(document, at);
    elements.push({ start: at, end });
    at = skipComma(document, end);
  }
  return elements;
}

const quote = 0x22;
const comma = 0x2c;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBracket = 0x5d;

function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at = endOfText(bytes, at + 1);
      if (depth === 0) return at;
    } else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      at += 1;
    } else if (byte === closeBracket || byte === 0x7d) {
      // The enclosing value ends: a number or literal ends before it.
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
      if (depth === 0) return at;
    } else if (depth === 0 && (byte === comma || isBlank(byte))) {
      return at;
    } else {
      at += 1;
    }
  }
  return at;
}

function skipBlanks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

function skipComma(bytes: Uint8Array, start: number): number {
  const at = skipBlanks(bytes, start);
  return bytes[at] === comma ? skipBlanks(bytes, at + 1) : at;
}

/** Each letter may be an escape of six bytes. */
const nameBytesMax = 6 * Math.max(...eventFieldNames.map((name) => name.length)) + 2;
const known: ReadonlySet<unknown> = new Set(['events', ...eventFieldNames]);

function knownName(text: Uint8Array): string | null {
  if (text.length > nameBytesMax) return null;
  const name = parseJsonOrNull(text);
  return known.has(name) ? String(name) : null;
}

/** Measured without white space between values, which is how most clients write JSON. */
function isTooLarge(document: Uint8Array, start: number, end: number): boolean {
  if (end - start <= eventBytesMax) return false;
  let bytes = 0;
  for (let at = start; at < end && bytes <= eventBytesMax; ) {
    const byte = document[at] as number;
    const next = byte === quote ? endOfText(document, at + 1) : at + 1;
    if (!isBlank(byte)) bytes += next - at;
    at = next;
  }
  return bytes > eventBytesMax;
}
