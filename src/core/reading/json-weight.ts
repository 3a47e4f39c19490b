// How much work a body of JSON is, told from its bytes before anything is parsed.
// What becomes of a heavy one is decided elsewhere.
import { countValues } from '../../wordpress/php/json-values.ts';

/** Up to this and this a body is read where it came in: the worst that we know takes 20 ms. */
export const lightBytesMax = 48 * 1024;
const lightValuesMax = 5_000;

/** An element takes a value and a comma: fewer bytes than this cannot hold too many. */
const surelyLightBytes = 2 * lightValuesMax;

/** Whether reading these bytes would hold the loop up: they are many, or hold many members and elements. */
export function isHeavy(bytes: Uint8Array): boolean {
  if (bytes.length <= surelyLightBytes) return false;
  return bytes.length > lightBytesMax || countValues(bytes, lightValuesMax) > lightValuesMax;
}
