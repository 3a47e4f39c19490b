// Where a secret's value begins and ends once its name was found: in quotes of any depth, in brackets, in a
// block, on a line.
import { codedSign, patternOf } from './patterns.ts';
import { behind, type Way } from './separators.ts';

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

const colours = /(?:\u001b?\[\d[\d;]{0,16}m)+/y;
/** YAML's tags and anchors. */
const tags = /(?:!{1,2}(?:<[^>\s]{1,64}>|[\w:/.-]{0,64})[ \t]{1,8}|&\w{1,64}[ \t]{1,8}){1,3}/y;
const block = /[|>][+-]?\d?[ \t]{0,8}(?:#[^\n]{0,128})?\r?\n/y;
const dumped = /string\(\d{1,9}\)\s{1,4}/y;
const wrapper = /(?:new )?([A-Za-z_$][\w$.:!]{0,64}|\[\]\w{1,16})?\(\s{0,4}(?=[bBuUrRN@]{0,2}\\{0,15}["'`])/y;
/** `Optional[…]`, `Just …`, `<<"…">>`, R's `chr "…"`: what a dump shows around a value. */
const shown =
  /(?:Optional(?:\.of)?|Some|Just|Right|Ok|Secret\w{0,16})[([ ](?:\s{1,64}(?=["']))?|<<(?=")|chr (?=")/y;
/** 2: the word that ends a literal of several lines. */
const heredoc = /<<[<~-]?\s?(["']?)(\w{1,32})\1\r?\n/y;
/** What stands between the element of a secret and its text. */
const valueTag = /\s{0,32}<(?:\w{1,16}:)?(?:value|string|text|val|data|plain)>/iy;
/** 1: what languages write in front of a literal, 2: the quote, with its backslashes or in its code. */
const opening = patternOf(
  'iy',
  '(b?r#{1,3}|[bBuUrRN@$f]{0,2})',
  String.raw`(\\{0,15}(?:"""|'''|["'${'`'}])|${codedSign}2[27]`,
  '|&(?:quot|apos|#0{0,4}3[49]|#x0{0,4}2[27]);|[“”„«‘])',
);
const cdata = /<!\[CDATA\[/y;

/**
 * The value that begins at `at`, or null where none does. With `literalsOnly` a value must stand in quotes,
 * as in lines of source code.
 */
export function valueAt(
  text: string,
  at: number,
  way: Way,
  name: string,
  nameStart: number,
  literalsOnly: boolean,
): Value | null {
  let from = text[at] === '\u001b' || text[at] === '[' ? skip(colours, text, at) : at;
  if (way === 'element') return elementValue(text, from);
  if (way === 'list') return plain(text, from, stopAt(/[)\n]/g, text, from));
  if (way === 'part') return plain(text, from, stopAt(/(?:\r?\n|\\n)--|$/g, text, from));
  if (way === 'colon' || way === 'glued') from = skip(tags, text, from);
  if (way === 'colon' && behind(block, text, from) !== -1) return blockValue(text, from, nameStart);
  if (text[from] === 's') from = skip(dumped, text, from);
  const long = text[from] === '<' ? heredocValue(text, from) : null;
  if (long !== null) return long;
  wrapper.lastIndex = from;
  const wrapped = wrapper.exec(text);
  if (wrapped !== null) from = wrapper.lastIndex;
  if (wrapped === null) from = skip(shown, text, from);
  const quoted = quotedValue(text, from, wrapped?.[1] ?? (wrapped === null ? '' : '('));
  if (quoted !== null || literalsOnly) return quoted;
  return bareValue(text, from, way, { name, start: nameStart });
}

function skip(pattern: RegExp, text: string, at: number): number {
  return Math.max(at, behind(pattern, text, at));
}

function plain(text: string, start: number, end: number): Value {
  const bare = text.slice(start, end);
  return { start, end, bareStart: start, bareEnd: end, bare, isQuoted: false, wrapper: '' };
}

/** `<<<EOT` and the lines up to the one that says so again. */
function heredocValue(text: string, from: number): Value | null {
  heredoc.lastIndex = from;
  const word = heredoc.exec(text)?.[2];
  if (word === undefined) return null;
  const start = heredoc.lastIndex;
  const end = stopAt(new RegExp(`\\r?\\n[ \\t]{0,64}${word}\\b`, 'g'), text, start);
  return { ...plain(text, start, end), isQuoted: true };
}

/** A literal in quotes; null where no quote stands. */
function quotedValue(text: string, from: number, wrapperName: string): Value | null {
  opening.lastIndex = from;
  const match = opening.exec(text);
  if (match === null) return null;
  const quote = match[2] ?? '"';
  const start = from + (match[1] ?? '').length;
  const bareStart = start + quote.length;
  const end = quoteEnd(text, start, quote);
  const isClosed = text.endsWith(closingOf(quote), end) && end - bareStart >= quote.length;
  const bareEnd = isClosed ? end - quote.length : end;
  const bare = text.slice(bareStart, bareEnd);
  return { start, end, bareStart, bareEnd, bare, isQuoted: true, wrapper: wrapperName };
}

function closingOf(quote: string): string {
  return { '“': '”', '„': '“', '«': '»', '‘': '’', '”': '”' }[quote] ?? quote;
}

function quoteEnd(text: string, start: number, quote: string): number {
  const inside = start + quote.length;
  if (/^[%&]/.test(quote)) {
    const close = text.indexOf(quote, inside);
    const stop = stopAt(/[\s"'<]/g, text, inside);
    return close === -1 || close > stop ? stop : close + quote.length;
  }
  const closing = closingOf(quote);
  if (closing !== quote || quote === '”') {
    const stop = stopAt(/[“”»’\n]/g, text, inside);
    return text[stop] === '\n' ? stop : Math.min(stop + 1, text.length);
  }
  if (quote.endsWith('"""') || quote.endsWith("'''")) {
    const close = text.indexOf(quote, inside);
    return close === -1 ? text.length : close + quote.length;
  }
  return quotedEnd(text, start, quote);
}

/** The same quote, with as many backslashes in front of it; the end of the text where it is missing. */
export function quotedEnd(text: string, start: number, quote: string): number {
  const mark = quote.at(-1) ?? '"';
  const depth = quote.length - 1;
  for (let at = text.indexOf(mark, start + quote.length); at !== -1; at = text.indexOf(mark, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\' && backslashes < 16) backslashes += 1;
    if (depth === 0 ? backslashes % 2 === 0 : backslashes <= depth) return at + 1;
  }
  return text.length;
}

/** What stands up to the next tag, or inside of CDATA. */
function elementValue(text: string, at: number): Value | null {
  const inside = behind(cdata, text, skip(valueTag, text, at));
  if (inside !== -1) return plain(text, inside, stopAt(/\]\]>|$/g, text, inside));
  const from = skip(valueTag, text, at);
  const start = from + (/^\s{0,32}/.exec(text.slice(from, from + 32))?.[0].length ?? 0);
  const end = stopAt(/<|&lt;/g, text, start);
  return plain(text, start, start + text.slice(start, end).trimEnd().length);
}

/** YAML's block: the lines that stand further in than the line of the name. */
function blockValue(text: string, at: number, nameStart: number): Value | null {
  const start = behind(block, text, at);
  const lineStart = text.lastIndexOf('\n', nameStart) + 1;
  const indent =
    /^[ \t-]{0,64}/.exec(text.slice(lineStart, Math.min(nameStart, lineStart + 64)))?.[0].length ?? 0;
  let end = start;
  while (end < text.length) {
    const lineEnd = stopAt(/\n/g, text, end);
    const blanks = /^[ \t]{0,64}/.exec(text.slice(end, Math.min(end + 64, lineEnd)))?.[0].length ?? 0;
    if (blanks <= indent && text.slice(end, lineEnd).trim() !== '') break;
    end = Math.min(lineEnd + 1, text.length);
  }
  const first = start + (/^[ \t]{0,64}/.exec(text.slice(start, start + 64))?.[0].length ?? 0);
  return plain(text, first, Math.max(first, text[end - 1] === '\n' ? end - 1 : end));
}

const wholeLine = /(?:cookie|authorization|authorisation|signature)2?$/i;
const credentials = /^(?:creds?|credentials?|pass)$/i;
const phrase = /(?:phrase|mnemonic)$/i;
const schemeWord = /^(?:bearer|basic|digest|token|negotiate|apikey|hmac)$/i;

/**
 * A value without quotes: a list in brackets, the rest of a header's line, or up to the sign that ends a
 * field.
 */
function bareValue(
  text: string,
  from: number,
  way: Way,
  { name, start }: { name: string; start: number },
): Value | null {
  const first = text[from];
  if (first === '{' || first === '[') return plain(text, from, bracketEnd(text, from));
  if (/%(?:25){0,3}3[AD](?:[+ ]|%(?:25){0,3}20){0,4}$/i.test(text.slice(Math.max(0, from - 24), from))) {
    return plain(text, from, stopAt(/%(?:25){0,3}(?:22|27|26|2C|7D|3B|0A|0D)|[\s&"'<>]/gi, text, from));
  }
  if (wholeLine.test(name) && (way === 'colon' || way === 'glued')) {
    return plain(
      text,
      from,
      stopAt(isInQuotes(text, start) ? /[\r\n"']|\\[rn]/g : /[\r\n]|\\[rn]/g, text, from),
    );
  }
  if (phrase.test(name)) return plain(text, from, stopAt(/[\r\n"'<>,;]/g, text, from));
  const upTo = (begin: number, end: number): Value | null => (end === -1 ? null : plain(text, begin, end));
  const whole = bareEnd(text, from, way);
  if (whole === -1) return null;
  const fragment = isInQuery(text, start) ? text.slice(from, whole).indexOf('#') : -1;
  const end = fragment === -1 ? whole : from + fragment;
  // `creds = ann / hunter2`.
  const both = credentials.test(name) ? /^ {0,2}[/:] {0,2}(?=[^\s/])/.exec(text.slice(end, end + 6)) : null;
  if (both !== null) return upTo(from, bareEnd(text, end + both[0].length, way));
  if (!schemeWord.test(text.slice(from, end))) return plain(text, from, end);
  // "token: Bearer abc": the word behind belongs to it.
  const gap = /^[ \t]{1,4}(?=[\w+/=.~-]{4})/.exec(text.slice(end, end + 8))?.[0].length ?? 0;
  return gap === 0 ? plain(text, from, end) : upTo(end + gap, bareEnd(text, end + gap, way));
}

/** `?name=` and `&name=`: a value there ends before the part of the address behind "#". */
function isInQuery(text: string, nameStart: number): boolean {
  const before = text[nameStart - 1];
  return before === '?' || before === '&';
}

/** Whether a quote was opened on the line before `at` and not closed. */
function isInQuotes(text: string, at: number): boolean {
  const line =
    text
      .slice(Math.max(0, at - 256), at)
      .split('\n')
      .at(-1) ?? '';
  return line.split('"').length % 2 === 0 || line.split("'").length % 2 === 0;
}

const bareStop = /[\s"'<>`\u001b&;,|)\]}]|\[\d{1,3}(?:;\d{1,3}){0,4}m/g;
/** The same, and every bracket that opens. */
const hintStop = new RegExp(`${bareStop.source}|[([{]`, 'g');
const openBracket = /(?!\[\d{1,3}(?:;\d{1,3}){0,4}m)[([{]/y;
const nextField = /(?:amp;)?[\w.%[\]-]{0,64}(?:[=:]|$)/y;

/**
 * The end of a value: a blank, a quote, a bracket that was not opened in it, or a sign with the next field
 * behind it. -1 for a hint with a bracket in it: no such value looks made by a machine, so that it need not
 * be read to its end (in `auth(auth(auth(…` that is the end of the text, for each name).
 */
function bareEnd(text: string, from: number, way: Way): number {
  const stop = way === 'hint' ? hintStop : bareStop;
  let opened = 0;
  let seen = from;
  for (let at = stopAt(stop, text, from); at < text.length; at = stopAt(stop, text, at + 1)) {
    for (; seen < at; seen += 1) if ('([{'.includes(text[seen] ?? '')) opened += 1;
    const char = text[at] ?? '';
    if (way === 'hint' && behind(openBracket, text, at) !== -1) return -1;
    if (')]}'.includes(char)) {
      if (opened === 0) return at;
      opened -= 1;
    } else if (char === '&' || char === ';' || char === ',') {
      // A sign inside of a password stays in it; one before a blank or before another name ends it.
      const isLast = at + 1 >= text.length || /\s/.test(text[at + 1] ?? '');
      if (isLast || char === '&' || behind(nextField, text, at + 1) !== -1) return at;
    } else if (char !== '|' || way === 'column' || at > from) {
      return backslashesBefore(text, at, from);
    }
    seen = at + 1;
  }
  return text.length;
}

/** A quote with backslashes in front of it ends the value before them. */
function backslashesBefore(text: string, at: number, from: number): number {
  let end = at;
  while (end > from && text[end - 1] === '\\') end -= 1;
  return end;
}

function stopAt(stop: RegExp, text: string, from: number): number {
  stop.lastIndex = from;
  const match = stop.exec(text);
  return match === null ? text.length : match.index;
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
