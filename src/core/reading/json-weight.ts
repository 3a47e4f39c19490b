// How much work a body of JSON is, told from its bytes before anything is parsed.
// What becomes of a heavy one is decided elsewhere.
import { countValues } from '../../wordpress/php/json-values.ts';

/** A body within both limits is read in the main thread: the worst known one takes 27 ms. */
export const lightBytesMax = 64 * 1024;
const lightValuesMax = 5_000;

/** Each element takes at least two bytes, so a body of fewer bytes than this cannot hold too many. */
const surelyLightBytes = 2 * lightValuesMax;

/** Whether reading these bytes would block the event loop: too many bytes, or too many values. */
export function isHeavy(bytes: Uint8Array): boolean {
  if (bytes.length <= surelyLightBytes) return false;
  return bytes.length > lightBytesMax || countValues(bytes, lightValuesMax) > lightValuesMax;
}
