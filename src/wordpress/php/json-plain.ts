import { type DecodeOptions, decodeJson, jsonDepthMax } from './json-decode.ts';
import { checkJson, type Parsed } from './json-parse.ts';
import type { JsonError } from './json-tokens.ts';
import { type PlainValue, toPlain } from './values.ts';

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
export function findJsonErrorCode(bytes: Uint8Array, depthMax: number = jsonDepthMax): number | null {
  return checkJson(bytes, depthMax)?.code ?? null;
}
