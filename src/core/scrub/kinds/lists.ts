// Which entries of a list are secrets because of those beside them: a value behind its name or option, an
// argument of a known program, a line inside of a key in PEM. No entry is scrubbed here.

import { secretArguments } from './commands.ts';
import { type ExtraFields, judgeKey, type KeyVerdict, promisesSecret } from './names.ts';
import { hidesNothing, isFieldName, looksLikePin, looksRandom } from './worth.ts';

const filtered = '[Filtered]';
const pemBegin = '-----BEGIN ';
const pemEnd = '-----END ';

/**
 * For each entry that is a secret what is kept in its place: "[Filtered]", with the option in front where
 * both are one word.
 */
export function secretEntries(sent: readonly unknown[], extra: ExtraFields): ReadonlyMap<number, string> {
  const list = sent.map(withoutQuotes);
  let found: Map<number, string> | null = null;
  let insidePem = false;
  let isAllText = list.length > 1;
  for (const [index, entry] of list.entries()) {
    const isText = typeof entry === 'string';
    const isHidden = (insidePem && isText) || (index > 0 && isBehindName(list, index, extra));
    if (isHidden) found = (found ?? new Map<number, string>()).set(index, filtered);
    if (!isText) isAllText = false;
    else if (entry.includes('-----')) insidePem = isInsidePem(entry, insidePem);
  }
  if (!isAllText) return found ?? none;
  for (const [index, kept] of secretArguments(list as readonly string[])) {
    found = (found ?? new Map<number, string>()).set(index, kept + filtered);
  }
  return found ?? none;
}

/** Python's SDK writes each entry of a list as its repr: `'--password'`, `b'hunter2'`. */
function withoutQuotes(entry: unknown): unknown {
  if (typeof entry !== 'string' || entry.length < 3) return entry;
  const last = entry.at(-1);
  return last === "'" || last === '"' ? (/^[bBuUrR]{0,2}(["'])(.+)\1$/s.exec(entry)?.[2] ?? entry) : entry;
}

const none: ReadonlyMap<number, string> = new Map();

/**
 * True where a list of lines is inside a PEM block after this line; `before` says so for the lines before it.
 */
function isInsidePem(line: string, before: boolean): boolean {
  const begin = line.lastIndexOf(pemBegin);
  const end = line.lastIndexOf(pemEnd);
  if (begin === -1 && end === -1) return before;
  return (
    begin > end &&
    !/^-----BEGIN (?:[A-Z0-9 ]{0,16}(?:CERTIFICATE|PUBLIC KEY|CRL|PARAMETERS))/.test(line.slice(begin))
  );
}

/** `--password`, `token:`, `the password is`: the entry behind it is the secret. */
const option = /^--?[A-Za-z][\w-]{0,64}$/;
const ending = /(?<![\w.-])([\w.-]{2,64})["'\]]?\s{0,2}(?:[:=]|=>|->|→|\sis:?)\s{0,4}$/;
const bareName = /^[A-Za-z_$@:][\w.:$-]{1,63}$/;

function isBehindName(list: readonly unknown[], index: number, extra: ExtraFields): boolean {
  const before = list[index - 1];
  if (typeof before !== 'string' || before.length > 256) return false;
  const value: unknown = list[index];
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'object') {
    return false;
  }
  const text = String(value);
  if (option.test(before)) return !text.startsWith('-') && isSecret(judgeKey(before, extra), text);
  const named = /(?:[:=>→]|\sis)\s{0,4}$/.test(before.slice(-8))
    ? ending.exec(before.slice(-80))?.[1]
    : undefined;
  if (named !== undefined) return isSecret(judgeKey(named, extra), text);
  if (before.length > 64 || !isSecret(judgeKey(before, extra), text) || !bareName.test(before)) return false;
  // In a pair the second is the value of the first; in a longer list a plain word is one more name.
  if (isFieldName(text)) return false;
  return list.length === 2 || !/^[a-z][a-z_.-]*$|^[A-Z][a-z]+$|^\d{1,9}$/.test(text);
}

function isSecret(verdict: KeyVerdict, text: string): boolean {
  if (verdict === 'random') return looksRandom(text);
  if (verdict === 'pin') return looksLikePin(text);
  if (!promisesSecret(verdict) || hidesNothing(text, true)) return false;
  return !(verdict === 'counted' && /^\d{1,9}$/.test(text));
}
