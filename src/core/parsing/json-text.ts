import { findJsonErrorCode } from '../../wordpress/php/json-plain.ts';

/** PHP's JSON_ERROR_CTRL_CHAR and JSON_ERROR_SYNTAX, which JSON.parse refuses too. */
const surelyNone: ReadonlySet<number | null> = new Set([3, 4]);

/** False if JSON.parse would throw, which takes ten times as long as to read a short text. Linear. */
export function mayBeJson(text: string): boolean {
  return !surelyNone.has(findJsonErrorCode(Buffer.from(text)));
}
