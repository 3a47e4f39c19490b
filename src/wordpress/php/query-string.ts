// Query strings and urlencoded forms as PHP parses them into $_GET and $_POST.
import { encodePhpString } from './strings.ts';
import type { PhpArray } from './values.ts';
import { createVariables, decodeBinaryString, registerVariable, toArray } from './variables.ts';

/** `max_input_vars`; further variables are dropped silently. */
export const inputVariablesMax = 1_000;

/** A raw URL from Node's parser is Latin-1: pass `Buffer.from(text, 'latin1')`. Source `form` is $_POST, which allows
 * one variable more, counts empty pieces, and allows NUL in values. */
export function parseQueryString(input: string | Uint8Array, source: 'query' | 'form' = 'query'): PhpArray {
  const bytes = typeof input === 'string' ? encodePhpString(input) : input;
  const binary = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const variables = createVariables();
  for (const piece of piecesOf(binary, source === 'form')) {
    const equals = piece.indexOf('=');
    const name = equals < 0 ? piece : piece.slice(0, equals);
    const value = equals < 0 ? '' : piece.slice(equals + 1);
    registerVariable(variables, decodeUrl(name), decodeBinaryString(decodeUrl(value)));
  }
  return toArray(variables);
}

/** At most `max_input_vars` pieces (of a form one more), without splitting the rest. */
function piecesOf(binary: string, isForm: boolean): string[] {
  // A query is a C string in PHP: it ends at the first NUL.
  const nul = isForm ? -1 : binary.indexOf('\0');
  const text = nul < 0 ? binary : binary.slice(0, nul);
  const max = isForm ? inputVariablesMax + 1 : inputVariablesMax;
  const found: string[] = [];
  let start = 0;
  while (start <= text.length && found.length < max) {
    const end = text.indexOf('&', start);
    const piece = end < 0 ? text.slice(start) : text.slice(start, end);
    if (isForm || piece !== '') found.push(piece);
    start = end < 0 ? text.length + 1 : end + 1;
  }
  return found;
}

function decodeUrl(binary: string): string {
  if (!/[%+]/.test(binary)) return binary;
  return binary
    .replaceAll('+', ' ')
    .replace(/%([0-9a-fA-F]{2})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
