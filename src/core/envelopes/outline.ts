// Finds the events of a large JSON document by byte ranges, without parsing it. Runs in a worker.
import { isPlainJson } from '../../wordpress/php/json-plain.ts';
import type { Outline } from '../ports/heavy-reader.ts';
import { lenientJson } from '../reading/item-json.ts';
import { placesIn } from '../reading/lenient.ts';
import { eventBytesMax, jsonOrNull } from './items.ts';
import { batchEventsMax, eventMembers } from './upload.ts';

export function outlineOf(document: Uint8Array): Outline {
  if (!isPlainJson(document, lenientJson)) return { kind: 'other' };
  const { names, events } = membersOf(document);
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
  if (!eventMembers.some((name) => names.has(name))) return { kind: 'other' };
  return { kind: 'event', isTooLarge: isTooLarge(document, 0, document.length) };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The document's member names that matter, and the elements of its last `events` if they are a list. */
function membersOf(document: Uint8Array): { names: ReadonlySet<string>; events: Span[] | null } {
  const names = new Set<string>();
  let events: Span[] | null = null;
  // The document is JSON: what begins with this byte is a byte order mark.
  let at = pastBlanks(document, document[0] === 0xef ? 3 : 0);
  if (document[at] !== openBrace) return { names, events };
  at = pastBlanks(document, at + 1);
  while (document[at] === quote) {
    const nameEnd = endOfText(document, at + 1);
    const name = knownName(document.subarray(at, nameEnd));
    // +1 for the colon; the document is known to be JSON.
    const value = pastBlanks(document, pastBlanks(document, nameEnd) + 1);
    const end = endOfValue(document, value);
    if (name !== null) names.add(name);
    if (name === 'events') events = listIn(document, value);
    at = pastBlanks(document, pastBlanks(document, end) + 1);
  }
  return { names, events };
}

/** Elements of an array, or of an object that is a PHP array with gaps; null for other values. */
function listIn(document: Uint8Array, start: number): Span[] | null {
  if (document[start] === openBracket) return elementsOf(document, start);
  if (document[start] !== openBrace) return null;
  const members = new Map<string, Span>();
  let at = pastBlanks(document, start + 1);
  while (document[at] === quote) {
    const nameEnd = endOfText(document, at + 1);
    const name = Buffer.from(document.subarray(at + 1, nameEnd - 1)).toString('latin1');
    const value = pastBlanks(document, pastBlanks(document, nameEnd) + 1);
    const end = endOfValue(document, value);
    members.set(name, { start: value, end });
    at = pastBlanks(document, end);
    if (document[at] === comma) at = pastBlanks(document, at + 1);
  }
  return placesIn([...members.keys()])?.map((name) => members.get(name) as Span) ?? null;
}

function elementsOf(document: Uint8Array, start: number): Span[] {
  const elements: Span[] = [];
  let at = pastBlanks(document, start + 1);
  while (document[at] !== closeBracket) {
    const end = endOfValue(document, at);
    elements.push({ start: at, end });
    at = pastBlanks(document, end);
    if (document[at] === comma) at = pastBlanks(document, at + 1);
  }
  return elements;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBracket = 0x5d;

function endOfValue(bytes: Uint8Array, start: number): number {
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

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at + 1;
}

function pastBlanks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isBlank(bytes[at] ?? 0)) at += 1;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Each letter may be an escape of six bytes. */
const nameBytesMax = 6 * Math.max(...eventMembers.map((name) => name.length)) + 2;
const known: ReadonlySet<unknown> = new Set(['events', ...eventMembers]);

function knownName(text: Uint8Array): string | null {
  if (text.length > nameBytesMax) return null;
  const name = jsonOrNull(text);
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
