import { countValues } from '../../wordpress/php/count-json-values.ts';

/** Bodies within both limits are parsed on the main thread; the worst known one takes 27 ms. */
export const smallJsonBytesMax = 64 * 1024;
const lightValuesMax = 5_000;

/** An element takes at least two bytes. */
const surelyLightBytes = 2 * lightValuesMax;

/** True if parsing would block the event loop: too many bytes or values. */
export function isLargeJson(bytes: Uint8Array): boolean {
  if (bytes.length <= surelyLightBytes) return false;
  return bytes.length > smallJsonBytesMax || countValues(bytes, lightValuesMax) > lightValuesMax;
}
