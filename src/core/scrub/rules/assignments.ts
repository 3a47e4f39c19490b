// Secrets after a name. How much text may be read twice is limited, so that the time stays linear.

import { keyWordsAnywhere, keyWordsAtWordStart, nonLatinKeyWords } from '../table/key-words.ts';
import { classifyFieldName, type ExtraFields, type FieldNameVerdict } from '../table/names.ts';
import { alternatives, characterClasses, filteredText, joinPattern, textBefore } from '../table/patterns.ts';
import { registerWords, signsOf, wordFamilies } from '../table/prefilter.ts';
import { filteredLines, keepsLines, type TextRule, type TextSearch } from '../table/rules.ts';
import { isSecretValue } from './is-secret-value.ts';
import { readValue } from './read-value.ts';
import { findSeparator } from './separators.ts';
import {
  isComment,
  isNotAValue,
  isWithinLiteral,
  type NameInText,
  scanText,
  type TextScan,
} from './text-context.ts';
import type { ValueInText } from './unquoted-values.ts';

registerWords(wordFamilies.name, 'anywhere', keyWordsAnywhere);
registerWords(wordFamilies.name, 'start', keyWordsAtWordStart);

const wideSigns = signsOf('é');

export const assignmentRule: TextRule = {
  signs: ['=:>,%| \t\né;&<("'],
  applies: ({ scan, extra }) => (scan.families & wordFamilies.name) !== 0 || extra.pattern !== '',
  scrub: (text, search) => scrubAssignments(text, search),
};
/** In file and function names only `=` assigns a value. */
export const nameAssignmentRule: TextRule = {
  ...assignmentRule,
  signs: ['='],
  applies: ({ scan }) => (scan.families & wordFamilies.name) !== 0,
};

export function scrubAssignments(text: string, search: TextSearch): string {
  const find = keyWordFinderOf(search.extra, (search.scan.signs & wideSigns) !== 0);
  let clean = '';
  let position = 0;
  const around = scanText(text);
  const reading: Reading = { search, charsLeft: readingsMax * text.length + freeChars };
  for (let next = find(text, 0); next !== null; ) {
    const name = nameAround(around, next.start, next.end, position);
    const value = secretBehind(text, name, reading);
    if (value !== null) {
      search.hits += 1;
      clean += text.slice(position, value.contentStart) + written(value, text, search);
      position = value.contentEnd;
    }
    next = find(text, Math.max(next.end, name.end, value?.end ?? 0));
  }
  return position === 0 ? text : clean + text.slice(position);
}

/** At most 128 characters each way. */
function nameAround(around: TextScan, from: number, to: number, floor: number): NameInText {
  const { text } = around;
  let start = from;
  while (start > floor && from - start < 128 && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  let end = to;
  while (end < text.length && end - to < 128 && isNameCode(text.charCodeAt(end))) end += 1;
  // `password......`: dots that lead to a value.
  for (let at = to; at < end - 1; at += 1) {
    if (text.charCodeAt(at) === 46 && text.charCodeAt(at + 1) === 46) end = at;
  }
  while (end > to && (text[end - 1] === '.' || text[end - 1] === '-')) end -= 1;
  const before = text[start - 1];
  // Terminal colours, escaped line breaks and percent codes that are joined to the name.
  const glued =
    before === '['
      ? /^\d{1,3}(?:;\d{1,3}){0,4}m(?=.)/
      : before === '\\'
        ? /^(?:[nrt]|u00[0-9a-f]{2}|x[0-9a-f]{2})(?=.)/i
        : before === '%'
          ? /^(?:25){0,3}[2-7][0-9A-F]/i
          : null;
  if (glued !== null) {
    start = Math.min(from, start + (glued.exec(text.slice(start, start + 24))?.[0].length ?? 0));
  }
  return { start, end, text: text.slice(start, end), around };
}

function isNameCode(code: number): boolean {
  if (code < 128) return nameCodes[code] === 1;
  // Latin, Greek, Cyrillic and others. Scripts without spaces between words end a name.
  return code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7;
}

const nameCodes = characterClasses(/[\w.-]/);

interface Reading {
  readonly search: TextSearch;
  charsLeft: number;
}

/** In `auth(auth(auth(…` each name leads to the rest of the text. Average number of times a character is read. */
const readingsMax = 2;
const freeChars = 1024;
/** When the budget is used up, a value is judged by this many characters. */
const nearChars = 128;

function secretBehind(text: string, name: NameInText, reading: Reading): ValueInText | null {
  if (reading.charsLeft > 0) return secretIn(text, name, reading);
  const window = text.slice(0, name.end + nearChars);
  const value = secretIn(window, name, reading);
  if (value === null || value.end < window.length || window.length === text.length) return value;
  // The beginning is a secret: read the whole value, so that all of it is removed.
  return secretIn(text, name, reading) ?? value;
}

function secretIn(text: string, name: NameInText, reading: Reading): ValueInText | null {
  const { search } = reading;
  const verdict = verdictOf(text, name, search.extra);
  if (verdict !== 'secret' && verdict !== 'counted' && verdict !== 'random' && verdict !== 'pin') return null;
  search.sawName = true;
  const follower = findSeparator(text, name.start, name.end);
  if (follower === null || isNotAValue(text, name, follower)) return null;
  const first = text[follower.start];
  const isList = first === '[' || first === '{';
  // A list cannot be a secret here, so it is not read.
  if (
    isList &&
    (verdict === 'random' ||
      verdict === 'pin' ||
      follower.way === 'hint' ||
      text.startsWith('[Filtered', follower.start))
  ) {
    return null;
  }
  const isSource = search.kind === 'source' && !isWithinLiteral(text, name, follower);
  const literalsOnly =
    (isSource && follower.way !== 'element' && !name.text.startsWith('--') && !isComment(text, name.start)) ||
    (follower.way === 'colon' && isFunctionParameter(text, name.start));
  const value = readValue(text, follower.start, follower.way, name, literalsOnly);
  if (value === null || value.end <= value.start) return null;
  if (isSecretValue({ text, name, verdict, follower, value, isSource })) return value;
  reading.charsLeft -= value.end - value.start;
  return null;
}

/** `def verify(token: str, secret: SecretStr)`: types follow the parameter names. */
export function isFunctionParameter(text: string, at: number): boolean {
  if (!'( *'.includes(text[at - 1] ?? '')) return false;
  const before = textBefore(text, at, 160);
  const open = before.lastIndexOf('(');
  return open !== -1 && isBehindWord(before, open) && headOfFunction.test(textBefore(before, open, 80));
}

const headOfFunction = /\b(?:def|fn|func|fun|function) \w{1,64}$/;

function isBehindWord(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  return start > 0 && start < at && text[start - 1] === ' ' && 'fnc'.includes(text[start - 2] ?? '?');
}

/** Uses the word before the name as well where one word is not enough ("api key"). */
function verdictOf(text: string, name: NameInText, extra: ExtraFields): FieldNameVerdict {
  // `-DAPI_KEY=…`: a compiler option joined to the name.
  const fieldName = name.text.startsWith('-D') ? name.text.replace(/^-D(?=[A-Z])/, '') : name.text;
  const verdict = classifyFieldName(fieldName, extra);
  if (verdict !== 'plain' && verdict !== 'version') return verdict;
  if (text[name.start - 1] !== ' ' || !secondWords.test(name.text)) return verdict;
  const before = /([\p{L}]{2,24}) $/u.exec(textBefore(text, name.start, 26))?.[1];
  return before === undefined ? verdict : classifyFieldName(`${before} ${name.text}`, extra);
}

const secondWords = joinPattern(
  'i',
  `^${alternatives(`keys? codes? num(?:ber)? phrase card security secret factor assertion response verifier signature
    passe word`)}$`,
);

function written(value: ValueInText, text: string, search: TextSearch): string {
  const { content } = value;
  if (keepsLines(search) && content.includes('\n')) return filteredLines(content);
  const isList = !value.isQuoted && /^[[{]/.test(content);
  return isList && /["']\s{0,4}[:=]>?\s{0,4}$/.test(textBefore(text, value.start, 12))
    ? `"${filteredText}"`
    : filteredText;
}

interface KeyWordSpan {
  readonly start: number;
  readonly end: number;
}

type KeyWordFinder = (text: string, from: number) => KeyWordSpan | null;

function keyWordFinderOf(extra: ExtraFields, isForeign: boolean): KeyWordFinder {
  if (extra.pattern === '') return isForeign ? findAll : findPlain;
  const known = findersWithExtra.get(extra) ?? finderOf(`${extra.pattern}|${allKeyWords}`);
  findersWithExtra.set(extra, known);
  return known;
}

const plainKeyWords = [...keyWordsAnywhere, ...keyWordsAtWordStart];
const allKeyWords = [...plainKeyWords, ...nonLatinKeyWords].join('|');
const findAll = finderOf(allKeyWords);
const findersWithExtra = new WeakMap<ExtraFields, KeyWordFinder>();

function finderOf(source: string): KeyWordFinder {
  const pattern = new RegExp(source, 'giu');
  return (text, from) => {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    return match === null ? null : { start: match.index, end: pattern.lastIndex };
  };
}

/** Key words as character codes, by their first two letters. */
const keyWordsByLetters: Array<number[][] | undefined> = Array.from({ length: 1 << 10 });
for (const keyWord of plainKeyWords) {
  const codes = [...keyWord].map((letter) => letter.charCodeAt(0));
  const slot = tableIndex(codes[0] as number, codes[1] as number);
  keyWordsByLetters[slot] = [...(keyWordsByLetters[slot] ?? []), codes];
}

function tableIndex(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31);
}

const startsKeyWord = characterClasses(
  new RegExp(`[${plainKeyWords.map((keyWord) => keyWord[0]).join('')}]`, 'i'),
);

/** Five times as fast as one pattern of all key words; most text has none. */
function findPlain(text: string, from: number): KeyWordSpan | null {
  for (let at = from; at < text.length - 1; at += 1) {
    const code = text.charCodeAt(at);
    if (startsKeyWord[code] !== 1) continue;
    const keyWords = keyWordsByLetters[tableIndex(code, text.charCodeAt(at + 1))];
    if (keyWords === undefined) continue;
    for (const keyWord of keyWords)
      if (matchesAt(text, at, keyWord)) return { start: at, end: at + keyWord.length };
  }
  return null;
}

function matchesAt(text: string, at: number, keyWord: readonly number[]): boolean {
  for (let index = 1; index < keyWord.length; index += 1) {
    const code = text.charCodeAt(at + index);
    if (code !== keyWord[index] && code + 32 !== keyWord[index]) return false;
  }
  return true;
}
