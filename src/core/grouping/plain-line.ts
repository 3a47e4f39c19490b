// One line of a message in one spelling: what Unicode, HTML and logs add to it or spell in several ways. Part
// of `ng2` (docs/grouping.md, "Messages").
import { withoutHidden } from './hidden.ts';
import { firstLine, plainText } from './ng1/messages.ts';

/** One spelling of what Unicode spells in several; without marks that nobody sees, and without HTML. */
export function plainLine(text: string): string {
  let line = withoutHidden(firstLine(text));
  if (/[^ -~]/.test(line)) {
    line = line
      .normalize('NFKC')
      .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/g, '')
      .replace(/\p{Nd}/gu, asciiDigit);
  }
  line = plainText(line);
  if (/<\/?[a-z]/i.test(line)) {
    line = line.replace(/<\/?(?:strong|b|em|i|code|a|p|br|span|pre)(?:\s[^<>]{0,512})?\/?>/gi, '');
  }
  if (line.includes('&')) {
    line = line.replace(/&(?:#0?39|apos|quot|lt|gt|amp);/g, (entity) => entities[entity] ?? entity);
  }
  return withoutLogPrefix(line);
}

const entities: Readonly<Record<string, string>> = {
  '&#39;': "'",
  '&#039;': "'",
  '&apos;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** Decimal digits stand in Unicode in rows of ten. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  if (code < 128) return digit;
  for (let zero = code; zero > code - 10; zero -= 1) {
    if (!/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) return String(code - zero);
  }
  return String((code - 0x1d7ce) % 10);
}

/** Without the time in front of a line of PHP's log, and "PHP " before the severity. */
function withoutLogPrefix(line: string): string {
  return line
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
