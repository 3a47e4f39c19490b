// PHP's json_decode. Ordinary bodies go through JSON.parse, others through the exact parser in json-parse.ts.
import { isUtf8 } from 'node:buffer';
import { checkJson, type Parsed, type ParseOptions, parseJsonExactly } from './json-parse.ts';
import { countValues, isBlank, type JsonError } from './json-tokens.ts';
import { type PlainValue, toPlain } from './values.ts';

/** `isPlain`: made by JSON.parse, so it holds nothing that only PHP has. */
type Decoded = (Parsed & { readonly isPlain: boolean }) | JsonError;

export type DecodeOptions = ParseOptions & {
  readonly depthMax?: number;
};

/** PHP's default depth of 512 allows 511 nested containers. */
export const jsonDepthMax = 511;

/** As `json_decode($body, true)`, with the same error codes (docs/wordpress.md, "JSON"). Integers stay apart from
 * floats, maps keep their order. With `valuesMax` it can stop early. */
export function decodeJson(bytes: Uint8Array, options: DecodeOptions = {}): Decoded {
  const { depthMax = jsonDepthMax, valuesMax } = options;
  const isSmall = valuesMax === undefined || countValues(bytes, valuesMax) <= valuesMax;
  const ordinary = isSmall ? decodeOrdinary(bytes, depthMax) : null;
  if (ordinary !== null) return { ok: true, value: ordinary.value, replacedAt: nowhere, isPlain: true };
  const exact = parseJsonExactly(bytes, depthMax, options);
  return exact.ok ? { ...exact, isPlain: false } : exact;
}

export type ReadOptions = Omit<DecodeOptions, 'keepsObjects'>;

type PlainJson = Omit<Parsed, 'value'> & { readonly value: PlainValue };

/** Same texts and error codes as `decodeJson`. Inexact integers become strings of their digits, so that ids stay
 * distinct. Objects may have a prototype: use Object.hasOwn. */
export function readPlainJson(bytes: Uint8Array, options: ReadOptions = {}): PlainJson | JsonError {
  const decoded = decodeJson(bytes, { ...options, keepsObjects: true });
  if (!decoded.ok) return decoded;
  const { value, replacedAt, isPlain } = decoded;
  return { ok: true, value: isPlain ? (value as PlainValue) : toPlain(value), replacedAt };
}

/** Whether `readPlainJson` accepts these bytes. Builds no values, so it works for texts of any size. */
export function isPlainJson(
  bytes: Uint8Array,
  options: Pick<ReadOptions, 'depthMax' | 'isLenient'>,
): boolean {
  return checkJson(bytes, options.depthMax ?? jsonDepthMax, options.isLenient) === null;
}

/** PHP's `JSON_ERROR_…` code for these bytes, or null if they are valid. */
export function findJsonErrorCode(bytes: Uint8Array): number | null {
  return checkJson(bytes, jsonDepthMax)?.code ?? null;
}

const nowhere: readonly string[] = [];

/** Null when the result of JSON.parse might differ from PHP's. */
function decodeOrdinary(bytes: Uint8Array, depthMax: number): { readonly value: PlainValue } | null {
  if (!isUtf8(bytes) || !isOrdinary(bytes, depthMax)) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    return { value: JSON.parse(text) as PlainValue };
  } catch {
    return null;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const colon = 0x3a;

/** Whether JSON.parse gives the same value as PHP. False for nesting past the limit, surrogate escapes, numbers that
 * JavaScript rounds or confuses with integers, and index-like names. A wrong false only costs time. */
function isOrdinary(bytes: Uint8Array, depthMax: number): boolean {
  const length = bytes.length;
  let depth = 0;
  let at = 0;
  while (at < length) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at = endOfOrdinaryString(bytes, at + 1);
      if (at < 0) return false;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > depthMax) return false;
      at += 1;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
      at += 1;
    } else if (byte === minus || (byte >= 0x30 && byte <= 0x39)) {
      at = endOfOrdinaryNumber(bytes, at);
      if (at < 0) return false;
    } else {
      at += 1;
    }
  }
  return true;
}

function endOfOrdinaryString(bytes: Uint8Array, start: number): number {
  const length = bytes.length;
  let at = start;
  while (at < length) {
    const byte = bytes[at] as number;
    if (byte === quote) return isIndexLikeName(bytes, start, at) ? -1 : at + 1;
    if (byte === backslash) {
      if (bytes[at + 1] === 0x75 && isSurrogateEscape(bytes, at)) return -1;
      at += 2;
    } else {
      at += 1;
    }
  }
  return -1;
}

function isSurrogateEscape(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at + 2] ?? 0) | 0x20) === 0x64 && (bytes[at + 3] ?? 0) >= 0x38;
}

/** Whether the string is a member name that may be an integer: it starts like one, or with an escape. */
function isIndexLikeName(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] as number;
  if (first > 0x39 ? first !== backslash : first < 0x30 && first !== minus) return false;
  let next = end + 1;
  while (isBlank(bytes[next])) next += 1;
  return bytes[next] === colon;
}

function endOfOrdinaryNumber(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  let dot = -1;
  let fraction = 0;
  for (; ; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      if (dot >= 0) fraction |= byte & 0x0f;
    } else if (byte === 0x2e && dot < 0) {
      dot = at;
    } else if (byte === 0x65 || byte === 0x45) {
      return -1;
    } else {
      break;
    }
  }
  if (dot >= 0 && fraction === 0) return -1;
  // Up to 15 digits each decimal has its own double, so fractions stay fractions and integers are exact.
  if (at - start <= 15) return at;
  const value = Number(Buffer.from(bytes.buffer, bytes.byteOffset + start, at - start).toString('latin1'));
  return (dot >= 0 ? Number.isInteger(value) : !Number.isSafeInteger(value)) ? -1 : at;
}
