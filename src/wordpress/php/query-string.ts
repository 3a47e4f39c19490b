// Query strings and urlencoded forms as PHP reads them into $_GET and $_POST. Names are variables.ts's
// affair.
import { bytesFromText } from './text.ts';
import type { PhpArray } from './values.ts';
import { arrayOf, createVariables, registerVariable, textFromBinary } from './variables.ts';

/** Variables taken from one query string (`max_input_vars`); the rest is dropped silently. */
export const inputVariablesMax = 1_000;

/**
 * Parses `a=1&b[]=2` into a PHP array.
 * @param input the part after `?`, or the body: bytes, or text that stands for its UTF-8. A raw URL from
 *   Node's HTTP parser is Latin-1 text and has to come as `Buffer.from(text, 'latin1')`.
 * @param source `form` for what PHP puts into $_POST, which differs in three small ways: it keeps one
 *   variable more than the limit, counts empty pieces, and lets a raw NUL stand in a value; `query` for $_GET
 *   and `parse_str`
 */
export function parseQueryString(input: string | Uint8Array, source: 'query' | 'form' = 'query'): PhpArray {
  const bytes = typeof input === 'string' ? bytesFromText(input) : input;
  const binary = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const variables = createVariables();
  for (const piece of source === 'form' ? formPieces(binary) : queryPieces(binary)) {
    const equals = piece.indexOf('=');
    const name = equals < 0 ? piece : piece.slice(0, equals);
    const value = equals < 0 ? '' : piece.slice(equals + 1);
    registerVariable(variables, decodeUrl(name), textFromBinary(decodeUrl(value)));
  }
  return arrayOf(variables);
}

function queryPieces(binary: string): string[] {
  // A C string to PHP: it ends at the first raw NUL.
  const nul = binary.indexOf('\0');
  const text = nul < 0 ? binary : binary.slice(0, nul);
  return pieces(text, (piece) => piece !== '', inputVariablesMax);
}

function formPieces(binary: string): string[] {
  return pieces(binary, () => true, inputVariablesMax + 1);
}

/** The pieces between the `&`, at most so many, without splitting what lies beyond. */
function pieces(text: string, counts: (piece: string) => boolean, max: number): string[] {
  const found: string[] = [];
  let start = 0;
  while (start <= text.length && found.length < max) {
    const end = text.indexOf('&', start);
    const piece = end < 0 ? text.slice(start) : text.slice(start, end);
    if (counts(piece)) found.push(piece);
    start = end < 0 ? text.length + 1 : end + 1;
  }
  return found;
}

/** `+` and `%XX` decoded, other percent signs kept; binary string in, binary string out. */
function decodeUrl(binary: string): string {
  if (!/[%+]/.test(binary)) return binary;
  return binary
    .replaceAll('+', ' ')
    .replace(/%([0-9a-fA-F]{2})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
