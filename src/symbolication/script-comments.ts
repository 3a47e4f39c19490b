import { cutText } from '../core/parsing/cut-text.ts';
import { toUtf8 } from './json-bytes.ts';

// Bytes at the end that are searched for a debug id: five comment lines, one of which may be long.
const tailBytes = 64 * 1024;
const referenceCharactersMax = 2_048;
const debugIdLines = 5;
const referenceWord = 'sourceMappingURL=';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads the comments defined by ECMA-426 and its debug id proposal. */
export function readScriptComments(sent: Buffer) {
  const bytes = toUtf8(sent);
  const reference = lastReference(bytes);
  const hasInlineMap = reference?.startsWith('data:') ?? false;
  return {
    /** The URL of `sourceMappingURL`, as written; null if missing or inline. */
    sourceMap: hasInlineMap || reference === null ? null : cutText(reference, referenceCharactersMax),
    hasInlineMap,
    debugId: debugIdOf(bytes),
  };
}

/** The source map of a `data:` URL; null if missing or unreadable. */
export function readInlineMap(sent: Buffer): Buffer | null {
  const bytes = toUtf8(sent);
  const range = findLastReference(bytes);
  if (range === null) return null;
  const comma = bytes.indexOf(0x2c, range.start);
  if (comma === -1 || comma >= range.end) return null;
  const head = bytes.toString('latin1', range.start, comma);
  if (!head.startsWith('data:')) return null;
  const body = bytes.toString('latin1', comma + 1, range.end);
  return head.endsWith(';base64') ? Buffer.from(body, 'base64') : percentDecoded(body);
}

/** Lower case with dashes; null if it is not a UUID. */
export function parseDebugId(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const hyphenated = /^[0-9a-f]{32}$/i.test(text)
    ? text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : text;
  return uuid.test(hyphenated) ? hyphenated.toLowerCase() : null;
}

function lastReference(bytes: Buffer): string | null {
  const range = findLastReference(bytes);
  if (range === null) return null;
  const end = Math.min(range.end, range.start + referenceCharactersMax);
  return bytes.toString('utf8', range.start, end);
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

// The last `sourceMappingURL` comment that is followed only by white space and comments: that excludes
// strings, templates and regular expressions, whose end follows. Linear, from the end.
function findLastReference(bytes: Buffer): ByteRange | null {
  let end = trimmedEnd(bytes, bytes.length);
  let line = { start: end, first: end };
  while (end > 0) {
    if (end <= line.start) line = lineOf(bytes, end);
    const start = startOfComment(bytes, line.first, end);
    if (start === null) return referenceBehindCode(bytes, line.start, end);
    const range = referenceOf(bytes, start, end);
    if (range !== null) return range;
    end = trimmedEnd(bytes, start);
  }
  return null;
}

/** The start of the comment that ends at `end`; null for code. `first` is where the line's text begins. */
function startOfComment(bytes: Buffer, first: number, end: number): number | null {
  if (isAt(bytes, first, '//')) return first;
  if (!isAt(bytes, end - 2, '*/')) return null;
  const start = end < 4 ? -1 : bytes.lastIndexOf('/*', end - 4);
  return start === -1 || bytes.lastIndexOf('*/', end - 3) > start ? null : start;
}

function referenceOf(bytes: Buffer, start: number, end: number): ByteRange | null {
  const head = /^\/[/*][#@][ \t]*sourceMappingURL=/.exec(bytes.toString('latin1', start, start + 64))?.[0];
  if (head === undefined) return null;
  return valueBetween(bytes, start + head.length, head.startsWith('/*') ? end - 2 : end);
}

/** The same for a comment behind code on the last line. */
function referenceBehindCode(bytes: Buffer, lineStart: number, end: number): ByteRange | null {
  const at = bytes.lastIndexOf(referenceWord, end);
  if (at < lineStart) return null;
  if (!/\/\/[#@][ \t]*$/.test(bytes.toString('latin1', Math.max(0, at - 16), at))) return null;
  return valueBetween(bytes, at + referenceWord.length, end);
}

/** Trims; null if empty, or if it has a quote, so is part of code. */
function valueBetween(bytes: Buffer, from: number, to: number): ByteRange | null {
  let start = from;
  while (start < to && isBlank(bytes[start])) start += 1;
  const end = Math.max(start, trimmedEnd(bytes, to));
  const value = bytes.subarray(start, end);
  return end === start || ['"', "'", '`'].some((quote) => value.includes(quote)) ? null : { start, end };
}

function lineOf(bytes: Buffer, end: number): { start: number; first: number } {
  let start = end;
  while (start > 0 && bytes[start - 1] !== 0x0a && bytes[start - 1] !== 0x0d) start -= 1;
  let first = start;
  while (isBlank(bytes[first])) first += 1;
  return { start, first };
}

function trimmedEnd(bytes: Buffer, from: number): number {
  let end = from;
  while (end > 0 && isBlank(bytes[end - 1])) end -= 1;
  return end;
}

function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= 0x20;
}

function isAt(bytes: Buffer, at: number, text: string): boolean {
  return at >= 0 && bytes.toString('latin1', at, at + text.length) === text;
}

/** Only the comment counts: the snippet that some tools inject may have another id. */
function debugIdOf(bytes: Buffer): string | null {
  const tail = bytes.toString('utf8', Math.max(0, bytes.length - tailBytes));
  const lines = tail
    .trimEnd()
    .split(/\r\n|\n|\r/)
    .slice(-debugIdLines);
  for (const line of lines.reverse()) {
    const found = /^[ \t]*\/\/[#@][ \t]*debugId=([0-9a-fA-F-]{32,36})[ \t]*$/.exec(line);
    const id = parseDebugId(found?.[1]);
    if (id !== null) return id;
  }
  return null;
}

function percentDecoded(text: string): Buffer | null {
  try {
    return Buffer.from(decodeURIComponent(text), 'utf8');
  } catch {
    return null;
  }
}
