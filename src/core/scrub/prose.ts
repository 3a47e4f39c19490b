// Secrets in sentences and statements, where no sign tells them: "the password is hunter2", `IDENTIFIED BY
// 'hunter2'`, `INSERT INTO users (name, password) VALUES (…)`. Assignments are in assignments.ts,
// command lines in kinds/commands.ts.

import { isParameter } from './assignments.ts';
import { announceWords, family } from './kinds/look.ts';
import { type ExtraFields, judgeKey, promisesSecret } from './kinds/names.ts';
import { anyOf, isBlank, patternOf } from './kinds/patterns.ts';
import { quotedEnd } from './kinds/quotes.ts';
import { hidesNothing, looksChosen, looksRandom } from './kinds/worth.ts';
import { scrubTalks } from './talks.ts';

const filtered = '[Filtered]';
announceWords(family.said, 'start', [
  'identify',
  'rocommunity',
  'rwcommunity',
  'identified',
  'code',
  'login',
  'logon',
  'logged',
  'sign',
  'auth',
  'snmp',
]);

/** Text without what is called a secret in words. `sawName`: a name that promises one stands in it. */
export function scrubProse(text: string, extra: ExtraFields, sawName: boolean, hit: () => void): string {
  let clean = scrubTalks(scrubLogins(text, hit), extra, hit);
  if (sawName || /identified|code\b/i.test(clean)) clean = scrubSaid(clean, hit);
  if (!sawName) return clean;
  clean = scrubTold(clean, extra, hit);
  if (/\binsert\b/i.test(clean)) clean = scrubInserted(clean, extra, hit);
  return clean;
}

/**
 * `login ann/…`, `signed in as ann with …`, `AUTH PLAIN …`; 1: what stands in front of the secret, 2: the
 * secret.
 */
const logins = patternOf(
  'gi',
  String.raw`(\b(?:log(?:in|on|ged in)|sign(?:ed)?[- ]?in)(?: (?:as|with|for|by|user)){0,2}`,
  String.raw` {1,2}[\w.@+-]{1,64}(?:[/:]| (?:with|using|by) )`,
  String.raw`|(?<![=\w])AUTH(?: (?:PLAIN|LOGIN|XOAUTH2|CRAM-MD5|NTLM))? )`,
  String.raw`([^\s"'=\\]{8,512}={0,2})`,
);
/** `your code is 482913` (1: the words, 2: the code) and `482913 is your code` (3: the code). */
const oneTimeCode = patternOf(
  'gi',
  String.raw`(\b(?:your|login|sign-in|one-time|security|verification)(?: [\w-]{1,16}){0,2}`,
  ' code(?: is)?:? {1,2})',
  String.raw`(\d{4,8})\b|\b(\d{4,8})(?= (?:is|as) your [\w -]{0,32}code\b)`,
);

/** `a1 LOGIN ann hunter2`, as mail servers are spoken to; 1: all in front of the secret. */
const mailLogin = /((?:^|\s)[A-Za-z]{0,8}\d{1,6} LOGIN (?:"[^"\n]{1,128}"|[^\s"]{1,128}) "?)([^\s"]{6,256})/g;

function scrubLogins(text: string, hit: () => void): string {
  let clean = !text.includes(' LOGIN ')
    ? text
    : text.replace(mailLogin, (whole: string, head: string, secret: string) => {
        if (!looksChosen(secret)) return whole;
        hit();
        return `${head}${filtered}`;
      });
  if (/log|sign|\bauth\s/i.test(clean)) {
    clean = clean.replace(logins, (whole: string, head: string, value: string) => {
      if (!looksRandom(value.replace(/[.,;:!?)]+$/, ''))) return whole;
      hit();
      return `${head}${filtered}`;
    });
  }
  if (!/\d{4}/.test(clean) || !/code\b/i.test(clean)) return clean;
  return clean.replace(oneTimeCode, (_whole: string, head: string | undefined) => {
    hit();
    return `${head ?? ''}${filtered}`;
  });
}

/** Names as sentences have them. */
const saidNames = anyOf([
  'pass(?:word|phrase|code|wd|wort)|kennwort|PASS|pwd|psk',
  '(?:api|access|private|secret|license|encryption|activation|account)[ -]?key',
  `${anyOf('verification confirmation one-time security login access reset recovery backup sms')} code`,
  'auth(?:entication|orization)? code',
  'secret|token|session(?:[ _-]?id)?|otp|pin|cvv2?|cvc2?|ssn|mnemonic|(?:seed|recovery) phrase',
  String.raw`identified(?: with [\w'"]{1,64})? (?:by|as)(?: password)?`,
]);
/** "for ann" between the name and what is said of it, then "is", "was set to" and their like. */
const saidBetween = [
  String.raw`(?:\s{1,4}(?:for|of|from)\s{1,4}[^\n:=]{1,64}?(?=\s{1,4}(?:is|was)\s|\s{0,4}(?:[:=→]|->)))?`,
  String.raw`(?:\s{1,4}(?:is|was|lautet|provided|given|used|supplied|set to|value|code|number)){0,2}`,
  String.raw`\s{0,2}(?:[:=→]|->)?\s{1,4}`,
].join('');
const said = patternOf(
  'gi',
  String.raw`\b(${saidNames})(${saidBetween})`,
  String.raw`("[^"\n]{1,256}"|'[^'\n]{1,256}'|${'`'}[^${'`'}\n]{1,256}${'`'}|[^\s"'<>,;()]{3,256})`,
);

function scrubSaid(text: string, hit: () => void): string {
  return text.replace(said, (whole: string, name: string, between: string, value: string, at: number) => {
    const isPass = name.length === 4 && /^pass$/i.test(name);
    if (isPass && (name !== 'PASS' || !isServerTalk(text, at, value))) return whole;
    const before = isBlank(text.charCodeAt(at - 1)) ? text.slice(Math.max(0, at - 48), at) : '';
    if (!looksSecret(name.toLowerCase(), value, before, between)) return whole;
    if (before !== '' && /(?:unexpected|unrecognized|illegal)\s{1,4}$/i.test(before)) return whole;
    if (isParameter(text, at)) return whole;
    hit();
    const quote = isQuote(value[0]) ? (value[0] as string) : '';
    const end = quote === '' ? (/[.!?)]+$/.exec(value)?.[0] ?? '') : '';
    return `${name}${between}${quote}${filtered}${quote}${end}`;
  });
}

/**
 * `USER ann` and then `PASS hunter2`: mail and file servers are spoken to so. Runners of tests say PASS too.
 */
function isServerTalk(text: string, at: number, value: string): boolean {
  if (looksRandom(value)) return true;
  return (
    /(?:^|\n)[^\n]{0,16}$/.test(text.slice(Math.max(0, at - 17), at)) &&
    /\bUSER \S/.test(text.slice(Math.max(0, at - 256), at))
  );
}

/** `login ann password hunter2`: what stands in front of the name. */
const behindLogin = /\blogin\s{1,4}\S{1,64}\s{1,4}$/i;

/**
 * A plain word of a sentence is no secret; one that mixes letters with digits or signs is, and so is what is
 * quoted after the word "password".
 */
function looksSecret(name: string, value: string, before: string, between: string): boolean {
  const isQuoted = isQuote(value[0]);
  const bare = withoutQuotes(value);
  if (bare.startsWith('[') || (bare.startsWith('-') && !isQuoted) || hidesNothing(bare, isQuoted)) {
    return false;
  }
  if (isNameItself(bare, name)) return false;
  if (/^(?:otp|pin|cv|ssn)|code$/.test(name)) {
    return /^\d[\d-]{2,11}$/.test(bare) && !(name === 'pin' && bare.length < 4);
  }
  const mixed = /\d/.test(bare) && /[a-z]/i.test(bare);
  const isPassword = /^(?:pass|pwd|psk|kennwort|identified|mnemonic|seed|recovery)/.test(name);
  if (
    /key$|^secret/.test(name) &&
    /\s(?:is|lautet)\s|[:=]\s/.test(between) &&
    /^[\w.+/=~!$%*&^#@-]{6,}$/.test(bare) &&
    /[a-z][A-Z]|\d/.test(bare)
  ) {
    return true;
  }
  if (!isPassword) {
    return (
      bare.length >= 8 && mixed && /^[\w.+/=~:!$%*&^#@-]+$/.test(bare) && !/\.[a-z]{1,5}(?::\d|$)/.test(bare)
    );
  }
  if (isQuoted) return bare.length >= 3 && !/^[A-Z]?[a-z]+(?: [a-z]+)+$/.test(bare);
  if (/^[\w/.-]+\.[a-z]{1,5}(?::\d+)*$|^[$@]?[\w.>-]+[[(]|^\w+::/.test(bare)) return false;
  return behindLogin.test(before) || mixed || /[a-z][A-Z]|[!@#$%^&*+~]/.test(bare) || /^\d{4,}$/.test(bare);
}

function isQuote(sign: string | undefined): boolean {
  return sign === '"' || sign === "'" || sign === '`';
}

/** The value without its quotes and without the signs that end a sentence. */
function withoutQuotes(value: string): string {
  const start = isQuote(value[0]) ? 1 : 0;
  let end = value.length;
  while (end > start && '"\'`.!?'.includes(value[end - 1] as string)) end -= 1;
  return value.slice(start, end);
}

/** "password pass_word": the name once more, in whatever way it is written. */
function isNameItself(bare: string, name: string): boolean {
  // The first letter is looked at before both are brought to one form.
  const first = bare[0] ?? '';
  if (first !== '_' && first !== '-' && first.toLowerCase() !== name[0]) return false;
  return bare.toLowerCase().replaceAll(/[_-]/g, '') === name.replaceAll(/[ _-]/g, '');
}

/** `Duplicate entry '…' for key 'users.token'`: 1: the words in front, 2: the value, 3: what it is of. */
const told = patternOf(
  'gi',
  String.raw`(\b(?:entry|value):? ')([^'\n]{1,512})(?=' for (?:key|column) `,
  `(['"${'`'}][^\\s]{1,192}['"${'`'}]))`,
);

/** What a database tells of a value before it says of which column. */
function scrubTold(text: string, extra: ExtraFields, hit: () => void): string {
  if (!text.includes("' for ")) return text;
  return text.replace(told, (whole: string, head: string, value: string, place: string) => {
    const column = place.slice(place.lastIndexOf('.') + 1);
    if (!promisesSecret(judgeKey(column, extra)) || hidesNothing(value, true)) return whole;
    hit();
    return `${head}${filtered}`;
  });
}

/** Names in other languages with the value beside them: 1: the name, 2: a quote, 3: the value. */
const saidForeign = patternOf(
  'giu',
  '((?:пароль|parola|mot de passe|contraseña|senha|wachtwoord|hasło|şifre',
  String.raw`|密码|密碼|パスワード|비밀번호)\s{0,2})`,
  String.raw`([«「“„"'‘]\s?|)([^\s«»「」“”„"'‘’]{3,256})`,
);

/** Text without what is called a secret in other languages, which have no blank beside it or none at all. */
export function scrubForeign(text: string, hit: () => void): string {
  return text.replace(saidForeign, (whole: string, name: string, quote: string, value: string) => {
    if (hidesNothing(value, true) || !looksChosen(value)) return whole;
    hit();
    return `${name}${quote}${filtered}`;
  });
}

const insertHead = patternOf(
  'i',
  String.raw`\binsert\s{1,4}(?:ignore\s{1,4})?into\s{1,4}[^\s(]{1,128}\s{0,4}`,
  String.raw`\(([^()]{1,2048})\)\s{0,4}values\b`,
);

/**
 * Where one of the columns is a secret's, no literal of the values is kept; of values without quotes, those
 * of the column.
 */
function scrubInserted(text: string, extra: ExtraFields, hit: () => void): string {
  const head = insertHead.exec(text);
  if (head === null) return text;
  const columns = (head[1] ?? '').split(',').map((column) => promisesSecret(judgeKey(column.trim(), extra)));
  if (!columns.includes(true)) return text;
  let position = head.index + head[0].length;
  let clean = text.slice(0, position);
  for (let at = nextQuote(text, position); at !== -1; at = nextQuote(text, position)) {
    const quote = text[at] ?? '';
    const end = quotedEnd(text, at, quote);
    const isEmpty = end === at + 2 || text.startsWith(filtered, at + 1);
    if (!isEmpty) hit();
    clean += text.slice(position, at) + (isEmpty ? text.slice(at, end) : `${quote}${filtered}${quote}`);
    position = end;
  }
  const start = head.index + head[0].length;
  return clean.slice(0, start) + scrubTuples((clean + text.slice(position)).slice(start), columns, hit);
}

/**
 * `(ann, hunter2), (bob, x)`: the values of the columns that hold secrets, where there are as many values as
 * columns.
 */
function scrubTuples(values: string, columns: readonly boolean[], hit: () => void): string {
  return values.replace(/\(([^()]{1,4096})\)/g, (whole: string, inner: string) => {
    const cells = inner.split(',');
    if (cells.length !== columns.length) return whole;
    const kept = cells.map((cell, at) => {
      const bare = cell.trim();
      if (columns[at] !== true || /^["']/.test(bare) || hidesNothing(bare, false)) return cell;
      hit();
      return cell.replace(bare, () => filtered);
    });
    return `(${kept.join(',')})`;
  });
}

const quoteSign = /["']/g;

function nextQuote(text: string, from: number): number {
  quoteSign.lastIndex = from;
  return quoteSign.exec(text)?.index ?? -1;
}
