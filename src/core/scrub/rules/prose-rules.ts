// Secrets in prose and in protocols, without a separator: "the password is hunter2", `AUTH hunter2`.

import { isPublicValue, looksLikePassword, looksRandom } from '../table/false-positives.ts';
import { classifyFieldName, type ExtraFields, isSecretVerdict } from '../table/names.ts';
import { alternatives, isBlank, joinPattern, textBefore } from '../table/patterns.ts';
import { registerWords, wordFamilies } from '../table/prefilter.ts';
import type { ScrubMatch, TextRule, TextRules } from '../table/rules.ts';
import { isFunctionParameter } from './assignments.ts';

registerWords(
  wordFamilies.said,
  'start',
  'identify rocommunity rwcommunity identified code login logon logged sign auth snmp'.split(' '),
);

const isChosen = ({ secret }: { readonly secret: string }): boolean =>
  looksLikePassword(secret) && !isPublicValue(secret, false);
const isOfField = (field: string, secret: string, extra: ExtraFields): boolean =>
  isSecretVerdict(classifyFieldName(field, extra)) && !isPublicValue(secret, true);

const namesInProse = alternatives([
  'pass(?:word|phrase|code|wd|wort)|kennwort|PASS|pwd|psk',
  '(?:api|access|private|secret|license|encryption|activation|account)[ -]?key',
  `${alternatives('verification confirmation one-time security login access reset recovery backup sms')} code`,
  'auth(?:entication|orization)? code',
  'secret|token|session(?:[ _-]?id)?|otp|pin|cvv2?|cvc2?|ssn|mnemonic|(?:seed|recovery) phrase',
  String.raw`identified(?: with [\w'"]{1,64})? (?:by|as)(?: password)?`,
]);
/** "for ann" after the name, then "is", "was set to" and similar. */
const textBetween = [
  String.raw`(?:\s{1,4}(?:for|of|from)\s{1,4}[^\n:=]{1,64}?(?=\s{1,4}(?:is|was)\s|\s{0,4}(?:[:=→]|->)))?`,
  String.raw`(?:\s{1,4}(?:is|was|lautet|provided|given|used|supplied|set to|value|code|number)){0,2}`,
  String.raw`\s{0,2}(?:[:=→]|->)?\s{1,4}`,
].join('');
/** Java and .NET validation errors: the field before the rejected value. */
const refusedField =
  /\b(?:on field |(?:propertyPath|propertyName|field|path)["']?\s?[:=]\s?)["']?([\w.[\]]{1,128})[^\n{}]*$/i;

const sentenceRules: TextRules = {
  // IMAP: `a1 LOGIN ann hunter2`.
  'login to a mail server': {
    words: / LOGIN /,
    pattern: joinPattern(
      'g',
      String.raw`(?:^|\s)[A-Za-z]{0,8}\d{1,6} LOGIN (?:"[^"\n]{1,128}"|[^\s"]{1,128}) "?`,
      String.raw`(?<secret>[^\s"]{6,256})`,
    ),
    isSecret: ({ secret }) => looksLikePassword(secret),
  },
  login: {
    words: /log|sign|\bauth\s/i,
    pattern: joinPattern(
      'gi',
      String.raw`(?:\b(?:log(?:in|on|ged in)|sign(?:ed)?[- ]?in)(?: (?:as|with|for|by|user)){0,2}`,
      String.raw` {1,2}[\w.@+-]{1,64}(?:[/:]| (?:with|using|by) )`,
      String.raw`|(?<![=\w])AUTH(?: (?:PLAIN|LOGIN|XOAUTH2|CRAM-MD5|NTLM))? )`,
      String.raw`(?<secret>[^\s"'=\\]{8,512}={0,2})`,
    ),
    isSecret: ({ secret }) => looksRandom(secret.replace(/[.,;:!?)]+$/, '')),
  },
  'one-time code': {
    words: /code\b/i,
    pattern: joinPattern(
      'gi',
      String.raw`(?:\b(?:your|login|sign-in|one-time|security|verification)(?: [\w-]{1,16}){0,2}`,
      String.raw` code(?: is)?:? {1,2}(?=\d{4,8}\b)|\b(?=\d{4,8} (?:is|as) your [\w -]{0,32}code\b))`,
      String.raw`(?<secret>\d{4,8})`,
    ),
  },
  // Redis `AUTH hunter2` and IRC `IDENTIFY hunter2`, alone on a line.
  'login to a server': {
    words: /AUTH|IDENTIFY/,
    pattern: joinPattern(
      'g',
      String.raw`(?:^|\n|> |:)(?:AUTH|IDENTIFY)(?: [\w.@-]{1,64})? "?`,
      String.raw`(?<secret>[^\s"]{6,256})(?="?\s{0,2}(?:\n|$))`,
    ),
    isSecret: isChosen,
  },
  // SMTP: "Password:" in Base64, then the answer.
  'password for SMTP': {
    words: /334 UGFz/,
    pattern: joinPattern(
      'g',
      String.raw`334 UGFzc3dvcmQ6[^\n]{0,40}\n(?:[\w:<>-]{1,24} (?:-> \w{1,16}: )?)?['"]?`,
      String.raw`(?<secret>[\w+/]{4,512}={0,2})(?=(?:\\r\\n)?['"]?\s{0,2}(?:\n|$))`,
    ),
    isSecret: ({ secret }) =>
      /^[\x20-\x7e]+$/.test(Buffer.from(secret, 'base64').toString('latin1')) &&
      !isPublicValue(secret, false),
  },
  // SNMP community names: `rocommunity …`, `snmp-server community …`.
  'community of SNMP': {
    words: /community/,
    pattern: /\b(?:snmp-server community|r[ow]community6?) "?(?<secret>[^\s"]{4,128})/g,
    isSecret: isChosen,
  },
  // Routers: `password 7 094F471A1A0A`; the number is the encoding.
  'secret of a router': {
    words: /(?:password|secret|key|string) \d /,
    pattern: /\b(?:password|secret|key|key-string) \d (?<secret>[^\s"']{6,256})(?=\s{0,2}(?:\n|$))/g,
    isSecret: isChosen,
  },
  // Pydantic: the field is on the line above.
  'input of Pydantic': {
    words: /input_value=/,
    pattern: joinPattern(
      'g',
      String.raw`(?:^|\n)(?<field>[\w.[\]-]{1,128})\n {1,8}[^\n]{1,512}\binput_value=`,
      String.raw`(?<secret>'[^'\n]*'|"[^"\n]*")`,
    ),
    isSecret: ({ secret, groups: { field = '' }, extra }) => isOfField(field, secret, extra),
  },
  // `rejected value […]`, `invalidValue=…`.
  'refused value': {
    words: /(?:invalid|attempted|rejected) ?value/i,
    pattern: joinPattern(
      'gi',
      String.raw`(?:rejected value \[|\b(?:invalid|attempted|rejected)Value["']?\s?[:=]\s?["']?)`,
      String.raw`(?<secret>[^"',}\]\n]{3,512})`,
    ),
    isSecret: ({ secret, text, at, extra }) => {
      const field = refusedField.exec(textBefore(text, at, 256))?.[1];
      return field !== undefined && isOfField(field, secret, extra);
    },
  },
  sentence: {
    pattern: joinPattern(
      'gi',
      String.raw`\b(?<name>${namesInProse})(?<between>${textBetween})(?<secret>`,
      String.raw`"[^"\n]{1,256}"|'[^'\n]{1,256}'|${'`'}[^${'`'}\n]{1,256}${'`'}`,
      String.raw`|[^\s"'<>,;()]{2,255}[^\s"'<>,;().!?${'`'}])`,
    ),
    isSecret: isNamedSecret,
  },
  // `Duplicate entry '…' for key 'users.token'`: a database error with the value before its column.
  'entry of a column': {
    isNamed: true,
    words: /' for /,
    pattern: joinPattern(
      'gi',
      String.raw`\b(?:entry|value):? '(?<secret>[^'\n]{1,512})(?=' for (?:key|column) `,
      `(?<place>['"${'`'}][^\\s]{1,192}['"${'`'}]))`,
    ),
    isSecret: ({ secret, groups: { place: fieldPath = '' }, extra }) =>
      isOfField(fieldPath.slice(fieldPath.lastIndexOf('.') + 1), secret, extra),
  },
};

/** A plain word is not a secret; mixed letters and digits are, and quoted text after "password". */
function isNamedSecret({ secret, isQuoted, at, text, groups: { name = '', between = '' } }: ScrubMatch) {
  const before = isBlank(text.charCodeAt(at - 1)) ? textBefore(text, at, 48) : '';
  if (/^pass$/i.test(name) && (name !== 'PASS' || !isServerTalk(text, at, secret))) return false;
  if (/(?:unexpected|unrecognized|illegal)\s{1,4}$/i.test(before) || isFunctionParameter(text, at))
    return false;
  const trimmed = secret.replace(/["'`.!?]+$/, '');
  const lowerCased = name.toLowerCase();
  if (trimmed.startsWith('[') || (trimmed.startsWith('-') && !isQuoted)) return false;
  if (isPublicValue(trimmed, isQuoted) || isNameItself(trimmed, lowerCased)) return false;
  if (/^(?:otp|pin|cv|ssn)|code$/.test(lowerCased)) {
    return /^\d[\d-]{2,11}$/.test(trimmed) && !(lowerCased === 'pin' && trimmed.length < 4);
  }
  const isMixed = /\d/.test(trimmed) && /[a-z]/i.test(trimmed);
  if (
    /key$|^secret/.test(lowerCased) &&
    /\s(?:is|lautet)\s|[:=]\s/.test(between) &&
    /^[\w.+/=~!$%*&^#@-]{6,}$/.test(trimmed) &&
    /[a-z][A-Z]|\d/.test(trimmed)
  ) {
    return true;
  }
  if (!/^(?:pass|pwd|psk|kennwort|identified|mnemonic|seed|recovery)/.test(lowerCased)) {
    const isLong = trimmed.length >= 8 && /^[\w.+/=~:!$%*&^#@-]+$/.test(trimmed);
    return isLong && isMixed && !/\.[a-z]{1,5}(?::\d|$)/.test(trimmed);
  }
  if (isQuoted) return trimmed.length >= 3 && !/^[A-Z]?[a-z]+(?: [a-z]+)+$/.test(trimmed);
  if (/^[\w/.-]+\.[a-z]{1,5}(?::\d+)*$|^[$@]?[\w.>-]+[[(]|^\w+::/.test(trimmed)) return false;
  const isBehindLogin = /\blogin\s{1,4}\S{1,64}\s{1,4}$/i.test(before);
  return isBehindLogin || isMixed || /[a-z][A-Z]|[!@#$%^&*+~]/.test(trimmed) || /^\d{4,}$/.test(trimmed);
}

/** `USER ann`, then `PASS hunter2`, in mail and FTP logs. Test runners print PASS too. */
function isServerTalk(text: string, at: number, value: string): boolean {
  if (looksRandom(value)) return true;
  return /(?:^|\n)[^\n]{0,16}$/.test(textBefore(text, at, 17)) && /\bUSER \S/.test(textBefore(text, at, 256));
}

/** "password pass_word": the name repeated. */
function isNameItself(secret: string, name: string): boolean {
  return secret.toLowerCase().replaceAll(/[_-]/g, '') === name.replaceAll(/[ _-]/g, '');
}

export const proseRules: TextRule = {
  signs: [' \t\n'],
  noSource: true,
  applies: ({ sawName, scan }) => sawName || (scan.families & wordFamilies.said) !== 0,
  rules: sentenceRules,
};

/** In languages that may have no space next to a word. */
export const foreignLanguageRule: TextRule = {
  isNamed: true,
  noSource: true,
  pattern: joinPattern(
    'giu',
    '(?:пароль|parola|mot de passe|contraseña|senha|wachtwoord|hasło|şifre',
    String.raw`|密码|密碼|パスワード|비밀번호)\s{0,2}(?:[«「“„"'‘]\s?|)(?<secret>[^\s«»「」“”„"'‘’]{3,256})`,
  ),
  isSecret: ({ secret }) => !isPublicValue(secret, true) && looksLikePassword(secret),
};
