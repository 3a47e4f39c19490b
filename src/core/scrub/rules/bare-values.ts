// Values without quotes: a list in brackets, the rest of a header's line, or up to the sign that ends a
// field. Those in quotes and blocks are read by readers.ts.
import { behind, classesOf, isBlank, textBefore } from '../table/patterns.ts';
import type { Way } from './forms.ts';
import { isInQuotes, type Name } from './places.ts';

export interface Value {
  /** The value with its quotes. */
  readonly start: number;
  readonly end: number;
  /** The value without them. */
  readonly bareStart: number;
  readonly bareEnd: number;
  readonly bare: string;
  readonly isQuoted: boolean;
  /** The function that a literal is handed to: `SecretStr("…")`; empty where there is none. */
  readonly wrapper: string;
}

/** What stands between two places, without quotes. */
export function plain(text: string, start: number, end: number): Value {
  const bare = text.slice(start, end);
  return { start, end, bareStart: start, bareEnd: end, bare, isQuoted: false, wrapper: '' };
}

/** The place of the first match of a global pattern from a place on; the end of the text where none is. */
export function stopAt(stop: RegExp, text: string, from: number): number {
  stop.lastIndex = from;
  const match = stop.exec(text);
  return match === null ? text.length : match.index;
}

const wholeLine = /(?:cookie|authorization|authorisation|signature)2?$/i;
/** How long the names are that `credentials` knows. */
const bothLengths: ReadonlySet<number> = new Set([4, 5, 10, 11]);
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
export function bareValue(text: string, from: number, way: Way, name: Name): Value | null {
  const upTo = (end: number): Value => plain(text, from, end);
  if (text[from] === '{' || text[from] === '[') return upTo(bracketEnd(name.around.text, from, text.length));
  if (isBehindCode(text, from)) return upTo(stopAt(codedEnd, text, from));
  const isHeader =
    (way === 'colon' || way === 'glued') && endsWith(name, 'enEN2') && wholeLine.test(name.text);
  if (isHeader) return upTo(lineEndAt(text, from, name));
  if (endsWith(name, 'ecEC') && phrase.test(name.text)) return upTo(stopAt(phraseEnd, text, from));
  return fieldValue(text, from, way, name);
}

/** Whether the last letter of a name is one of these, and the name as long as a word that ends with them. */
function endsWith({ text }: Name, letters: string): boolean {
  return text.length >= 6 && letters.includes(text[text.length - 1] as string);
}

/** The end of the line, or of the literal where the name stands in one. */
function lineEndAt(text: string, from: number, name: Name): number {
  const end = stopAt(lineOrQuote, text, from);
  const isQuote = text[end] === '"' || text[end] === "'";
  return isQuote && !isInQuotes(name.around, name.start) ? stopAt(lineEnd, text, end) : end;
}

/** Up to the sign that ends a field; with the words that belong to it. */
function fieldValue(text: string, from: number, way: Way, name: Name): Value | null {
  const endFrom = (begin: number): number => bareEnd(text, name.around.text, begin, way);
  const upTo = (begin: number, end: number): Value | null => (end === -1 ? null : plain(text, begin, end));
  const stop = endFrom(from);
  if (stop === -1) return null;
  const fragment = isInQuery(text, name.start) ? text.slice(from, stop).indexOf('#') : -1;
  const end = fragment === -1 ? stop : from + fragment;
  // `creds = ann / hunter2`.
  const mayBeBoth = bothLengths.has(name.text.length) && credentials.test(name.text);
  const both = mayBeBoth ? /^ {0,2}[/:] {0,2}(?=[^\s/])/.exec(text.slice(end, end + 6)) : null;
  if (both !== null) return upTo(from, endFrom(end + both[0].length));
  const mayBeScheme = end - from >= 4 && end - from <= 9 && 'rctneyRCTNEY'.includes(text[end - 1] ?? '?');
  if (!mayBeScheme || !schemeWord.test(text.slice(from, end))) return plain(text, from, end);
  // "token: Bearer abc": the word behind belongs to it.
  const gap = /^[ \t]{1,4}(?=[\w+/=.~-]{4})/.exec(text.slice(end, end + 8))?.[0].length ?? 0;
  return gap === 0 ? plain(text, from, end) : upTo(end + gap, endFrom(end + gap));
}

/** Whether `=` or `:` as URLs write it stands before `at`, with blanks between at most. */
function isBehindCode(text: string, at: number): boolean {
  for (let from = at - 1; from >= at - codedCharsMax; from -= 1) {
    const code = text.charCodeAt(from);
    if (code === 37) return codedAssign.test(textBefore(text, at, codedCharsMax));
    if (!'0235 +ADad'.includes(text[from] ?? '?')) return false;
  }
  return false;
}

const codedCharsMax = 24;
const codedEnd = /%(?:25){0,3}(?:22|27|26|2C|7D|3B|0A|0D)|[\s&"'<>]/gi;
const codedAssign = /%(?:25){0,3}3[AD](?:[+ ]|%(?:25){0,3}20){0,4}$/i;

/** `?name=` and `&name=`: a value there ends before the part of the address behind "#". */
function isInQuery(text: string, nameStart: number): boolean {
  const before = text[nameStart - 1];
  return before === '?' || before === '&';
}

const colour = /\[\d{1,3}(?:;\d{1,3}){0,4}m/y;
const nextField = /(?:amp;)?[\w.%[\]-]{0,64}(?:[=:]|$)/y;

/** What a sign means in a value without quotes. */
const means = { ends: 1, opens: 2, bracket: 3, closes: 4, parts: 5, pipe: 6 } as const;
const meanings = classesOf(/["'<>`\u001b\s]/, /[({]/, /\[/, /[)\]}]/, /[&;,]/, /\|/);

/**
 * The end of a value: a blank, a quote, a colour of a terminal, a bracket that was not opened in it, or a
 * sign with the next field behind it. -1 for a hint with a bracket in it: no such value looks made by a
 * machine, so that it need not be read to its end (in `auth(auth(auth(…` that is the end of the text, for
 * each name). `whole` is the text before it was cut.
 */
function bareEnd(text: string, whole: string, from: number, way: Way): number {
  let opened = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = whole.charCodeAt(at);
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
function bracketEnd(text: string, start: number, stop: number): number {
  let depth = 0;
  for (let at = start; at < stop; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) {
      depth += 1;
    } else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return stop;
}
