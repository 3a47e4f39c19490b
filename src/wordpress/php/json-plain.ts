// The one reader of JSON for those who want JavaScript values: PHP's rules about the text, no PHP in the
// result; and what can be told of a text before it is read. The rules of events read with it too (D-83):
// nothing here knows of requests.
import { type DecodeOptions, decodeJson, jsonDepthMax } from './json-decode.ts';
import { checkJson, type Parsed } from './json-parse.ts';
import type { JsonError } from './json-tokens.ts';
import { type PlainValue, toPlain } from './values.ts';

export type ReadOptions = Omit<DecodeOptions, 'keepsObjects'>;

/** Plain values that were read; `replacedAt` as `parseJsonExactly` tells it. */
type PlainJson = Omit<Parsed, 'value'> & { readonly value: PlainValue };

/**
 * Reads JSON bytes by the rules of `decodeJson` (the same texts accepted, the same error codes) into plain
 * values: integers whose digits a number would change are those digits as text, so that no two identifiers
 * fall together; a number past the range of floats is Infinity; objects stay objects, whatever their names.
 * Objects may have a prototype: ask for own names.
 */
export function readPlainJson(bytes: Uint8Array, options: ReadOptions = {}): PlainJson | JsonError {
  const decoded = decodeJson(bytes, { ...options, keepsObjects: true });
  if (!decoded.ok) return decoded;
  const { value, replacedAt, isPlain } = decoded;
  return { ok: true, value: isPlain ? (value as PlainValue) : toPlain(value), replacedAt };
}

/**
 * Whether `readPlainJson` would read these bytes with the same options, told without making anything of
 * them: for texts of any size.
 */
export function isPlainJson(
  bytes: Uint8Array,
  options: Pick<ReadOptions, 'depthMax' | 'isLenient'>,
): boolean {
  return checkJson(bytes, options.depthMax ?? jsonDepthMax, options.isLenient) === null;
}

/**
 * The code of what PHP refuses these bytes for (`JSON_ERROR_…`), told without making anything of them; null
 * where it reads them.
 */
export function jsonFaultOf(bytes: Uint8Array, depthMax: number = jsonDepthMax): number | null {
  return checkJson(bytes, depthMax)?.code ?? null;
}
