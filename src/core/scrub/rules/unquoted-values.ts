import { characterClasses, endOfMatchAt, isBlank, textBefore } from '../table/patterns.ts';
import type { SeparatorKind } from './separator-forms.ts';
import { isInQuotes, type NameInText } from './text-context.ts';

export interface ValueInText {
  readonly start: number;
  readonly end: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly content: string;
  readonly isQuoted: boolean;
  /** The function that a literal is passed to: `SecretStr("…")`; empty for none. */
  readonly wrapper: string;
}

export function unquotedValue(text: string, start: number, end: number): ValueInText {
  const content = text.slice(start, end);
  return { start, end, contentStart: start, contentEnd: end, content, isQuoted: false, wrapper: '' };
}

export function indexOfPattern(stop: RegExp, text: string, from: number): number {
  stop.lastIndex = from;
  const match = stop.exec(text);
  return match === null ? text.length : match.index;
}

const wholeLine = /(?:cookie|authorization|authorisation|signature)2?$/i;
const bothLengths: ReadonlySet<number> = new Set([4, 5, 10, 11]);
const credentials = /^(?:creds?|credentials?|pass)$/i;
const lineEnd = /[\r\n]|\\[rn]/g;
const lineOrQuote = /[\r\n"']|\\[rn]/g;
const phraseEnd = /[\r\n"'<>,;]/g;
const phrase = /(?:phrase|mnemonic)$/i;
const schemeWord = /^(?:bearer|basic|digest|token|negotiate|apikey|hmac)$/i;

/** A bracketed list, the rest of a header line, or up to the delimiter that ends a field. */
export function readUnquotedValue(
  text: string,
  from: number,
  kind: SeparatorKind,
  name: NameInText,
): ValueInText | null {
  const upTo = (end: number): ValueInText => unquotedValue(text, from, end);
  if (text[from] === '{' || text[from] === '[') return upTo(bracketEnd(name.around.text, from, text.length));
  if (isBehindCode(text, from)) return upTo(indexOfPattern(codedEnd, text, from));
  const isHeader =
    (kind === 'colon' || kind === 'glued') && endsWith(name, 'enEN2') && wholeLine.test(name.text);
  if (isHeader) return upTo(lineEndAt(text, from, name));
  if (endsWith(name, 'ecEC') && phrase.test(name.text)) return upTo(indexOfPattern(phraseEnd, text, from));
  return fieldValue(text, from, kind, name);
}

function endsWith({ text }: NameInText, letters: string): boolean {
  return text.length >= 6 && letters.includes(text[text.length - 1] as string);
}

function lineEndAt(text: string, from: number, name: NameInText): number {
  const end = indexOfPattern(lineOrQuote, text, from);
  const isQuote = text[end] === '"' || text[end] === "'";
  return isQuote && !isInQuotes(name.around, name.start) ? indexOfPattern(lineEnd, text, end) : end;
}

function fieldValue(text: string, from: number, kind: SeparatorKind, name: NameInText): ValueInText | null {
  const endFrom = (begin: number): number => unquotedEnd(text, name.around.text, begin, kind);
  const upTo = (begin: number, end: number): ValueInText | null =>
    end === -1 ? null : unquotedValue(text, begin, end);
  const stop = endFrom(from);
  if (stop === -1) return null;
  const fragment = isInQuery(text, name.start) ? text.slice(from, stop).indexOf('#') : -1;
  const end = fragment === -1 ? stop : from + fragment;
  // `creds = ann / hunter2`.
  const mayBeBoth = bothLengths.has(name.text.length) && credentials.test(name.text);
  const separator = mayBeBoth ? /^ {0,2}[/:] {0,2}(?=[^\s/])/.exec(text.slice(end, end + 6)) : null;
  if (separator !== null) return upTo(from, endFrom(end + separator[0].length));
  const mayBeScheme = end - from >= 4 && end - from <= 9 && 'rctneyRCTNEY'.includes(text[end - 1] ?? '?');
  if (!mayBeScheme || !schemeWord.test(text.slice(from, end))) return unquotedValue(text, from, end);
  // "token: Bearer abc": the next word belongs to the value.
  const gap = /^[ \t]{1,4}(?=[\w+/=.~-]{4})/.exec(text.slice(end, end + 8))?.[0].length ?? 0;
  return gap === 0 ? unquotedValue(text, from, end) : upTo(end + gap, endFrom(end + gap));
}

/** A percent-encoded `=` or `:` before `at`, with only spaces between. */
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

/** `?name=` and `&name=`: the value ends before "#". */
function isInQuery(text: string, nameStart: number): boolean {
  const before = text[nameStart - 1];
  return before === '?' || before === '&';
}

const colour = /\[\d{1,3}(?:;\d{1,3}){0,4}m/y;
const nextField = /(?:amp;)?[\w.%[\]-]{0,64}(?:[=:]|$)/y;

const charClass = { ends: 1, opens: 2, bracket: 3, closes: 4, parts: 5, pipe: 6 } as const;
const charClasses = characterClasses(/["'<>`\u001b\s]/, /[({]/, /\[/, /[)\]}]/, /[&;,]/, /\|/);

/** Ends at a space, quote, terminal colour, unopened closing bracket, or delimiter before another field. -1 for a hint
 * with a bracket: in `auth(auth(auth(…` reading on would be quadratic. `fullText` is the text before it was cut. */
function unquotedEnd(text: string, fullText: string, from: number, kind: SeparatorKind): number {
  let opened = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = fullText.charCodeAt(at);
    const meaning = code < 128 ? (charClasses[code] as number) : isBlank(code) ? charClass.ends : 0;
    if (meaning === 0) continue;
    if (
      meaning === charClass.ends ||
      (meaning === charClass.bracket && endOfMatchAt(colour, text, at) !== -1)
    ) {
      return backslashesBefore(text, at, from);
    }
    if (meaning === charClass.opens || meaning === charClass.bracket) {
      if (kind === 'hint') return -1;
      opened += 1;
    } else if (meaning === charClass.closes) {
      if (opened === 0) return at;
      opened -= 1;
    } else if (meaning === charClass.parts) {
      // A delimiter inside a password belongs to it, unless a space or another name follows.
      const isLast = at + 1 >= text.length || /\s/.test(text[at + 1] ?? '');
      if (isLast || code === 38 || endOfMatchAt(nextField, text, at + 1) !== -1) return at;
    } else if (kind === 'column' || at > from) {
      return backslashesBefore(text, at, from);
    }
  }
  return text.length;
}

function backslashesBefore(text: string, at: number, from: number): number {
  let end = at;
  while (end > from && text[end - 1] === '\\') end -= 1;
  return end;
}

/** Does not look into quotes. */
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
