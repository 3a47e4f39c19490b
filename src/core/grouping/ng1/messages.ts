// A message without what varies between occurrences; the wordings of engines are in wordings.ts.
// Part of `ng1` (docs/grouping.md, "Messages"). Every pattern is linear, and looks at no more than
// `valueCharsMax` characters.
import { cutText } from '../../reading/cut-text.ts';
import { engineWording } from './wordings.ts';

/** How much of a message is looked at, and how much of it goes into the key. */
const valueCharsMax = 2048;
export const keyCharsMax = 300;
const terminalColour = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]{0,16}m`, 'g');

/** The first line that is not blank, at most 2,048 characters of it. */
export function firstLine(text: string): string {
  const start = text.search(/\S/);
  if (start === -1) return '';
  // A code point takes one unit or two: no more than this has to be looked at.
  const near = cutText(text.slice(start, start + 2 * valueCharsMax), valueCharsMax);
  const end = near.search(/[\r\n]/);
  return (end === -1 ? near : near.slice(0, end)).trimEnd();
}

/**
 * The part of a message that stays the same between occurrences. `type` is the exception's type (to drop it
 * where the message repeats it); `isJavaScript` turns on the wordings of engines. At most 300 characters.
 */
export function canonicalValue(value: string, type: string, isJavaScript: boolean): string {
  const line = withoutPrefix(plainText(firstLine(value)), type);
  const wording = isJavaScript ? engineWording(line) : null;
  return cutText(wording ?? withoutFullStop(withoutVariables(line)), keyCharsMax).toWellFormed();
}

/** Without the colours of a terminal; quotation marks of any language as one. */
export function plainText(line: string): string {
  return line
    .replaceAll(terminalColour, '')
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2039\u203a\u0060\u00b4]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f\u00ab\u00bb]/g, '"');
}

/** Engines and versions disagree about the full stop at the end; an ellipsis is part of what is said. */
export function withoutFullStop(line: string): string {
  return line.replace(/(?<=[^.\s])\.$/, '');
}

/** Without "Uncaught", "Unhandled Promise Rejection:" and the type that window.onerror puts in front. */
export function withoutPrefix(line: string, type: string): string {
  let rest = line.replace(
    /^(?:uncaught(?: exception:?)?|unhandled (?:promise )?rejection:?|error:(?= \w*Error:))\s+/i,
    '',
  );
  rest = rest.replace(/^\(in promise\)\s+/i, '');
  const named = /^([A-Z]\w{0,60}(?:Error|Exception)): +/.exec(rest);
  if (named !== null && (type === '' || type === 'Error' || named[1] === type)) {
    return rest.slice(named[0].length);
  }
  return type !== '' && rest.startsWith(`${type}: `) ? rest.slice(type.length + 2) : rest;
}

/** Dates with a month in words, as `ng1` finds them: some words are such dates to it, too. */
const datesInWords =
  /\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}|\d{1,2}[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})(?![a-z])(?:,? ?-?\d{4}\b(?!:))?(?:,? (?:at )?\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]m)?)?(?: \d{4}\b)?(?: (?:GMT|UTC|Z)?(?:[+-]\d{4})?(?: \([a-z ]{3,40}\))?)?/gi;

/** Replacements in their order: what is matched early can not be mistaken by what comes later. */
const variables: ReadonlyArray<readonly [RegExp, string]> = [
  // Ruby shows an object with its fields, and names nothing and the object's class in one way before 3.4, in
  // another since.
  [/#<([A-Z][\w:]{0,128})[^<>]{0,512}>/g, 'an instance of $1'],
  [/\bnil:NilClass\b/g, 'nil'],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s"'<>)[\]}]|\[[^\s\]]{0,64}\])+/gi, '<url>'],
  [/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '<email>'],
  [/(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi, '<uuid>'],
  [
    /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?\b/gi,
    '<date>',
  ],
  [datesInWords, '<date> '],
  [/\b\d{8}T\d{4}(?:\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{4})?\b/g, '<date>'],
  [/\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b/g, '<date>'],
  [/\b\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d\d)\b(?!\.\d)/g, '<date>'],
  [/(?<![\w:])\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]m\b)?(?![\w:])/gi, '<time>'],
  [/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]\w)/g, '<ip>'],
  [/(?<![\w:-])[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}(?![\w:-])/gi, '<hex>'],
  [/(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi, '<ip>'],
  [
    /(?<![\w:])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?![\w:])/gi,
    '<ip>',
  ],
  [/\[ip\]/g, '<ip>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/(?<![0-9a-z])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,128}(?![0-9a-z])/gi, '<hex>'],
  [
    /(?<![\w+/-])(?![A-Z]?[a-z]*(?:[A-Z]+[a-z]+)*\d{1,2}(?:[A-Z]+[a-z]{2,})+(?!\w))(?=[A-Za-z_-]*\d)(?=[0-9a-z_-]*[A-Z])(?=[0-9A-Z_-]*[a-z])(?:[A-Za-z0-9_-]{20,512}|[a-z]{2,6}_[A-Za-z0-9]{12,64})={0,2}(?![\w+/-])/g,
    '<token>',
  ],
  [
    /(?<![\w+/-])(?:(?=[A-Z]*\d)(?=\d*[A-Z])[0-9A-Z]{20,512}|(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{20,512})(?![\w+/-])/g,
    '<token>',
  ],
  // In quotes a path may hold blanks.
  [/(?<=(['"]))(?:~?\/|[a-z]:[\\/])[^'"<>|*?]{1,512}(?=\1)/gi, '<path>'],
  [/(?<![\w<])[a-z]:[\\/][^\s"'<>|:*?]+/gi, '<path>'],
  [/\\\\[\w.$-]{1,64}\\[^\s"'<>|:*?]+/g, '<path>'],
  [/(?<![\w<>./~])~?\/[\w.@%+~-]+(?:\/[\w.@%+~-]*)*(?:\?[^\s"'<>)\]}]*)?/g, '<path>'],
  [/(?<![\w<>/.])(?:\.{1,2}|[\w@%+~-][\w.@%+~-]{0,127})(?:\/[\w.@%+~-]+){2,}\/?/g, '<path>'],
  [
    /(?<![\w<>/.])[\w@%+~-][\w.@%+~-]{0,127}\/[\w@%+~-][\w.@%+~-]{0,127}\.[a-z][a-z0-9]{1,4}(?![\w./])/gi,
    '<path>',
  ],
  // PT1H30M, 1h30m, 2m3.5s.
  [/\bPT?(?:\d{1,9}(?:\.\d{1,9})?[YMWDHS]T?){1,8}\b/g, '<quantity>'],
  [/(?<![\w<.])(?:\d{1,9}(?:\.\d{1,9})?(?:d|h|m|[mun\u00b5]?s) ?){2,6}(?!\w)/gi, '<quantity> '],
  [
    /(?<![\w<.])[-+]?\d+(?:[.,]\d+)*\s?(?:(?:[kmgt]i?)?b(?:ytes?)?|[mun\u00b5]?s|secs?|seconds?|mins?|minutes?|h(?:rs?)?|hours?|days?|msecs?|milliseconds?|%)(?![\w])/gi,
    '<quantity>',
  ],
  [/(?<![\w<.])\d{1,6}(?: ?[x×] ?\d{1,6}){1,2}(?!\w)/g, '<quantity>'],
  [
    /(?<![A-Za-z0-9<.])[-+]?\d+(?:[.,]\d+|['\u00a0\u202f]\d{3}(?!\d))*(?:e[-+]?\d{1,3}|st|nd|rd|th)?(?![A-Za-z0-9])/gi,
    '<number>',
  ],
  [/(?<=[A-Za-z])\d{4,}\b/g, '<number>'],
  [/=\s?"[^"]{0,256}"/g, '=<text>'],
  [/=\s?'[^']{0,256}'/g, '=<text>'],
  // "Duplicate entry 'x'", "invalid input value: "x"", "literal for int() with base 10: 'x'": what is quoted
  // was put in by somebody.
  [
    /(?<=\b(?:entry|value|input|string|literal|base <number>|user|username|login)(?: is)?:? )(?:"[^"]{0,256}"|'[^']{0,256}')/gi,
    '<text>',
  ],
  [/<date>,? <time>/g, '<date>'],
  [/(?<=<date>) [A-Z]{1,4}T\b/g, ''],
  [/(<number>|<hex>|<uuid>)(?:(?:, ?| )\1)+/g, '$1'],
];

/**
 * Placeholders for what differs from one occurrence to the next. A newer rule finds dates with a month in
 * words by itself, at their place among the other replacements.
 */
export function withoutVariables(line: string, withoutDates = withDatesOfNg1): string {
  let text = line;
  for (const [pattern, placeholder] of variables) {
    if (text.length > 0) {
      text = pattern === datesInWords ? withoutDates(text) : text.replace(pattern, placeholder);
    }
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

function withDatesOfNg1(text: string): string {
  return text.replace(datesInWords, '<date> ');
}
