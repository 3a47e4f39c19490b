// Values without quotes: a list in brackets, the rest of a header's line, or up to the sign that ends a
// field. Those in quotes and blocks are read by readers.ts.
import { behind, isBlank } from '../kinds/patterns.ts';
import type { Way } from './forms.ts';
import { plain, stopAt, type Value } from './value.ts';

const wholeLine = /(?:cookie|authorization|authorisation|signature)2?$/i;
const credentials = /^(?:creds?|credentials?|pass)$/i;
const lineEnd = /[\r\n]|\\[rn]/g;
const lineOrQuote = /[\r\n"']|\\[rn]/g;
const phraseEnd = /[\r\n"'<>,;]/g;
const phrase = /(?:phrase|mnemonic)$/i;
const schemeWord = /^(?:bearer|basic|digest|token|negotiate|apikey|hmac)$/i;

/**
 * A value without quotes: a list in brackets, the rest of a header's line, or up to the sign that ends a
 * field.
 */
export function bareValue(
  text: string,
  from: number,
  way: Way,
  { name, start }: { name: string; start: number },
): Value | null {
  const first = text[from];
  if (first === '{' || first === '[') return plain(text, from, bracketEnd(text, from));
  if (isBehindCode(text, from)) {
    return plain(text, from, stopAt(/%(?:25){0,3}(?:22|27|26|2C|7D|3B|0A|0D)|[\s&"'<>]/gi, text, from));
  }
  const last = name.at(-1) ?? '?';
  if ((way === 'colon' || way === 'glued') && 'enEN2'.includes(last) && wholeLine.test(name)) {
    return plain(text, from, stopAt(isInQuotes(text, start) ? lineOrQuote : lineEnd, text, from));
  }
  if ('ecEC'.includes(last) && phrase.test(name)) return plain(text, from, stopAt(phraseEnd, text, from));
  const upTo = (begin: number, end: number): Value | null => (end === -1 ? null : plain(text, begin, end));
  const whole = bareEnd(text, from, way);
  if (whole === -1) return null;
  const fragment = isInQuery(text, start) ? text.slice(from, whole).indexOf('#') : -1;
  const end = fragment === -1 ? whole : from + fragment;
  // `creds = ann / hunter2`.
  const mayBeBoth = name.length < 12 && 'cCpP'.includes(name[0] ?? '?') && credentials.test(name);
  const both = mayBeBoth ? /^ {0,2}[/:] {0,2}(?=[^\s/])/.exec(text.slice(end, end + 6)) : null;
  if (both !== null) return upTo(from, bareEnd(text, end + both[0].length, way));
  const mayBeScheme = end - from >= 4 && end - from <= 9;
  if (!mayBeScheme || !schemeWord.test(text.slice(from, end))) return plain(text, from, end);
  // "token: Bearer abc": the word behind belongs to it.
  const gap = /^[ \t]{1,4}(?=[\w+/=.~-]{4})/.exec(text.slice(end, end + 8))?.[0].length ?? 0;
  return gap === 0 ? plain(text, from, end) : upTo(end + gap, bareEnd(text, end + gap, way));
}

/** Whether `=` or `:` as URLs write it stands before `at`, with blanks between at most. */
function isBehindCode(text: string, at: number): boolean {
  for (let from = at - 1; from >= at - codedCharsMax; from -= 1) {
    const code = text.charCodeAt(from);
    if (code === 37) return codedAssign.test(text.slice(Math.max(0, at - codedCharsMax), at));
    if (!'0235 +ADad'.includes(text[from] ?? '?')) return false;
  }
  return false;
}

const codedCharsMax = 24;
const codedAssign = /%(?:25){0,3}3[AD](?:[+ ]|%(?:25){0,3}20){0,4}$/i;

/** `?name=` and `&name=`: a value there ends before the part of the address behind "#". */
function isInQuery(text: string, nameStart: number): boolean {
  const before = text[nameStart - 1];
  return before === '?' || before === '&';
}

/** Whether a quote was opened on the line before `at` and not closed. */
function isInQuotes(text: string, at: number): boolean {
  let doubles = 0;
  let singles = 0;
  for (let from = at - 1; from >= 0 && from >= at - 256; from -= 1) {
    const code = text.charCodeAt(from);
    if (code === 10) break;
    if (code === 34) doubles += 1;
    else if (code === 39) singles += 1;
  }
  return doubles % 2 === 1 || singles % 2 === 1;
}

const colour = /\[\d{1,3}(?:;\d{1,3}){0,4}m/y;
const nextField = /(?:amp;)?[\w.%[\]-]{0,64}(?:[=:]|$)/y;

/** What a sign means in a value without quotes. */
const means = { ends: 1, opens: 2, bracket: 3, closes: 4, parts: 5, pipe: 6 } as const;
const meanings = new Uint8Array(128);
for (const [signs, meaning] of [
  ['\t\n\v\f\r "\'<>`\u001b', means.ends],
  ['({', means.opens],
  ['[', means.bracket],
  [')]}', means.closes],
  ['&;,', means.parts],
  ['|', means.pipe],
] as const) {
  for (const each of signs) meanings[each.charCodeAt(0)] = meaning;
}

/**
 * The end of a value: a blank, a quote, a colour of a terminal, a bracket that was not opened in it, or a
 * sign with the next field behind it. -1 for a hint with a bracket in it: no such value looks made by a
 * machine, so that it need not be read to its end (in `auth(auth(auth(…` that is the end of the text, for
 * each name).
 */
function bareEnd(text: string, from: number, way: Way): number {
  let opened = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const meaning = code < 128 ? (meanings[code] as number) : isBlank(code) ? means.ends : 0;
    if (meaning === 0) continue;
    if (meaning === means.ends || (meaning === means.bracket && behind(colour, text, at) !== -1)) {
      return backslashesBefore(text, at, from);
    }
    if (meaning === means.opens || meaning === means.bracket) {
      if (way === 'hint') return -1;
      opened += 1;
    } else if (meaning === means.closes) {
      if (opened === 0) return at;
      opened -= 1;
    } else if (meaning === means.parts) {
      // A sign inside of a password stays in it; one before a blank or before another name ends it.
      const isLast = at + 1 >= text.length || /\s/.test(text[at + 1] ?? '');
      if (isLast || code === 38 || behind(nextField, text, at + 1) !== -1) return at;
    } else if (way === 'column' || at > from) {
      return backslashesBefore(text, at, from);
    }
  }
  return text.length;
}

/** A quote with backslashes in front of it ends the value before them. */
function backslashesBefore(text: string, at: number, from: number): number {
  let end = at;
  while (end > from && text[end - 1] === '\\') end -= 1;
  return end;
}

/**
 * Behind the bracket that closes the one at `start`; quotes are not looked into, a list cut short ends with
 * the text.
 */
function bracketEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      depth += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}
