import {
  alternatives,
  characterClasses,
  codedSign,
  endOfMatchAt,
  isBlank,
  joinPattern,
  openQuoteNext,
  textBefore,
} from '../table/patterns.ts';
import { type Separator, type SeparatorKind, separatorFormsAt } from './separator-forms.ts';

const lineBreak = String.raw`(?:\r?\n|(?:\\r)?\\n)`;
const assigns = String.raw`\s{0,2}(?:=>|[:=]|>)\s{0,2}`;

/** Quotes, brackets and marks that close a name, plain or encoded. */
const closers = joinPattern(
  'iy',
  alternatives([
    String.raw`\\{0,15}["'${'`'}]`,
    String.raw`\]|\[\d{0,5}\]|\*\*|[?!](?=:)|>>(?=\s?(?:=>|,))`,
    `${codedSign}(?:22|27|5D)`,
    '&(?:quot|apos|#0{0,4}3[49]|#x0{0,4}2[27]);',
    // PHP: visibility of a property.
    String.raw`:(?:[\w\\]{1,128}:)?(?:protected|private)(?=\])`,
    String.raw`:\\{0,4}"[\w\\]{1,128}\\{0,4}":(?:private|protected)(?=\])`,
    String.raw`\u001b?\[[\d;]{1,16}m`,
  ]),
  '{0,6}',
);

const comma = joinPattern('iy', String.raw`\s{0,4},\s{0,16}`, openQuoteNext);
const nextKey = joinPattern(
  'y',
  String.raw`[bBuUrRN@]{0,2}\\{0,15}["'${'`'}][^"'${'`'}\n]{0,64}["'${'`'}]\s{0,2}(?::(?!:)|=>)`,
);
const serialNext = joinPattern(
  'iy',
  String.raw`;(?:s:\d{1,9}:|[aO]:\d{1,9}:(?:"[\w\\]{1,128}":\d{1,9}:)?|[id]:)`,
);
/** Multipart form data: from the name to the value, over other headers. */
const partEnd = joinPattern(
  'iy',
  String.raw`(?:; ?filename="[^"\r\n]{0,256}")?`,
  String.raw`(?:${lineBreak}[\w-]{1,40}: ?[^\r\n\\]{0,200}){0,4}`,
  `${lineBreak}${lineBreak}`,
);
const elementEnd = joinPattern('iy', String.raw`(?:\s[^<>]{0,256})?(?:>|&gt;)`);
const attributeElementEnd = joinPattern('iy', String.raw`\\{0,4}["'][^<>]{0,256}>`);
/** From a name field to its value field. */
const valueField = joinPattern(
  'iy',
  String.raw`\s{0,4}[,;]?\s{0,64}(?:-\s)?\[?(?:`,
  String.raw`(?:<\/[\w:-]{1,32}>\s{0,32}<)?["'\\]{0,4}`,
  String.raw`(?:\w{0,24}value|val|content|data|default|input|received)`,
  String.raw`["'\\]{0,4}${assigns}`,
  String.raw`(?:<\w{1,16}>)?`,
  // Apple property list.
  String.raw`|<\/key>\s{0,32}<(?:string|data)>)`,
);
const settingCommand = joinPattern(
  'y',
  String.raw`(?<=(?:^|[\s>$])(?:ENV|ARG|setx|setenv|SetEnv|#define|set -[a-zA-Z]{1,3}|`,
  '(?:CONFIG|config) (?:SET|set)) )',
);
const openTag = /(?<=(?:<|&lt;)(?:[\w.-]{1,32}:)?)/y;
const optionGap = joinPattern(
  'y',
  String.raw`(?:[ \t]{1,40}(?=[^\s-])`,
  // Lists as PHP and Java print them.
  String.raw`|\r?\n[ \t]{1,40}\[\d{1,4}\] => (?=[^\s-])|, (?=[^\s,\]-][^\s,\]]{0,512}[,\]]))`,
);
/** From a quoted option to its value: lists of PHP and Rust, and calls such as `.arg("…")`. */
const optionPair = joinPattern(
  'y',
  String.raw`(?:\s{1,16}|,\s{1,64}\d{1,4} => |\)\s{0,64}\.(?:arg|add|append|push)\(\s{0,8})`,
  openQuoteNext,
);

export function findSeparator(text: string, start: number, end: number): Separator | null {
  const before = text.charCodeAt(start - 1);
  if (text[start] === '-' || (before === 32 && isSet(text, start))) {
    const at = endOfMatchAt(optionGap, text, end);
    if (at !== -1) return { way: 'option', start: at, isQuotedName: false };
  }
  const element =
    endsOpenTag(text, start) && endOfMatchAt(openTag, text, start) !== -1
      ? endOfMatchAt(elementEnd, text, end)
      : -1;
  const closed = mayClose(text, end) ? Math.max(end, endOfMatchAt(closers, text, end)) : end;
  const isQuotedName =
    closed > end &&
    ('"\'`'.includes(text[closed - 1] as string) || closesQuote.test(text.slice(end, closed)));
  const isHeld = isBehindSign(text, start) && endOfMatchAt(holdsName, text, start) !== -1;
  if (isQuotedName || isHeld) {
    const named = namedFollower(text, start, end, closed, isHeld);
    if (named !== null) return named;
  }
  if (element !== -1) return { way: 'element', start: element, isQuotedName: false };
  for (const { way: kind, pattern, when, mayBe } of separatorFormsAt(text, closed)) {
    if (mayBe !== undefined && !mayBe(text, closed)) continue;
    const at = endOfMatchAt(pattern, text, closed);
    if (at !== -1 && (when === undefined || when(text, start, end)))
      return { way: kind, start: at, isQuotedName };
  }
  return null;
}

const closesQuote = /["'`]|22|27|quot|apos|#/;

function isSet(text: string, start: number): boolean {
  const mayBe = 'VGxveTt'.includes(text[start - 2] ?? '?') || textBefore(text, start, 5).includes('-');
  return mayBe && endOfMatchAt(settingCommand, text, start) !== -1;
}

function endsOpenTag(text: string, start: number): boolean {
  const code = text.charCodeAt(start - 1);
  return code === 60 || code === 59 || (code === 58 && /[\w.-]/.test(text[start - 2] ?? ''));
}

function mayClose(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (beginsCloser[code] !== 1) return false;
  return code !== 58 || beginsWord[text.charCodeAt(at + 1)] === 1;
}

const beginsWord = characterClasses(/[\w\\"]/);
const beginsCloser = characterClasses(/[\\"'`\][*?!>%&:\u001b]/);

/** Cheap check before `holdsName`, read backwards. */
function isBehindSign(text: string, start: number): boolean {
  let at = beforeBlanks(text, beforeQuotes(text, start - 1));
  const code = text.charCodeAt(at);
  if (code !== 61 && code !== 58 && code !== 62) return false;
  at -= code === 62 && text[at - 1] === '=' ? 2 : 1;
  at = beforeQuotes(text, beforeBlanks(text, at));
  return 'eydrmgEYDRMG'.includes(text[at] ?? '?');
}

function beforeQuotes(text: string, from: number): number {
  let at = from;
  while (at > from - 4 && isQuoteOrBackslash(text.charCodeAt(at))) at -= 1;
  return at;
}

function beforeBlanks(text: string, from: number): number {
  let at = from;
  while (at > from - 2 && isBlank(text.charCodeAt(at))) at -= 1;
  return at;
}

function isQuoteOrBackslash(code: number): boolean {
  return code === 34 || code === 39 || code === 92;
}

/** `name: ` or `key="` before a name: the secret is in the field next to it. */
const holdsName = joinPattern(
  'iy',
  `(?<=${alternatives('name key field header param parameter variable attribute setting')}`,
  String.raw`["'\\]{0,4}${assigns}["'\\]{0,4})`,
);
/** `<entry key="`: the secret is the content of the element. */
const dataTag = joinPattern(
  'i',
  `<${alternatives(`entry string param parameter property add item field attribute data var variable env setting
    value header constant arg config`)}`,
  String.raw`\s[^<>]{0,48}(?:name|key)\s?=\s?\\{0,4}["']$`,
);

function namedFollower(text: string, start: number, end: number, closed: number, isHeld: boolean) {
  const found = (kind: SeparatorKind, at: number): Separator | null =>
    at === -1 ? null : { way: kind, start: at, isQuotedName: true };
  if (isHeld) {
    const value =
      found('sign', endOfMatchAt(valueField, text, closed)) ??
      found('part', endOfMatchAt(partEnd, text, closed));
    if (value !== null) return value;
    const element = dataTag.test(textBefore(text, start, 64))
      ? endOfMatchAt(attributeElementEnd, text, end)
      : -1;
    if (element !== -1) return found('element', element);
  }
  const serial = text[closed] === ';' ? endOfMatchAt(serialNext, text, closed) : -1;
  if (serial !== -1) return found('serial', serial);
  const argument = text[start] === '-' ? endOfMatchAt(optionPair, text, closed) : -1;
  if (argument !== -1) return found('pair', argument);
  const pair =
    text[closed] === ',' || isBlank(text.charCodeAt(closed)) ? endOfMatchAt(comma, text, closed) : -1;
  return pair === -1 || endOfMatchAt(nextKey, text, pair) !== -1 ? null : found('pair', pair);
}
