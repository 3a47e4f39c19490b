// The one reader of JSON for those who want JavaScript values: PHP's rules about the text, no PHP in the result.
// The rules of events read with it too (D-83), so it may need nothing that knows of requests.
import { decodeOrdinary, jsonDepthMax } from './php-json-decode.ts';
import { checkJson, type JsonError, parseJsonExactly } from './php-json-parse.ts';
import { type PlainValue, toPlain } from './php-values.ts';

/**
 * Reads JSON bytes by the rules of `decodeJson` (the same texts accepted, the same error codes) into plain values:
 * integers whose digits a number would change are those digits as text, so that no two identifiers fall together; a
 * number past the range of floats is Infinity; objects stay objects, whatever their names. Objects may have a
 * prototype: ask for own names.
 * @param depthMax how many containers may be open at once; PHP's own figure unless said
 */
export function readPlainJson(
  bytes: Uint8Array,
  depthMax: number = jsonDepthMax,
): { readonly ok: true; readonly value: PlainValue } | JsonError {
  const ordinary = decodeOrdinary(bytes, depthMax);
  if (ordinary !== null) return ordinary;
  const exact = parseJsonExactly(bytes, depthMax, true);
  return exact.ok ? { ok: true, value: toPlain(exact.value) } : exact;
}

/** Whether `readPlainJson` would read these bytes, told without making anything of them: for texts of any size. */
export function isPlainJson(bytes: Uint8Array, depthMax: number = jsonDepthMax): boolean {
  return checkJson(bytes, depthMax) === null;
}
