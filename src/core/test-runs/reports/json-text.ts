import type { Json } from '../../../../schemas/event.ts';
import { createBadRequestError, type RestError } from '../../errors.ts';
import { cutTextFromEnd, cutUtf16Units, cutUtf16UnitsFromEnd } from '../../parsing/cut-text.ts';

/** Long texts keep their start, for traces, and their end, for output. */
const headCharactersMax = 40_960;
const tailCharactersMax = 20_480;
/** Kept after the head, to find the end of its last character. */
const overlapCharacters = 64;

export interface TextSink {
  write(text: string): void;
  end(): void;
}

export interface TextBuffer {
  readonly sink: TextSink | null;
  readonly isName: boolean;
  readonly parts: string[];
  length: number;
  tail: string;
  isCut: boolean;
}

export function createTextBuffer(sink: TextSink | null, isName: boolean): TextBuffer {
  return { sink, isName, parts: [], length: 0, tail: '', isCut: false };
}

export function appendText(text: TextBuffer, piece: string): void {
  if (text.sink !== null) {
    text.sink.write(piece);
    return;
  }
  const remaining = Math.max(0, headCharactersMax + overlapCharacters - text.length);
  if (remaining > 0) {
    text.parts.push(piece.slice(0, remaining));
    text.length += Math.min(remaining, piece.length);
  }
  if (piece.length > remaining) {
    const tail = text.tail + piece.slice(remaining);
    // Not for each piece, since cutting copies.
    const isFull = tail.length > 2 * tailCharactersMax;
    text.tail = isFull ? cutUtf16UnitsFromEnd(tail, tailCharactersMax) : tail;
    text.isCut ||= isFull;
  }
}

export function textOf(text: TextBuffer): string {
  const head = text.parts.join('');
  const tail = cutTextFromEnd(text.tail, tailCharactersMax);
  if (!text.isCut && tail.length === text.tail.length) return head + tail;
  return `${cutUtf16Units(head, headCharactersMax)}\n…\n${tail}`;
}

/** WordPress's error for invalid JSON; `code` is PHP's `json_last_error()`. */
export function invalidJsonError(code: 1 | 3 | 4 | 5 | 10): RestError {
  const messages = {
    1: 'Maximum stack depth exceeded',
    3: 'Control character error, possibly incorrectly encoded',
    4: 'Syntax error',
    5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
    10: 'Single unpaired high surrogate in Unicode escape',
  };
  return createBadRequestError('rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: messages[code],
  });
}

export const specialInText = /["\\\u0000-\u001f]/g;
export const wordCharacters = /[-+.0-9A-Za-z]{1,600}/y;
const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Null when the piece ends inside the escape. Surrogates must be paired, as in PHP. */
export function readEscape(piece: string, from: number): { text: string; next: number } | null {
  const letter = piece.charAt(from + 1);
  if (letter === '') {
    return null;
  }
  const short = shortEscapes.get(letter);
  if (short !== undefined) {
    return { text: short, next: from + 2 };
  }
  if (letter !== 'u') {
    throw invalidJsonError(4);
  }
  const high = readUnit(piece, from);
  if (high === null) {
    return null;
  }
  if (high < 0xd800 || high > 0xdfff) {
    return { text: String.fromCharCode(high), next: from + 6 };
  }
  const follows = piece.slice(from + 6, from + 8);
  if (high <= 0xdbff && follows.length < 2 && '\\u'.startsWith(follows)) {
    return null;
  }
  const low = high <= 0xdbff && follows === '\\u' ? readUnit(piece, from + 6) : undefined;
  if (low === null) {
    return null;
  }
  if (low === undefined || low < 0xdc00 || low > 0xdfff) {
    throw invalidJsonError(10);
  }
  return { text: String.fromCharCode(high, low), next: from + 12 };
}

function readUnit(piece: string, from: number): number | null {
  const digits = piece.slice(from + 2, from + 6);
  if (!/^[0-9A-Fa-f]*$/.test(digits)) {
    throw invalidJsonError(4);
  }
  return digits.length < 4 ? null : Number.parseInt(digits, 16);
}

/** PHP accepts these words in any case. */
export function parseJsonWord(word: string): Json {
  const lower = word.toLowerCase();
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  if (lower === 'null') return null;
  if (!jsonNumber.test(word)) {
    throw invalidJsonError(4);
  }
  return Number(word);
}
