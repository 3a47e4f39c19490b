// `name=value`, `name: value`, `"name":"value"`, `--name value`, `<name>value</name>`: a secret told by the name in front of it,
// in query strings, form bodies, JSON cut short, headers, dumps and log lines. One pass; each value is skipped once.
import { type ExtraFields, judgeKey } from './scrub-keys.ts';

const filtered = '[Filtered]';
const assignment =
  /(?<![\w.-])([\w.-]+)((?:\\{0,4}["'\]]|%22|%27|%5D|&quot;){0,3}\s{0,4}(?:=>|:=|[:=]|%3A|%3D)\s{0,4}|\\{0,4}["']\s{0,2},\s{0,2}(?=\\{0,4}["'])|["']?\r?\n\r?\n)|(?<![\w-])(--?[A-Za-z][\w-]*)(\s+)(?=[^\s-])|<([\w.:-]{1,128})(?:\s[^<>]{0,256})?>(?=[^<\s])/gi;

/** `quotedOnly` is for lines of source code, where only literals can be secrets. */
export function scrubAssignments(
  text: string,
  extra: ExtraFields,
  quotedOnly: boolean,
  hit: () => void,
): string {
  if (!/[:=,>\n]|%3[AaDd]|--/.test(text)) return text;
  assignment.lastIndex = 0;
  let clean = '';
  let position = 0;
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const name = match[1] ?? match[3] ?? match[5] ?? '';
    const verdict = judgeKey(name, extra);
    if (verdict !== 'secret' && verdict !== 'counted') continue;
    const start = assignment.lastIndex;
    const end = valueEnd(text, start, name, match[2] ?? '', match[5] !== undefined, quotedOnly);
    const value = text.slice(start, end);
    if (!isWorthHiding(value, verdict) || isParserTalk(text, match.index, name)) continue;
    hit();
    clean += text.slice(position, start) + inQuotes(value);
    position = end;
    assignment.lastIndex = Math.max(end, start);
  }
  return position === 0 ? text : clean + text.slice(position);
}

/** Nothing, a word for nothing, and what was filtered before stay; a number behind "tokens" counts something. */
function isWorthHiding(value: string, verdict: 'secret' | 'counted'): boolean {
  const bare = value.replace(/^[\\"'\s]+|[\\"'\s]+$/g, '');
  if (bare === '' || /^(?:null|none|nil|true|false|undefined|\[filtered\]?)$/i.test(bare)) return false;
  return verdict === 'secret' || !/^\d{1,9}$/.test(bare);
}

/** "Unexpected token: <" is a parser speaking, not a secret. */
function isParserTalk(text: string, at: number, name: string): boolean {
  return /^tokens?$/i.test(name) && /unexpected\s$/i.test(text.slice(Math.max(0, at - 16), at));
}

/** Keeps the quotes around what was filtered, so that JSON stays JSON. */
function inQuotes(value: string): string {
  const open = /^\\*["']/.exec(value)?.[0] ?? '';
  return open !== '' && value.length > open.length && value.endsWith(open)
    ? `${open}${filtered}${open}`
    : filtered;
}

const wholeLine = /(?:cookie|authorization|authorisation)2?$/i;
const schemeWord = /^(?:bearer|basic|digest|token|negotiate)$/i;

function valueEnd(
  text: string,
  start: number,
  name: string,
  separator: string,
  inMarkup: boolean,
  quotedOnly: boolean,
): number {
  if (inMarkup) return endBefore(text, start, /</g);
  const from = afterLength(text, start);
  const quote = /^\\{0,4}["']/.exec(text.slice(from, from + 5))?.[0];
  if (quote !== undefined) return quotedEnd(text, from, quote);
  if (quotedOnly) return start;
  const first = text[from];
  if (first === '{' || first === '[') return bracketEnd(text, from);
  if (separator.includes('%')) {
    const open = /^%2[27]/.test(text.slice(from, from + 3)) ? 3 : 0;
    return endBefore(text, from + open, /%22|%27|%26|%2C|%7D|[\s&"']/gi);
  }
  if (separator.includes('\n')) return endBefore(text, from, /\r?\n--|$/g);
  if (wholeLine.test(name) && separator.includes(':')) return endBefore(text, from, /[\r\n"']/g);
  const end = endBefore(text, from, /[\s&;"'<>,)\]}|]/g);
  if (!schemeWord.test(text.slice(from, end))) return end;
  // "token: Bearer abc": the word behind belongs to it.
  const gap = /^\s{1,4}/.exec(text.slice(end, end + 4))?.[0].length ?? 0;
  return endBefore(text, end + gap, /[\s&;"'<>,)\]}|]/g);
}

/** PHP dumps say `string(7) "hunter2"`. */
function afterLength(text: string, start: number): number {
  return start + (/^string\(\d{1,9}\)\s{1,4}/.exec(text.slice(start, start + 24))?.[0].length ?? 0);
}

function endBefore(text: string, start: number, stop: RegExp): number {
  stop.lastIndex = start;
  const match = stop.exec(text);
  return match === null ? text.length : match.index;
}

/** The same quote, with as many backslashes in front of it; the end of the text where it is missing. */
function quotedEnd(text: string, start: number, quote: string): number {
  const mark = quote.at(-1) ?? '"';
  const depth = quote.length - 1;
  for (let at = text.indexOf(mark, start + quote.length); at !== -1; at = text.indexOf(mark, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\' && backslashes < 16) backslashes += 1;
    if (depth === 0 ? backslashes % 2 === 0 : backslashes <= depth) return at + 1;
  }
  return text.length;
}

/** Behind the bracket that closes the one at `start`; quotes are not looked into, a list cut short ends with the text. */
function bracketEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}
