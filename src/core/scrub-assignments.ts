// A secret told by the name in front of it: in query strings, form bodies, JSON cut short, headers, dumps, statements, log lines,
// source code. The text is gone through from name to name; each value is skipped once, so the time is linear.

import { foreignStems, joinedStems, lonelyStems } from './scrub-key-words.ts';
import { type ExtraFields, judgeKey, type KeyVerdict } from './scrub-keys.ts';
import { announceWords, family } from './scrub-look.ts';
import { type Value, valueAt } from './scrub-readers.ts';
import { type Follower, followerOf } from './scrub-separators.ts';
import {
  hidesNothing,
  isCodePath,
  isFieldName,
  isPlainWord,
  isValidatorRule,
  looksChosen,
  looksLikePin,
  looksRandom,
} from './scrub-worth.ts';

const filtered = '[Filtered]';
announceWords(family.name, 'anywhere', joinedStems);
announceWords(family.name, 'start', lonelyStems);

export interface NameScope {
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
  const stems = stemsOf(scope);
  stems.lastIndex = 0;
  let clean = '';
  let position = 0;
  for (let match = stems.exec(text); match !== null; match = stems.exec(text)) {
    const name = nameAround(text, match.index, stems.lastIndex, position);
    stems.lastIndex = Math.max(stems.lastIndex, name.end);
    const value = secretBehind(text, name, scope);
    if (value === null) continue;
    hit();
    clean += text.slice(position, value.bareStart) + written(value, text, scope);
    position = value.bareEnd;
    stems.lastIndex = Math.max(stems.lastIndex, value.end);
  }
  return position === 0 ? text : clean + text.slice(position);
}

const latinStems = [...joinedStems, ...lonelyStems].join('|');
const plainStems = new RegExp(latinStems, 'gi');
const allStems = new RegExp([latinStems, ...foreignStems].join('|'), 'giu');
const stemsWithExtra = new WeakMap<ExtraFields, RegExp>();

function stemsOf({ extra, isForeign }: NameScope): RegExp {
  if (extra.pattern === '') return isForeign ? allStems : plainStems;
  const known = stemsWithExtra.get(extra) ?? new RegExp(`${extra.pattern}|${allStems.source}`, 'giu');
  stemsWithExtra.set(extra, known);
  return known;
}

interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The whole name that a word was found in: letters, digits, "_", "-" and "." around it, at most 128 characters each way. */
function nameAround(text: string, from: number, to: number, floor: number): Name {
  let start = from;
  while (start > floor && from - start < 128 && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  let end = to;
  while (end < text.length && end - to < 128 && isNameCode(text.charCodeAt(end))) end += 1;
  while (end > to && (text[end - 1] === '.' || text[end - 1] === '-')) end -= 1;
  const before = text[start - 1];
  // Colours of a terminal, line breaks as escapes, and signs as percent codes run into the name.
  const glued =
    before === '['
      ? /^[\d;]{0,16}m(?=.)/
      : before === '\\'
        ? /^(?:[nrt]|u00[0-9a-f]{2}|x[0-9a-f]{2})(?=.)/i
        : before === '%'
          ? /^(?:25){0,3}[2-7][0-9A-F]/i
          : null;
  if (glued !== null && (before !== '[' || text[start - 2] === '\u001b'))
    start = Math.min(from, start + (glued.exec(text.slice(start, start + 24))?.[0].length ?? 0));
  return { start, end, text: text.slice(start, end) };
}

function isNameCode(code: number): boolean {
  if (code < 128) return nameCodes[code] === 1;
  // Letters of Latin, Greek, Cyrillic and their neighbours; scripts that are written without blanks end a name.
  return code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7;
}

const nameCodes = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.')
  nameCodes[character.charCodeAt(0)] = 1;

/** The secret that a name leads to, or null. */
function secretBehind(text: string, name: Name, scope: NameScope): Value | null {
  const verdict = verdictOf(text, name, scope.extra);
  if (verdict !== 'secret' && verdict !== 'counted' && verdict !== 'random' && verdict !== 'pin') return null;
  scope.sawName = true;
  const follower = followerOf(text, name.start, name.end);
  if (follower === null || isPlace(text, name, follower)) return null;
  const first = text[follower.start];
  const isList = first === '[' || first === '{';
  // What only counts when it looks made by a machine is no list; a list is not read to its end for nothing.
  if (
    isList &&
    (verdict === 'random' ||
      verdict === 'pin' ||
      follower.way === 'hint' ||
      text.startsWith('[Filtered', follower.start))
  )
    return null;
  const literalsOnly = scope.isSource && follower.way !== 'element' && !isComment(text, name.start);
  const value = valueAt(text, follower.start, follower.way, name.text, name.start, literalsOnly);
  if (value === null || value.end <= value.start) return null;
  return isSecret(text, name, verdict, follower, value, scope) ? value : null;
}

/** "api key": what one word does not promise, two may. */
function verdictOf(text: string, name: Name, extra: ExtraFields): KeyVerdict {
  const verdict = judgeKey(name.text, extra);
  if (verdict !== 'plain' && verdict !== 'version') return verdict;
  if (!secondWords.test(name.text)) return verdict;
  const before = /([\p{L}]{2,24}) $/u.exec(text.slice(Math.max(0, name.start - 26), name.start))?.[1];
  return before === undefined ? verdict : judgeKey(`${before} ${name.text}`, extra);
}

const secondWords =
  /^(?:keys?|codes?|num(?:ber)?|phrase|card|security|secret|factor|assertion|response|verifier|signature|passe|word)$/i;

/** `auth.ts:10:5`, `PasswordTest::reset`, `/run/secrets/db: no such file`: a place in a program, and no name of a value. */
function isPlace(text: string, name: Name, follower: Follower): boolean {
  if (follower.isQuotedName || (follower.way !== 'glued' && follower.way !== 'colon')) return false;
  const before = text[name.start - 1];
  const value = text.slice(follower.start, follower.start + 40);
  if (before === ':' && text[name.start - 2] === ':') return true;
  if ((before === '/' || before === '\\') && /^(?:[A-Za-z][a-z']*|\d{1,7})(?![\w/])/.test(value)) return true;
  if (follower.way !== 'glued') return false;
  if (/^\d{1,7}(?::\d{1,7})?(?![\w])/.test(value) && /\.[a-z]{1,5}$/i.test(name.text)) return true;
  // `php artisan password:reset`, `session:clear`: a command or an event, unless it stands in a dump in brackets.
  return (
    /^[a-z][a-z_-]*(?![\w@#$%^&*+=~!])/.test(value) &&
    !/[{[(][^)\]}]*$/.test(text.slice(Math.max(0, name.start - 200), name.start))
  );
}

function isComment(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - 256), at);
  return /(?:^|\n)\s*(?:#|\/\/|\/?\*|--|;|<!--)[^\n]*$/.test(line);
}

/** Whether the value is one: by what its name says, by how it stands there, and by what it looks like. */
function isSecret(
  text: string,
  name: Name,
  verdict: KeyVerdict,
  follower: Follower,
  value: Value,
  scope: NameScope,
): boolean {
  const bare = value.bare.trim();
  if (hidesNothing(bare, value.isQuoted) || isValidatorRule(bare)) return false;
  if (verdict === 'random') return looksRandom(bare);
  if (follower.way === 'hint') return /pass|pwd/i.test(name.text) ? looksChosen(bare) : looksRandom(bare);
  if (verdict === 'pin') return looksLikePin(bare);
  if (verdict === 'counted' && /^\d{1,9}$/.test(bare)) return false;
  if (isParserTalk(text, name) || isPolicyNonce(text, name)) return false;
  if (value.isQuoted) return isQuotedSecret(text, name, follower, value);
  if (scope.isSource && follower.way !== 'element' && !looksRandom(bare)) return false;
  return isBareSecret(text, name, follower, value, bare);
}

/** "Unexpected token: <" is a parser speaking. */
function isParserTalk(text: string, name: Name): boolean {
  const before = text.slice(Math.max(0, name.start - 16), name.start);
  return /^tokens?$/i.test(name.text) && /(?:unexpected|unrecognized|illegal)\s$/i.test(before);
}

/** `<script nonce="…">`: everyone who reads the page may read it. */
function isPolicyNonce(text: string, name: Name): boolean {
  if (name.text !== 'nonce') return false;
  return /<(?:script|style|link)\b[^<>]*$/i.test(text.slice(Math.max(0, name.start - 256), name.start));
}

function isQuotedSecret(text: string, name: Name, follower: Follower, value: Value): boolean {
  if (value.wrapper !== '' && !makesSecrets.test(value.wrapper)) return looksRandom(value.bare);
  if (follower.way !== 'pair') return value.bare.toLowerCase() !== name.text.toLowerCase();
  if (hidesNothing(value.bare, false) || isFieldName(value.bare)) return false;
  // `['password', 'hunter']` is a name and its value; in a longer list a plain word is one more name.
  const isWhole = /[([{]\s{0,8}[\\"'`bBuU]{1,4}$/.test(text.slice(Math.max(0, name.start - 12), name.start));
  const isClosed = /^\s{0,8},?\s{0,8}[)\]}]/.test(text.slice(value.end, value.end + 20));
  return (isWhole && isClosed) || !/^[a-z][a-z_.-]*$|^[A-Z][a-z]+$/.test(value.bare);
}

/** Functions that make or hold a secret; of others a literal is mostly the name of something. */
const makesSecrets =
  /^(?:\(|(?:\[\])?(?:some|optional|just|ok|right|str(?:ing)?|bytes?|buffer\.(?:from|alloc)|from|secret\w*|password\w*|secure\w*|\w*securestring|protected\w*|sensitive\w*|md5|sha\d*|hash\w*|encrypt|decrypt|encode|decode|b64\w*|base64\w*|atob|btoa|trim|strip|strdup|quote|value|of|concat|text|cstr|char|unhex))$/i;

const general =
  /^(?:pass|PASS|auth|token|tokens|session|sessions|secret|secrets|cookie|cookies|creds|credentials?|key|nonce|bearer|jwt|oauth|csrf)$/i;

function isBareSecret(text: string, name: Name, follower: Follower, value: Value, bare: string): boolean {
  if (isCodePath(bare) || isExpression(text, value)) return false;
  switch (follower.way) {
    case 'column':
      return !isPlainWord(bare) && !/^[-=+_|:]+$/.test(bare) && endsCell(text, value.end);
    case 'element':
      return closesElement(text, name, value);
    case 'colon':
      return !isPhrase(text, name, value, bare);
    case 'glued':
      return !/^:/.test(bare);
    default:
      return true;
  }
}

/** `= name(…)`, `= name["…"]`: an expression, of which the value is the beginning. */
function isExpression(text: string, value: Value): boolean {
  const next = text[value.end] ?? '';
  const begins = `${value.bare.slice(0, 128)}${'[('.includes(next) ? next : ''}`;
  return /^[$@]?[A-Za-z_][\w$]{0,64}(?:(?:\?\.|\.|->|::)\$?\w{1,64}){0,8}(?:\(|\[(?:$|["'$]))/.test(begins);
}

/** A cell ends with its line, a tab, the edge of a table or two blanks; a sentence goes on. */
function endsCell(text: string, end: number): boolean {
  return end >= text.length || /^(?:[ ]?[\r\n\t|]|[ ]{2}|[ ]?$)/.test(text.slice(end, end + 2));
}

function closesElement(text: string, name: Name, value: Value): boolean {
  const rest = text.slice(value.end, value.end + name.text.length + 80);
  if (/^\s{0,32}(?:<|&lt;)\/|^\]\]>/.test(rest)) return true;
  return rest === '' && looksRandom(value.bare);
}

/** "auth: add the login page": words go on behind the first one. What is called a password is said in one. */
function isPhrase(text: string, name: Name, value: Value, bare: string): boolean {
  if (name.text === 'PASS' || /^\d{1,2}$/.test(bare)) return true;
  if (!/^[A-Za-z][a-z']*[,.;:!?]?$/.test(bare)) return false;
  const goesOn = /^[,.;:]?[ ][A-Za-z(]/.test(text.slice(value.end, value.end + 3));
  return (
    goesOn &&
    (general.test(name.text) || /^[ ][a-z]{1,12}[ .,!?]/.test(text.slice(value.end, value.end + 16)))
  );
}

/** Puts quotes around a list of JSON that was filtered, and keeps the lines of source code. */
function written(value: Value, text: string, scope: NameScope): string {
  const { bare } = value;
  if (scope.keepLines && bare.includes('\n')) return bare.replaceAll(/[^\n]+/g, filtered);
  const isList = !value.isQuoted && /^[[{]/.test(bare);
  return isList && /["']\s{0,4}[:=]>?\s{0,4}$/.test(text.slice(Math.max(0, value.start - 12), value.start))
    ? `"${filtered}"`
    : filtered;
}
