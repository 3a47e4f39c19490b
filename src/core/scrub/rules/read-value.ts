import {
  characterClasses,
  codedSign,
  endOfMatchAt,
  endOfQuotedText,
  joinPattern,
} from '../table/patterns.ts';
import type { SeparatorKind } from './separator-forms.ts';
import type { NameInText } from './text-context.ts';
import { indexOfPattern, readUnquotedValue, unquotedValue, type ValueInText } from './unquoted-values.ts';

const colours = /(?:\u001b?\[\d[\d;]{0,16}m)+/y;
const tags = /(?:!{1,2}(?:<[^>\s]{1,64}>|[\w:/.-]{0,64})[ \t]{1,8}|&\w{1,64}[ \t]{1,8}){1,3}/y;
const block = /[|>][+-]?\d?[ \t]{0,8}(?:#[^\n]{0,128})?\r?\n/y;
const dumped = /string\(\d{1,9}\)\s{1,4}/y;
const wrapper = /(?:new )?([A-Za-z_$][\w$.:!]{0,64}|\[\]\w{1,16})?\(\s{0,4}(?=[bBuUrRN@]{0,2}\\{0,15}["'`])/y;
/** Wrappers in dumps: `Optional[…]`, `Just …`, `<<"…">>`, R's `chr "…"`. */
const shown =
  /(?:Optional(?:\.of)?|Some|Just|Right|Ok|Secret\w{0,16})[([ ](?:\s{1,64}(?=["']))?|<<(?=")|chr (?=")/y;
const heredoc = /<<[<~-]?\s?(["']?)(\w{1,32})\1\r?\n/y;
const valueTag = /\s{0,32}<(?:\w{1,16}:)?(?:value|string|text|val|data|plain)>/iy;
const opening = joinPattern(
  'iy',
  '(b?r#{1,3}|[bBuUrRN@$f]{0,2})',
  String.raw`(\\{0,15}(?:"""|'''|["'${'`'}])|${codedSign}2[27]`,
  '|&(?:quot|apos|#0{0,4}3[49]|#x0{0,4}2[27]);|[“”„«‘])',
);
const cdata = /<!\[CDATA\[/y;

/** Null where there is none. With `literalsOnly` a value must be quoted, as in source code. */
export function readValue(
  text: string,
  at: number,
  kind: SeparatorKind,
  name: NameInText,
  literalsOnly: boolean,
): ValueInText | null {
  let from = text[at] === '\u001b' || text[at] === '[' ? skip(colours, text, at) : at;
  if (kind === 'element') return elementValue(text, from);
  if (kind === 'list') return unquotedValue(text, from, indexOfPattern(/[)\n]/g, text, from));
  if (kind === 'part') return unquotedValue(text, from, indexOfPattern(/(?:\r?\n|\\n)--|$/g, text, from));
  const first = text[from] ?? '';
  if (kind === 'colon' || kind === 'glued') {
    if ('!&'.includes(first)) from = skip(tags, text, from);
    if (kind === 'colon' && '|>'.includes(text[from] ?? 'x') && endOfMatchAt(block, text, from) !== -1) {
      return blockValue(text, from, name.start);
    }
  }
  if (text[from] === 's') from = skip(dumped, text, from);
  const long = text[from] === '<' ? heredocValue(text, from) : null;
  if (long !== null) return long;
  const wrapped = wrapperAt(text, from);
  if (wrapped !== null) from = wrapper.lastIndex;
  else if (mayBeShown(text, from)) from = skip(shown, text, from);
  const quoted = quotedValue(text, from, wrapped?.[1] ?? (wrapped === null ? '' : '('));
  if (quoted !== null || literalsOnly) return quoted;
  return readUnquotedValue(text, from, kind, name);
}

function wrapperAt(text: string, from: number): RegExpExecArray | null {
  if (text[from] !== '[') {
    let at = text.startsWith('new ', from) ? from + 4 : from;
    const stop = at + wrapperCharsMax;
    while (at < stop && wrapperCodes[text.charCodeAt(at)] === 1) at += 1;
    if (text[at] !== '(') return null;
  }
  wrapper.lastIndex = from;
  return wrapper.exec(text);
}

function mayBeShown(text: string, at: number): boolean {
  return 'OSJR<'.includes(text[at] ?? 'x') || text.startsWith('chr ', at);
}

const wrapperCharsMax = 66;

const wrapperCodes = characterClasses(/[\w$.:!]/);

function skip(pattern: RegExp, text: string, at: number): number {
  return Math.max(at, endOfMatchAt(pattern, text, at));
}

function heredocValue(text: string, from: number): ValueInText | null {
  heredoc.lastIndex = from;
  const word = heredoc.exec(text)?.[2];
  if (word === undefined) return null;
  const start = heredoc.lastIndex;
  const end = indexOfPattern(new RegExp(`\\r?\\n[ \\t]{0,64}${word}\\b`, 'g'), text, start);
  return { ...unquotedValue(text, start, end), isQuoted: true };
}

function quotedValue(text: string, from: number, wrapperName: string): ValueInText | null {
  if (!mayOpen(text.charCodeAt(from))) return null;
  opening.lastIndex = from;
  const match = opening.exec(text);
  if (match === null) return null;
  const quote = match[2] ?? '"';
  const start = from + (match[1] ?? '').length;
  const contentStart = start + quote.length;
  const end = quoteEnd(text, start, quote);
  const isClosed = text.endsWith(closingOf(quote), end) && end - contentStart >= quote.length;
  const contentEnd = isClosed ? end - quote.length : end;
  const content = text.slice(contentStart, contentEnd);
  return { start, end, contentStart, contentEnd, content, isQuoted: true, wrapper: wrapperName };
}

function mayOpen(code: number): boolean {
  return code > 127 || opens[code] === 1;
}

const opens = characterClasses(/[bBrRuUnNfF@$\\"'`%&]/);

const closings: Readonly<Record<string, string>> = { '“': '”', '„': '“', '«': '»', '‘': '’', '”': '”' };

function closingOf(quote: string): string {
  return quote.charCodeAt(0) < 128 ? quote : (closings[quote] ?? quote);
}

function quoteEnd(text: string, start: number, quote: string): number {
  const contentStart = start + quote.length;
  if (quote.startsWith('%') || quote.startsWith('&')) {
    const close = text.indexOf(quote, contentStart);
    const stop = indexOfPattern(/[\s"'<]/g, text, contentStart);
    return close === -1 || close > stop ? stop : close + quote.length;
  }
  const closing = closingOf(quote);
  if (closing !== quote || quote === '”') {
    const stop = indexOfPattern(/[“”»’\n]/g, text, contentStart);
    return text[stop] === '\n' ? stop : Math.min(stop + 1, text.length);
  }
  if (quote.endsWith('"""') || quote.endsWith("'''")) {
    const close = text.indexOf(quote, contentStart);
    return close === -1 ? text.length : close + quote.length;
  }
  return endOfQuotedText(text, start, quote);
}

/** Up to the next tag, or the content of CDATA. */
function elementValue(text: string, at: number): ValueInText | null {
  const contentStart = endOfMatchAt(cdata, text, skip(valueTag, text, at));
  if (contentStart !== -1)
    return unquotedValue(text, contentStart, indexOfPattern(/\]\]>|$/g, text, contentStart));
  const from = skip(valueTag, text, at);
  const start = from + (/^\s{0,32}/.exec(text.slice(from, from + 32))?.[0].length ?? 0);
  const end = indexOfPattern(/<|&lt;/g, text, start);
  return unquotedValue(text, start, start + text.slice(start, end).trimEnd().length);
}

/** YAML block: lines that are indented more than the line of the name. */
function blockValue(text: string, at: number, nameStart: number): ValueInText | null {
  const start = endOfMatchAt(block, text, at);
  const lineStart = text.lastIndexOf('\n', nameStart) + 1;
  const indent =
    /^[ \t-]{0,64}/.exec(text.slice(lineStart, Math.min(nameStart, lineStart + 64)))?.[0].length ?? 0;
  let end = start;
  while (end < text.length) {
    const lineEnd = indexOfPattern(/\n/g, text, end);
    const blanks = /^[ \t]{0,64}/.exec(text.slice(end, Math.min(end + 64, lineEnd)))?.[0].length ?? 0;
    if (blanks <= indent && text.slice(end, lineEnd).trim() !== '') break;
    end = Math.min(lineEnd + 1, text.length);
  }
  const first = start + (/^[ \t]{0,64}/.exec(text.slice(start, start + 64))?.[0].length ?? 0);
  return unquotedValue(text, first, Math.max(first, text[end - 1] === '\n' ? end - 1 : end));
}
