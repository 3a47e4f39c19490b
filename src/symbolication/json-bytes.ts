// Locates values in JSON bytes without parsing them all: a map of 50 MB takes only its bytes of memory.
import { SourceMapError } from './source-map-error.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

const nestingMax = 100;
const membersMax = 10_000;
const smallValueBytesMax = 1_000_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The top-level value; throws for trailing content. */
export function findRootValue(bytes: Buffer): Span {
  const start = skipSpace(bytes, 0);
  const end = endOfValue(bytes, start, nestingMax);
  if (skipSpace(bytes, end) < bytes.length) throw notJson(end);
  return { start, end };
}

/** The members of an object; the last of duplicate names counts, as in JSON.parse. */
export function findMembers(bytes: Buffer, span: Span): Map<string, Span> {
  const members = new Map<string, Span>();
  if (bytes[span.start] !== openBrace) throw new SourceMapError('a JSON object was expected');
  let at = skipSpace(bytes, span.start + 1);
  while (bytes[at] !== closeBrace) {
    const nameEnd = endOfString(bytes, at);
    const name = readJson(bytes, { start: at, end: nameEnd });
    const start = skipSpace(bytes, expect(bytes, skipSpace(bytes, nameEnd), colon));
    const end = endOfValue(bytes, start, nestingMax);
    members.set(String(name), { start, end });
    if (members.size > membersMax) throw new SourceMapError(`an object has more than ${membersMax} members`);
    at = nextItem(bytes, end, closeBrace);
  }
  return members;
}

/** Pairs of start and end of an array's elements; `memberName` names the array in errors. */
export function findElements(bytes: Buffer, span: Span, countMax: number, memberName: string): Uint32Array {
  if (bytes[span.start] !== openBracket) throw new SourceMapError(`"${memberName}" is not an array`);
  // Typed arrays this small stay on V8's heap; an index map has several short lists per section.
  let pairs = new Uint32Array(16);
  let count = 0;
  let at = skipSpace(bytes, span.start + 1);
  while (bytes[at] !== closeBracket) {
    if (count === countMax) throw new SourceMapError(`"${memberName}" has more than ${countMax} elements`);
    const end = endOfValue(bytes, at, nestingMax);
    if (count * 2 === pairs.length) {
      const larger = new Uint32Array(pairs.length * 2);
      larger.set(pairs);
      pairs = larger;
    }
    pairs[count * 2] = at;
    pairs[count * 2 + 1] = end;
    count += 1;
    at = nextItem(bytes, end, closeBracket);
  }
  return pairs.slice(0, count * 2);
}

export function readJson(bytes: Buffer, span: Span): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', span.start, span.end));
  } catch {
    return undefined;
  }
}

/** Parses a small value (number, name, id); undefined for a larger one. */
export function readSmallJson(bytes: Buffer, span: Span | undefined): unknown {
  return span === undefined || span.end - span.start > smallValueBytesMax ? undefined : readJson(bytes, span);
}

export function isString(bytes: Buffer, span: Span | undefined): span is Span {
  return span !== undefined && bytes[span.start] === quote;
}

function endOfValue(bytes: Buffer, at: number, depth: number): number {
  const first = bytes[at];
  if (first === quote) return endOfString(bytes, at);
  if (first === openBrace || first === openBracket) return endOfContainer(bytes, at, depth);
  return endOfScalar(bytes, at);
}

function endOfContainer(bytes: Buffer, start: number, depth: number): number {
  if (depth === 0) throw new SourceMapError(`it is nested more than ${nestingMax} levels deep`);
  const isObject = bytes[start] === openBrace;
  const close = isObject ? closeBrace : closeBracket;
  let at = skipSpace(bytes, start + 1);
  while (bytes[at] !== close) {
    if (isObject) at = skipSpace(bytes, expect(bytes, skipSpace(bytes, endOfString(bytes, at)), colon));
    at = nextItem(bytes, endOfValue(bytes, at, depth - 1), close);
  }
  return at + 1;
}

function nextItem(bytes: Buffer, end: number, close: number): number {
  const at = skipSpace(bytes, end);
  if (bytes[at] === close) return at;
  const next = skipSpace(bytes, expect(bytes, at, comma));
  if (bytes[next] === close) throw notJson(next);
  return next;
}

function endOfString(bytes: Buffer, start: number): number {
  let at = expect(bytes, start, quote);
  const length = bytes.length;
  while (at < length) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    at += byte === backslash ? 2 : 1;
  }
  throw notJson(length);
}

function endOfScalar(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && at - start < 64 && isScalarByte(bytes[at] ?? 0)) at += 1;
  if (at === start || readJson(bytes, { start, end: at }) === undefined) throw notJson(start);
  return at;
}

function isScalarByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x45 || byte === 0x2b
    ? true
    : byte === 0x2d || byte === 0x2e;
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at += 1;
  }
}

function expect(bytes: Buffer, at: number, byte: number): number {
  if (bytes[at] !== byte) throw notJson(at);
  return at + 1;
}

function notJson(at: number): SourceMapError {
  return new SourceMapError(`it is not valid JSON (at byte ${at})`);
}

/** As UTF-8, without byte order mark and the `)]}'` line that prevents JSON hijacking. */
export function decodeSourceMapText(sent: Buffer): Buffer {
  const bytes = toUtf8(sent);
  if (bytes.toString('latin1', 0, 3) !== ')]}') return bytes;
  const lineEnd = bytes.indexOf(0x0a);
  return lineEnd === -1 ? Buffer.alloc(0) : bytes.subarray(lineEnd + 1);
}

/** Converts UTF-16 with a byte order mark, and strips byte order marks. */
export function toUtf8(sent: Buffer): Buffer {
  if (sent[0] === 0xef && sent[1] === 0xbb && sent[2] === 0xbf) return sent.subarray(3);
  if (sent[0] === 0xff && sent[1] === 0xfe) return fromUtf16(sent, 'utf-16le');
  if (sent[0] === 0xfe && sent[1] === 0xff) return fromUtf16(sent, 'utf-16be');
  return sent;
}

function fromUtf16(sent: Buffer, encoding: 'utf-16le' | 'utf-16be'): Buffer {
  return Buffer.from(new TextDecoder(encoding).decode(sent), 'utf8');
}
