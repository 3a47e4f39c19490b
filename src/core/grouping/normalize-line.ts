import { cutText } from '../parsing/cut-text.ts';
import { decodeHtmlEntities } from '../parsing/html-entities.ts';
import { extractNginxPhpMessage } from '../wordpress-components/php-messages.ts';
import { removeProtected } from './protected-text.ts';

/** First line in NFKC, without invisible characters, HTML, log prefixes and terminal colours. */
export function normalizeLine(text: string): string {
  let line = removeProtected(firstLine(text));
  // JSON logs have escapes such as \u00fc.
  if (line.includes('\\u')) {
    line = line.replace(/\\u([0-9a-f]{4})/gi, (_whole, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  if (/[^ -~]/.test(line)) {
    line = line
      .normalize('NFKC')
      .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/g, '')
      .replace(/[^\P{Nd}0-9]/gu, asciiDigit);
  }
  if (/<\/?[a-z]/i.test(line)) {
    line = line.replace(/<\/?(?:strong|b|em|i|code|a|p|br|span|pre)(?:\s[^<>]{0,512})?\/?>/gi, '');
  }
  return withoutLogPrefix(plainText(decodeHtmlEntities(line)));
}

/** Decimal digits are in Unicode in rows of ten that start with zero. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  // Only mathematical digits have rows without a gap, and NFKC replaces those.
  let zero = code;
  while (code - zero < 9 && isDigit(zero - 1)) zero -= 1;
  return String(code - zero);
}

const digits = new Map<number, boolean>();

function isDigit(code: number): boolean {
  const known = digits.get(code);
  if (known !== undefined) return known;
  const is = /\p{Nd}/u.test(String.fromCodePoint(code));
  if (digits.size < 2_048) digits.set(code, is);
  return is;
}

function withoutLogPrefix(line: string): string {
  return withoutServerLog(line)
    .replace(/^\[\d{1,2}-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d(?: [\w/+-]{1,40})?\] /, '')
    .replace(
      /^PHP (?=(?:Fatal error|Parse error|Warning|Notice|Deprecated|Recoverable fatal error|Strict Standards):)/,
      '',
    )
    .replace(
      /^((?:Fatal error|Parse error|Warning|Notice|Deprecated|Recoverable fatal error|Strict Standards):) {2,}/,
      '$1 ',
    );
}

/** Removes what nginx adds: process, connection, client and request. */
function withoutServerLog(line: string): string {
  if (!/^(?:\d{4}\/\d\d\/\d\d [\d:]{8} )?\[\w{1,8}\] \d{1,10}#\d{1,10}: /.test(line)) return line;
  const quoted = extractNginxPhpMessage(line);
  if (quoted !== null) return quoted;
  return line
    .replace(/^.{0,20}?\[\w{1,8}\] \d{1,10}#\d{1,10}: (?:\*\d{1,20} )?/, '')
    .replace(/, client: [^,]{1,64}, server: ([^,]{0,256}), request: ["'][^"']{0,2048}["']/, ', server: $1');
}

const lineCharsMax = 2048;
const terminalColour = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]{0,16}m`, 'g');

export function firstLine(text: string): string {
  const start = text.search(/\S/);
  if (start === -1) return '';
  // A code point has at most two UTF-16 units.
  const head = cutText(text.slice(start, start + 2 * lineCharsMax), lineCharsMax);
  const end = head.search(/[\r\n]/);
  return (end === -1 ? head : head.slice(0, end)).trimEnd();
}

function plainText(line: string): string {
  return line
    .replaceAll(terminalColour, '')
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2039\u203a\u0060\u00b4]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f\u00ab\u00bb]/g, '"');
}
