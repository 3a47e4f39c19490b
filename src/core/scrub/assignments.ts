// A secret told by the name in front of it: in query strings, form bodies, JSON cut short, headers, dumps,
// statements, log lines, source code. The text is searched from name to name. How much of it may be
// read again is limited, so that the time stays linear.

import { isSecret } from './assignments/judgement.ts';
import { isComment, isElsewhere, isWithinLiteral, type Name } from './assignments/places.ts';
import { valueAt } from './assignments/readers.ts';
import { followerOf } from './assignments/separators.ts';
import { stemFinderOf } from './assignments/stems.ts';
import { type Surroundings, surroundingsOf } from './assignments/surroundings.ts';
import type { Value } from './assignments/value.ts';
import { joinedStems, lonelyStems } from './kinds/key-words.ts';
import { announceWords, family } from './kinds/look.ts';
import { type ExtraFields, judgeKey, type KeyVerdict } from './kinds/names.ts';
import { anyOf, patternOf } from './kinds/patterns.ts';

const filtered = '[Filtered]';
announceWords(family.name, 'anywhere', joinedStems);
announceWords(family.name, 'start', lonelyStems);

interface NameScope {
  readonly extra: ExtraFields;
  /** The text is source code, where only literals can be secrets. */
  readonly isSource: boolean;
  /** As many lines must be left as there were. */
  readonly keepLines: boolean;
  /** There may be names in other letters than a to z. */
  readonly isForeign: boolean;
  /** Whether any name was found that promises a secret: other searches need not run without one. */
  sawName: boolean;
}

/** Text without the values that stand behind the name of a secret. */
export function scrubAssignments(text: string, scope: NameScope, hit: () => void): string {
  const find = stemFinderOf(scope.extra, scope.isForeign);
  let clean = '';
  let position = 0;
  const around = surroundingsOf(text);
  const reading: Reading = { scope, charsLeft: readingsMax * text.length + freeChars };
  for (let next = find(text, 0); next !== null; ) {
    const name = nameAround(around, next.start, next.end, position);
    const value = secretBehind(text, name, reading);
    if (value !== null) {
      hit();
      clean += text.slice(position, value.bareStart) + written(value, text, scope);
      position = value.bareEnd;
    }
    next = find(text, Math.max(next.end, name.end, value?.end ?? 0));
  }
  return position === 0 ? text : clean + text.slice(position);
}

/**
 * The whole name that a word was found in: letters, digits, "_", "-" and "." around it, at most 128
 * characters each way.
 */
function nameAround(around: Surroundings, from: number, to: number, floor: number): Name {
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
  // Colours of a terminal, line breaks as escapes, and signs as percent codes run into the name.
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
  // Letters of Latin, Greek, Cyrillic and their neighbours; scripts that are written without blanks end a
  // name.
  return code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7;
}

const nameCodes = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.') {
  nameCodes[character.charCodeAt(0)] = 1;
}

/** How much of a text may still be read as values that turn out to be no secrets. */
interface Reading {
  readonly scope: NameScope;
  charsLeft: number;
}

/** In `auth(auth(auth(…` each name leads to all the rest of the text: it is read this often on average. */
const readingsMax = 2;
/** Characters read beyond that, so that short texts are read in full. */
const freeChars = 1024;
/** Once that is used up, a value is judged by its first characters. */
const nearChars = 128;

/** The secret that a name leads to, or null. */
function secretBehind(text: string, name: Name, reading: Reading): Value | null {
  if (reading.charsLeft > 0) return secretIn(text, name, reading);
  const near = text.slice(0, name.end + nearChars);
  const value = secretIn(near, name, reading);
  if (value === null || value.end < near.length || near.length === text.length) return value;
  // Its beginning is a secret: now the whole value is read, so that all of it is taken out.
  return secretIn(text, name, reading) ?? value;
}

function secretIn(text: string, name: Name, reading: Reading): Value | null {
  const { scope } = reading;
  const verdict = verdictOf(text, name, scope.extra);
  if (verdict !== 'secret' && verdict !== 'counted' && verdict !== 'random' && verdict !== 'pin') return null;
  scope.sawName = true;
  const follower = followerOf(text, name.start, name.end);
  if (follower === null || isElsewhere(text, name, follower)) return null;
  const first = text[follower.start];
  const isList = first === '[' || first === '{';
  // After these names only a random-looking text or a number is a secret, never a list: it is not read.
  if (
    isList &&
    (verdict === 'random' ||
      verdict === 'pin' ||
      follower.way === 'hint' ||
      text.startsWith('[Filtered', follower.start))
  ) {
    return null;
  }
  const isSource = scope.isSource && !isWithinLiteral(text, name, follower);
  const literalsOnly =
    (isSource && follower.way !== 'element' && !name.text.startsWith('--') && !isComment(text, name.start)) ||
    (follower.way === 'colon' && isParameter(text, name.start));
  const value = valueAt(text, follower.start, follower.way, name, literalsOnly);
  if (value === null || value.end <= value.start) return null;
  if (isSecret({ text, name, verdict, follower, value, isSource })) return value;
  reading.charsLeft -= value.end - value.start;
  return null;
}

/** `def verify(token: str, secret: SecretStr)`: the head of a function, where types stand behind names. */
export function isParameter(text: string, at: number): boolean {
  if (!'( *'.includes(text[at - 1] ?? '')) return false;
  const before = text.slice(Math.max(0, at - 160), at);
  const open = before.lastIndexOf('(');
  return (
    open !== -1 &&
    isBehindWord(before, open) &&
    headOfFunction.test(before.slice(Math.max(0, open - 80), open))
  );
}

const headOfFunction = /\b(?:def|fn|func|fun|function) \w{1,64}$/;

/** Whether a name and a blank stand before `at`: without them `headOfFunction` need not be asked. */
function isBehindWord(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  return start > 0 && start < at && text[start - 1] === ' ' && 'fnc'.includes(text[start - 2] ?? '?');
}

/**
 * What the name says of its value; with the word before it, where one word does not say enough ("api key").
 */
function verdictOf(text: string, name: Name, extra: ExtraFields): KeyVerdict {
  // `-DAPI_KEY=…`: a compiler's option runs into the name.
  const whole = name.text.startsWith('-D') ? name.text.replace(/^-D(?=[A-Z])/, '') : name.text;
  const verdict = judgeKey(whole, extra);
  if (verdict !== 'plain' && verdict !== 'version') return verdict;
  if (text[name.start - 1] !== ' ' || !secondWords.test(name.text)) return verdict;
  const before = /([\p{L}]{2,24}) $/u.exec(text.slice(Math.max(0, name.start - 26), name.start))?.[1];
  return before === undefined ? verdict : judgeKey(`${before} ${name.text}`, extra);
}

const secondWords = patternOf(
  'i',
  `^${anyOf(`keys? codes? num(?:ber)? phrase card security secret factor assertion response verifier signature
    passe word`)}$`,
);

/** Puts quotes around a list of JSON that was filtered, and keeps the lines of source code. */
function written(value: Value, text: string, scope: NameScope): string {
  const { bare } = value;
  if (scope.keepLines && bare.includes('\n')) return bare.replaceAll(/[^\n]+/g, filtered);
  const isList = !value.isQuoted && /^[[{]/.test(bare);
  return isList && /["']\s{0,4}[:=]>?\s{0,4}$/.test(text.slice(Math.max(0, value.start - 12), value.start))
    ? `"${filtered}"`
    : filtered;
}
