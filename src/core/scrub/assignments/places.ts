// A name in a text, and whether what stands behind it is no value at all: the name of a place in a program,
// or the end of the literal that it stands in. What a value looks like is judged in judgement.ts.
import { isBlank } from '../kinds/patterns.ts';
import type { Follower } from './forms.ts';

/** A name and where it stands in the text. */
export interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
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
  return isWord && !isInBrackets(text, name.start);
}

/** Whether a bracket was opened before `at`, and none closed behind it. */
function isInBrackets(text: string, at: number): boolean {
  for (let from = at - 1; from >= 0 && from >= at - 200; from -= 1) {
    const code = text.charCodeAt(from);
    if (code === 40 || code === 91 || code === 123) return true;
    if (code === 41 || code === 93 || code === 125) return false;
  }
  return false;
}

/** `'has credentials: ' + …`: the quote behind the name ends the literal that the name stands in. */
function endsLiteral(text: string, name: Name, follower: Follower): boolean {
  const quote = text[follower.start] ?? '';
  const next = text[follower.start + 1] ?? ' ';
  if (follower.isQuotedName || !isQuote(quote)) return false;
  // Ruby names a method so: in `password=': …
  if (quote === "'" && text[name.start - 1] === '`' && text[follower.start - 1] === '=') return true;
  // `'data-nonce="' . …`: the attribute that begins here is written by what comes next.
  if (isQuote(next) && next !== '`' && next !== quote && isOpen(text, name.start, next)) return true;
  return (';,)]}+.'.includes(next) || isBlank(next.charCodeAt(0))) && isOpen(text, name.start, quote);
}

function isQuote(sign: string): boolean {
  return sign === '"' || sign === "'" || sign === '`';
}

/** Whether the quote stands an odd number of times before `at` on its line. */
function isOpen(text: string, at: number, quote: string): boolean {
  const mark = quote.charCodeAt(0);
  let count = 0;
  for (let from = at - 1; from >= 0 && from >= at - 256; from -= 1) {
    const code = text.charCodeAt(from);
    if (code === 10) break;
    if (code === mark) count += 1;
  }
  return count % 2 === 1;
}

export function textBefore(text: string, at: number, charsMax: number): string {
  return text.slice(Math.max(0, at - charsMax), at);
}

/** Whether a place of source code stands in a comment. */
export function isComment(text: string, at: number): boolean {
  return /(?:^|\n)\s*(?:#|\/\/|\/?\*|--|;|<!--)[^\n]*$/.test(textBefore(text, at, 256));
}
