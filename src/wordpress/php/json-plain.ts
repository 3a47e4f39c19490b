// The one reader of JSON for those who want JavaScript values: PHP's rules about the text, no PHP in the
// result; and what can be told of a text before it is read. The rules of events read with it too (D-83):
// nothing here knows of requests.
import { decodeOrdinary, jsonDepthMax } from './json-decode.ts';
import { checkJson, type JsonError, type ParseOptions, parseJsonExactly } from './json-parse.ts';
import { type PlainValue, toPlain } from './values.ts';

export type ReadOptions = Pick<ParseOptions, 'valuesMax' | 'names'> & {
  /** How many containers may be open at once; PHP's own figure unless said. */
  readonly depthMax?: number;
};

/**
 * Reads JSON bytes by the rules of `decodeJson` (the same texts accepted, the same error codes) into plain
 * values: integers whose digits a number would change are those digits as text, so that no two identifiers
 * fall together; a number past the range of floats is Infinity; objects stay objects, whatever their names.
 * Objects may have a prototype: ask for own names.
 */
export function readPlainJson(
  bytes: Uint8Array,
  { depthMax = jsonDepthMax, ...bounds }: ReadOptions = {},
): { readonly ok: true; readonly value: PlainValue } | JsonError {
  const ordinary = isWithin(bytes, bounds) ? decodeOrdinary(bytes, depthMax) : null;
  if (ordinary !== null) return ordinary;
  const exact = parseJsonExactly(bytes, depthMax, { ...bounds, keepsObjects: true });
  return exact.ok ? { ok: true, value: toPlain(exact.value) } : exact;
}

/** Whether a text certainly has no more values than that; the native parser makes all of them. */
export function isWithin(bytes: Uint8Array, { valuesMax }: Pick<ParseOptions, 'valuesMax'>): boolean {
  return valuesMax === undefined || countValues(bytes, valuesMax) <= valuesMax;
}

/**
 * Whether `readPlainJson` would read these bytes, told without making anything of them: for texts of any
 * size.
 */
export function isPlainJson(bytes: Uint8Array, depthMax: number = jsonDepthMax): boolean {
  return checkJson(bytes, depthMax) === null;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * The values of a JSON text, containers and what they hold, counted on its bytes in one pass; never fewer
 * than there are. Stops soon after `valuesMax`. Text that is no JSON has some number too.
 */
export function countValues(bytes: Uint8Array, valuesMax: number): number {
  const { length } = bytes;
  let values = 1;
  let at = 0;
  while (at < length && values <= valuesMax) {
    const byte = bytes[at] as number;
    at += 1;
    if (byte === quote) at = endOfText(bytes, at);
    // What a comma or a bracket begins: `[` and `{` stand for the first of what they hold.
    else if (byte === comma || byte === 0x5b || byte === 0x7b) values += 1;
  }
  return values;
}

function endOfText(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (at < length) {
    const byte = bytes[at] as number;
    if (byte === quote) return at + 1;
    at += byte === backslash ? 2 : 1;
  }
  return length;
}
