// Whether a text is JSON, told without an error: one that JSON.parse throws takes ten times as long as
// reading a short text does.
import { jsonFaultOf } from '../../wordpress/php/json-plain.ts';

/** PHP's faults that are JSON.parse's too: a sign that no text may hold, and the syntax. */
const surelyNone: ReadonlySet<number | null> = new Set([3, 4]);

/** False where JSON.parse would surely throw. Linear in the length of the text. */
export function mayBeJson(text: string): boolean {
  return !surelyNone.has(jsonFaultOf(Buffer.from(text)));
}
