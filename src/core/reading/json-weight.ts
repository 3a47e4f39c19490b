// Estimates from its bytes how expensive parsing a JSON body is.
import { countValues } from '../../wordpress/php/json-values.ts';

/** Bodies within both limits are parsed on the main thread; the worst known one takes 27 ms. */
export const lightBytesMax = 64 * 1024;
const lightValuesMax = 5_000;

/** An element takes at least two bytes. */
const surelyLightBytes = 2 * lightValuesMax;

/** True if parsing would block the event loop: too many bytes or values. */
export function isHeavy(bytes: Uint8Array): boolean {
  if (bytes.length <= surelyLightBytes) return false;
  return bytes.length > lightBytesMax || countValues(bytes, lightValuesMax) > lightValuesMax;
}
