// Whether a name is in quotes, brackets or a comment, or is a location. is-secret-value.ts judges the values.
import { characterClasses, isBlank, textBefore } from '../table/patterns.ts';
import type { Separator } from './separator-forms.ts';

export interface NameInText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly around: TextScan;
}

/** Whether the text after the name cannot be its value. */
export function isNotAValue(text: string, name: NameInText, follower: Separator): boolean {
  return isLocation(text, name, follower) || endsLiteral(text, name, follower);
}

/** A location or a scope: `auth.ts:10:5`, `PasswordTest::reset`, `/run/secrets/db: no such file`. */
function isLocation(text: string, name: NameInText, follower: Separator): boolean {
  if (follower.isQuotedName || (follower.way !== 'glued' && follower.way !== 'colon')) return false;
  const before = text[name.start - 1];
  if (before === ':' && text[name.start - 2] === ':') return true;
  const value = text.slice(follower.start, follower.start + 40);
  if ((before === '/' || before === '\\') && /^(?:[A-Za-z][a-z']*|\d{1,7})(?![\w/])/.test(value)) return true;
  if (follower.way !== 'glued') return false;
  if (/^\d{1,7}(?::\d{1,7})?(?![\w])/.test(value) && /\.[a-z]{1,5}$/i.test(name.text)) return true;
  // `php artisan password:reset`, `session:clear`: a command or an event, unless inside brackets.
  const isWord = /^[a-z][a-z_-]*(?![\w@#$%^&*+=~!])/.test(value);
  return isWord && !isInBrackets(name.around, name.start);
}

/** `'has credentials: ' + …`: the quote ends the literal that has the name. */
function endsLiteral(text: string, name: NameInText, follower: Separator): boolean {
  const quote = text[follower.start] ?? '';
  const next = text[follower.start + 1] ?? ' ';
  if (follower.isQuotedName || !isQuote(quote)) return false;
  // A method name in Ruby: in `password=': …
  if (quote === "'" && text[name.start - 1] === '`' && text[follower.start - 1] === '=') return true;
  // `'data-nonce="' . …`: the attribute value is added by the code that follows.
  if (isQuote(next) && next !== '`' && next !== quote && isOpen(name.around, name.start, next)) return true;
  return (';,)]}+.'.includes(next) || isBlank(next.charCodeAt(0))) && isOpen(name.around, name.start, quote);
}

function isQuote(sign: string): boolean {
  return sign === '"' || sign === "'" || sign === '`';
}

/** As in text: `"user=ann password=…"`, `"?api_key=…"`, `"dump --token …"`. */
export function isWithinLiteral(text: string, name: NameInText, follower: Separator): boolean {
  const { around, start } = name;
  if (follower.isQuotedName || (!isInQuotes(around, start) && !isOpen(around, start, '`'))) return false;
  if (filledIn.test(text.slice(follower.start, follower.start + 2))) return false;
  if (follower.way === 'option') return true;
  if (follower.way === 'sign') {
    return /^(?:=|(?:%(?:25){0,3}3[Dd]))$/.test(text.slice(name.end, follower.start));
  }
  // A header must fill its literal.
  if (follower.way !== 'colon' || !/[a-z]-[a-z]/i.test(name.text)) return false;
  const quote = text[start - 1] ?? '';
  const end = text.indexOf(quote, follower.start);
  return isQuote(quote) && end !== -1 && !/[\s{}$%]/.test(text.slice(follower.start, end));
}

/** Interpolation: `{user!r}`, `${token}`, `#{key}`, `$secret`, `\(token)`. */
const filledIn = /^(?:[$#]?\{|\$[A-Za-z_(]|\\\()/;

export function isComment(text: string, at: number): boolean {
  return /(?:^|\n)\s*(?:#|\/\/|\/?\*|--|;|<!--)[^\n]*$/.test(textBefore(text, at, 256));
}

// A scan that reads each character once, even if every word of a text is a name.

const quoteCharsMax = 256;
const bracketCharsMax = 200;

export interface TextScan {
  readonly text: string;
  at: number;
  /** Quotes are counted from here: the start of the line, at most `quoteCharsMax` back. */
  from: number;
  lineStart: number;
  lastBracket: number;
  doubles: number;
  singles: number;
  backticks: number;
}

export function scanText(text: string): TextScan {
  return { text, at: 0, from: 0, lineStart: 0, lastBracket: -1, doubles: 0, singles: 0, backticks: 0 };
}

function isOpen(around: TextScan, at: number, quote: string): boolean {
  moveTo(around, at);
  const count = quote === '"' ? around.doubles : quote === "'" ? around.singles : around.backticks;
  return count % 2 === 1;
}

export function isInQuotes(around: TextScan, at: number): boolean {
  return isOpen(around, at, '"') || isOpen(around, at, "'");
}

function isInBrackets(around: TextScan, at: number): boolean {
  moveTo(around, at);
  const { lastBracket, text } = around;
  return (
    lastBracket >= 0 && lastBracket >= at - bracketCharsMax && '([{'.includes(text[lastBracket] as string)
  );
}

function moveTo(around: TextScan, at: number): void {
  const { text } = around;
  if (at < around.at) Object.assign(around, { ...scanText(text), ...startBefore(text, at) });
  for (; around.at < at; around.at += 1) {
    const code = text.charCodeAt(around.at);
    if (code === 10) around.lineStart = around.at + 1;
    else if (isBracket[code] === 1) around.lastBracket = around.at;
    else count(around, code, 1);
  }
  const from = Math.max(around.lineStart, at - quoteCharsMax);
  for (; around.from < from; around.from += 1) count(around, text.charCodeAt(around.from), -1);
}

function startBefore(text: string, at: number): Pick<TextScan, 'at' | 'from' | 'lineStart'> {
  const start = Math.min(text.length, Math.max(0, at - quoteCharsMax));
  return { at: start, from: start, lineStart: start };
}

function count(around: TextScan, code: number, by: number): void {
  if (code === 34) around.doubles += by;
  else if (code === 39) around.singles += by;
  else if (code === 96) around.backticks += by;
}

const isBracket = characterClasses(/[()[\]{}]/);
