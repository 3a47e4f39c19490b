// A name in a text, and whether what stands behind it is no value at all: the name of a place in a program,
// or the end of the literal that it stands in. What a value looks like is judged in judgement.ts.
import { classesOf, isBlank, textBefore } from '../table/patterns.ts';
import type { Follower } from './forms.ts';

/** A name and where it stands in the text. */
export interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The text that it stands in, in full, and what stands in front of a place there. */
  readonly around: Surroundings;
}

/** Whether what stands behind the name is no value of it at all, whatever it looks like. */
export function isElsewhere(text: string, name: Name, follower: Follower): boolean {
  return isPlace(text, name, follower) || endsLiteral(text, name, follower);
}

/**
 * `auth.ts:10:5`, `PasswordTest::reset`, `/run/secrets/db: no such file`: a place in a program, and no name
 * of a value.
 */
function isPlace(text: string, name: Name, follower: Follower): boolean {
  if (follower.isQuotedName || (follower.way !== 'glued' && follower.way !== 'colon')) return false;
  const before = text[name.start - 1];
  if (before === ':' && text[name.start - 2] === ':') return true;
  const value = text.slice(follower.start, follower.start + 40);
  if ((before === '/' || before === '\\') && /^(?:[A-Za-z][a-z']*|\d{1,7})(?![\w/])/.test(value)) return true;
  if (follower.way !== 'glued') return false;
  if (/^\d{1,7}(?::\d{1,7})?(?![\w])/.test(value) && /\.[a-z]{1,5}$/i.test(name.text)) return true;
  // `php artisan password:reset`, `session:clear`: a command or an event, unless it stands in a dump in
  // brackets.
  const isWord = /^[a-z][a-z_-]*(?![\w@#$%^&*+=~!])/.test(value);
  return isWord && !isInBrackets(name.around, name.start);
}

/** `'has credentials: ' + …`: the quote behind the name ends the literal that the name stands in. */
function endsLiteral(text: string, name: Name, follower: Follower): boolean {
  const quote = text[follower.start] ?? '';
  const next = text[follower.start + 1] ?? ' ';
  if (follower.isQuotedName || !isQuote(quote)) return false;
  // Ruby names a method so: in `password=': …
  if (quote === "'" && text[name.start - 1] === '`' && text[follower.start - 1] === '=') return true;
  // `'data-nonce="' . …`: the attribute that begins here is written by what comes next.
  if (isQuote(next) && next !== '`' && next !== quote && isOpen(name.around, name.start, next)) return true;
  return (';,)]}+.'.includes(next) || isBlank(next.charCodeAt(0))) && isOpen(name.around, name.start, quote);
}

function isQuote(sign: string): boolean {
  return sign === '"' || sign === "'" || sign === '`';
}

/**
 * Whether a name and its value stand in one literal of source code, as they stand in text: `"user=ann
 * password=…"`, `"?api_key=…"`, `"dump --token …"`, `'X-Api-Key: …'`.
 */
export function isWithinLiteral(text: string, name: Name, follower: Follower): boolean {
  const { around, start } = name;
  if (follower.isQuotedName || (!isInQuotes(around, start) && !isOpen(around, start, '`'))) return false;
  if (filledIn.test(text.slice(follower.start, follower.start + 2))) return false;
  if (follower.way === 'option') return true;
  if (follower.way === 'sign') {
    return /^(?:=|(?:%(?:25){0,3}3[Dd]))$/.test(text.slice(name.end, follower.start));
  }
  // A header is all that its literal holds.
  if (follower.way !== 'colon' || !/[a-z]-[a-z]/i.test(name.text)) return false;
  const quote = text[start - 1] ?? '';
  const end = text.indexOf(quote, follower.start);
  return isQuote(quote) && end !== -1 && !/[\s{}$%]/.test(text.slice(follower.start, end));
}

/** What is put into a literal: `{user!r}`, `${token}`, `#{key}`, `$secret`, `\(token)`. */
const filledIn = /^(?:[$#]?\{|\$[A-Za-z_(]|\\\()/;

/** Whether a place of source code stands in a comment. */
export function isComment(text: string, at: number): boolean {
  return /(?:^|\n)\s*(?:#|\/\/|\/?\*|--|;|<!--)[^\n]*$/.test(textBefore(text, at, 256));
}

// What stands in front of a place. A text that is nothing but names is asked for each of them, so each
// character is looked at once and not again for each.

/** How far back an opened quote or bracket is looked for. */
const quoteCharsMax = 256;
const bracketCharsMax = 200;

/** A text that is read from its beginning to its end, and what was seen of it so far. */
export interface Surroundings {
  readonly text: string;
  /** The text was read up to here. */
  at: number;
  /** Quotes are counted from here: the beginning of the line, or as far back as they are looked for. */
  from: number;
  lineStart: number;
  lastBracket: number;
  doubles: number;
  singles: number;
  backticks: number;
}

/** Those of a text of which nothing was read yet. */
export function surroundingsOf(text: string): Surroundings {
  return { text, at: 0, from: 0, lineStart: 0, lastBracket: -1, doubles: 0, singles: 0, backticks: 0 };
}

/** Whether the quote stands an odd number of times before `at` on its line. */
function isOpen(around: Surroundings, at: number, quote: string): boolean {
  moveTo(around, at);
  const count = quote === '"' ? around.doubles : quote === "'" ? around.singles : around.backticks;
  return count % 2 === 1;
}

/** Whether a quote was opened on the line before `at` and not closed. */
export function isInQuotes(around: Surroundings, at: number): boolean {
  return isOpen(around, at, '"') || isOpen(around, at, "'");
}

/** Whether a bracket was opened before `at`, and none closed behind it. */
function isInBrackets(around: Surroundings, at: number): boolean {
  moveTo(around, at);
  const { lastBracket, text } = around;
  return (
    lastBracket >= 0 && lastBracket >= at - bracketCharsMax && '([{'.includes(text[lastBracket] as string)
  );
}

function moveTo(around: Surroundings, at: number): void {
  const { text } = around;
  if (at < around.at) Object.assign(around, { ...surroundingsOf(text), ...startBefore(text, at) });
  for (; around.at < at; around.at += 1) {
    const code = text.charCodeAt(around.at);
    if (code === 10) around.lineStart = around.at + 1;
    else if (isBracket[code] === 1) around.lastBracket = around.at;
    else count(around, code, 1);
  }
  const from = Math.max(around.lineStart, at - quoteCharsMax);
  for (; around.from < from; around.from += 1) count(around, text.charCodeAt(around.from), -1);
}

/** Where reading begins anew so that all is seen that is asked of `at`. */
function startBefore(text: string, at: number): Pick<Surroundings, 'at' | 'from' | 'lineStart'> {
  const start = Math.min(text.length, Math.max(0, at - quoteCharsMax));
  return { at: start, from: start, lineStart: start };
}

function count(around: Surroundings, code: number, by: number): void {
  if (code === 34) around.doubles += by;
  else if (code === 39) around.singles += by;
  else if (code === 96) around.backticks += by;
}

const isBracket = classesOf(/[()[\]{}]/);
