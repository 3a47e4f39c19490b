// A name in a text, and whether what stands behind it is no value at all: the name of a place in a program,
// or the end of the literal that it stands in. What a value looks like is judged in judgement.ts.
import { isBlank } from '../kinds/patterns.ts';
import type { Follower } from './forms.ts';
import { isInBrackets, isInQuotes, isOpen, type Surroundings } from './surroundings.ts';

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

/** As much of the text before a place. */
export function textBefore(text: string, at: number, charsMax: number): string {
  return text.slice(Math.max(0, at - charsMax), at);
}

/** Whether a place of source code stands in a comment. */
export function isComment(text: string, at: number): boolean {
  return /(?:^|\n)\s*(?:#|\/\/|\/?\*|--|;|<!--)[^\n]*$/.test(textBefore(text, at, 256));
}
