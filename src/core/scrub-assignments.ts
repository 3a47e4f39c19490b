// `name=value`, `name: value`, `"name":"value"`, `--name value`, `<name>value</name>`: a secret told by the name in front of it,
// in query strings, form bodies, JSON cut short, headers, dumps and log lines. One pass; each value is skipped once.
import { type ExtraFields, judgeKey } from './scrub-keys.ts';

const filtered = '[Filtered]';
const assignment =
  /(?<![\w.-])([\w.-]+)((?:\\{0,4}["'\]]|%22|%27|%5D|&quot;){0,3}\s{0,4}(?:=>|:=|[:=]|%(?:25){0,3}3[AD])\s{0,4}|\\{0,4}["']\s{0,2},\s{0,16}(?=\\{0,4}["'])|["']?\r?\n\r?\n)|(?<![\w-])(--?[A-Za-z][\w-]*)(\s+)(?=[^\s-])|(?:<|&lt;)([\w.:-]{1,128})(?:\s[^<>]{0,256})?(?:>|&gt;)(?=[^<\s])/gi;

/** `quotedOnly` is for lines of source code, where only literals can be secrets. */
export function scrubAssignments(
  text: string,
  extra: ExtraFields,
  quotedOnly: boolean,
  hit: () => void,
): string {
  if (!/[:=,>\n]|%(?:25){0,3}3[AaDd]|--|&gt;/.test(text)) return text;
  assignment.lastIndex = 0;
  let clean = '';
  let position = 0;
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const name = nameOf(match, text);
    const verdict = judgeKey(name, extra);
    if (verdict !== 'secret' && verdict !== 'counted') continue;
    const start = behindValueName(text, assignment.lastIndex, match[2] ?? '');
    if (start === -1) continue;
    const end = valueEnd(text, start, name, match[2] ?? '', match[5] !== undefined, quotedOnly);
    const value = text.slice(start, end);
    if (!isWorthHiding(value, verdict) || isParserTalk(text, match.index, name)) continue;
    if (/^:\s/.test(match[2] ?? '') && saysOfIt.test(value)) continue;
    hit();
    clean += text.slice(position, start) + inQuotes(value, match[2] ?? '');
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

/** In `%3Fpwd%3Dx` the name begins behind what stands for a sign. */
function nameOf(match: RegExpExecArray, text: string): string {
  const name = match[1] ?? match[3] ?? match[5] ?? '';
  return text[match.index - 1] === '%' ? name.replace(/^(?:25){0,3}[2-7][0-9A-F]/i, '') : name;
}

/** "Password: required" is said of it, and is not it. */
const saysOfIt =
  /^(?:is|was|has|must|may|should|can(?:not|'t)?|not|no|too|required|missing|invalid|wrong|incorrect|expired|empty|needed|weak|unknown|denied|rejected|this|yes|no|\d{1,2})\.?$/i;

/**
 * Where the value begins: at `start`, or, in `"name":"password","value":"hunter2"`, behind the name of the value;
 * -1 where what follows is another field altogether.
 */
function behindValueName(text: string, start: number, separator: string): number {
  if (!separator.includes(',')) return start;
  const name = /^\\{0,4}["']([\w-]{1,32})\\{0,4}["']\s{0,2}:\s{0,2}/.exec(text.slice(start, start + 48));
  if (name === null) return start;
  return /^(?:value|val|content|data)$/i.test(name[1] ?? '') ? start + name[0].length : -1;
}

/** "Unexpected token: <" is a parser speaking, not a secret. */
function isParserTalk(text: string, at: number, name: string): boolean {
  return /^tokens?$/i.test(name) && /unexpected\s$/i.test(text.slice(Math.max(0, at - 16), at));
}

/** Keeps the quotes around what was filtered, and puts some around a list that was, so that JSON stays JSON. */
function inQuotes(value: string, separator: string): string {
  if (/^[[{]/.test(value) && separator.startsWith('"')) return `"${filtered}"`;
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
  if (inMarkup) return endBefore(text, start, /<|&lt;/g);
  const from = afterLength(text, start);
  // b'…', N'…' and @"…" are quoted as well.
  const [, mark, quote] = /^([bBuUrRN@$]{0,2})(\\{0,4}["'])/.exec(text.slice(from, from + 7)) ?? [];
  if (mark !== undefined && quote !== undefined) return quotedEnd(text, from + mark.length, quote);
  if (text.startsWith('&quot;', from)) return endBefore(text, from + 6, /&quot;|[\r\n]/g);
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
