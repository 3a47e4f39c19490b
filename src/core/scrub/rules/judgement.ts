// Whether what stands behind the name of a secret is one: by what its name says, by how it stands there, and
// by what it looks like. A place in a program, a type, a word of a sentence and the name of another field are
// none.

import {
  hidesNothing,
  isCodePath,
  isComplaint,
  isFieldName,
  isListOfComplaints,
  isPlainWord,
  isValidatorRule,
  looksChosen,
  looksLikePin,
  looksRandom,
} from '../table/false-positives.ts';
import { judgeKey, type KeyVerdict, noFields, promisesSecret, wordsOf } from '../table/names.ts';
import { anyOf, patternOf, textBefore } from '../table/patterns.ts';
import type { Value } from './bare-values.ts';
import type { Follower } from './forms.ts';
import type { Name } from './places.ts';

/** A value behind a name, with all that tells what it is. */
interface Finding {
  readonly text: string;
  readonly name: Name;
  readonly verdict: KeyVerdict;
  readonly follower: Follower;
  readonly value: Value;
  /** The text is source code. */
  readonly isSource: boolean;
}

/** Whether the value is a secret. */
export function isSecret(finding: Finding): boolean {
  const { text, name, verdict, follower, value } = finding;
  const bare = value.bare.trim();
  // What is asked of the whole value can wait where its look says no.
  if (verdict === 'random' && !looksRandom(bare)) return false;
  if (verdict === 'pin' && follower.way !== 'hint' && !looksLikePin(bare)) return false;
  if (hidesNothing(bare, value.isQuoted) || isValidatorRule(bare)) return false;
  if (verdict === 'random') return true;
  if (follower.way === 'hint') {
    if (isExpression(text, value)) return false;
    const isSetTo = /pass(?:word|wd|phrase)|pwd/i.test(name.text) || isToldToSet(text, name);
    return isSetTo ? looksChosen(bare) : looksRandom(bare);
  }
  // An address is no secret; what is one in it is found by the rules for links.
  if ('hHwW'.includes(bare[0] ?? '') && /^(?:https?|wss?):\/\//i.test(bare)) return false;
  if (verdict === 'pin') return true;
  if (verdict === 'counted' && bare.length < 10 && /^\d{1,9}$/.test(bare)) return false;
  if (isParserTalk(text, name) || isPolicyNonce(text, name)) return false;
  if (value.isQuoted) return isQuotedSecret(finding);
  // In a comment of source code, and in a command that stands there in a text of several lines.
  if (finding.isSource && follower.way !== 'element') {
    const isSet = text.slice(name.end, follower.start) === '=' || follower.way === 'option';
    if (!(isSet ? looksChosen(bare) : looksRandom(bare))) return false;
  }
  return isBareSecret(finding, bare);
}

/** `aws configure set aws_secret_access_key …`, `config set auth-token …`. */
function isToldToSet(text: string, name: Name): boolean {
  return /(?:^|[\s:])set\s$/i.test(textBefore(text, name.start, 6));
}

/** "Unexpected token: <" is a parser speaking. */
function isParserTalk(text: string, name: Name): boolean {
  return (
    (name.text.length === 5 || name.text.length === 6) &&
    'tT'.includes(name.text[0] ?? '?') &&
    /^tokens?$/i.test(name.text) &&
    /(?:unexpected|unrecognized|illegal)\s$/i.test(textBefore(text, name.start, 16))
  );
}

/** `<script nonce="…">`: everyone who reads the page may read it. */
function isPolicyNonce(text: string, name: Name): boolean {
  if (name.text !== 'nonce') return false;
  const before = textBefore(text, name.start, 256);
  const tag = before.slice(Math.max(0, before.lastIndexOf('<')));
  return /^<(?:script|style|link)\b[^<>]*$/i.test(tag);
}

function isQuotedSecret(finding: Finding): boolean {
  const { text, name, follower, value, isSource } = finding;
  const { bare } = value;
  if (value.wrapper !== '' && !makesSecrets.test(value.wrapper)) return looksRandom(bare);
  if (follower.way === 'column' && isPlainWord(bare)) return false;
  if (isComplaint(bare)) return false;
  if (isNameOfIt(name.text, bare) || isKindOfValue(text, name, bare) || isPartOfText(finding)) return false;
  if (isSource && isWordOfCode(finding)) return false;
  return follower.way !== 'pair' || isSecondOfPair(finding);
}

/** Functions that make or hold a secret; of others a literal is mostly the name of something. */
const makesSecrets = patternOf(
  'i',
  String.raw`^(?:\(|(?:\[\])?`,
  anyOf([
    'some|optional|just|ok|right|str(?:ing)?|bytes?|from|strdup|trim|strip|quote|value|of|concat|text',
    'cstr|char',
    String.raw`buffer\.(?:from|alloc)|encode|decode|b64\w*|base64\w*|atob|btoa|unhex|encrypt|decrypt`,
    String.raw`md5|sha\d*|hash\w*|secret\w*|password\w*|secure\w*|\w*securestring|protected\w*|sensitive\w*`,
  ]),
  ')$',
);

const headerName = /^X(?:-[A-Z][A-Za-z]+)+$/;

/**
 * `const PASSWORD = "password"`, `TOTAL_TOKENS = "usage.total_tokens"`: the name of a field, and not its
 * value.
 */
function isNameOfIt(name: string, value: string): boolean {
  if (value.toLowerCase() === name.slice(name.lastIndexOf('.') + 1).toLowerCase()) return true;
  if (value.startsWith('X-') && headerName.test(value)) return promisesSecret(judgeKey(value, noFields));
  if (!/^[a-z_]+(?:[.:][a-z_]+)+$/.test(value)) return false;
  const last = wordsOf(value.slice(value.lastIndexOf('.') + 1));
  const words = wordsOf(name);
  return last.some((word) => words.includes(word));
}

/** `typeof token === "number"`. */
function isKindOfValue(text: string, name: Name, value: string): boolean {
  return (
    'snbofu'.includes(value[0] ?? '?') &&
    /^(?:string|number|boolean|object|function|undefined|symbol|bigint)$/.test(value) &&
    /typeof\s[\w.?[\]]{0,64}$/.test(textBefore(text, name.start, 80))
  );
}

/**
 * `'Cookie: '`, `'wordpress_' . HASH`, `('direct' !== $method)`: a beginning that goes on, a label, one side
 * of a question.
 */
function isPartOfText({ text, value }: Finding): boolean {
  const { bare } = value;
  if (bare.length <= 35 && /^[\w -]{1,32}[:=]\s{0,2}$/.test(bare)) return !looksRandom(bare);
  const next = text.slice(value.end, value.end + 8);
  const goesOn = /^\s?[.+]\s?[^\s.+]/.test(next);
  if (goesOn && (/[-_:/.= ]$/.test(bare) || /[$]\w/.test(bare))) return !looksRandom(bare);
  return value.wrapper === '(' && /^\s?(?:[!=<>]=|\?|&&|\|\|)/.test(next);
}

const machineMade = /^(?:_?wp)?(?:nonce|cookies?|sessions?|csrf|xsrf|auth|oauth|sid|sig)$/i;

/**
 * `$nonce = 'update-plugin'`, `'private_key' => 'FTP_PRIKEY'`: in code, words for what only machines make are
 * names of actions and kinds, and words in capitals are names of constants.
 */
function isWordOfCode({ name, value, follower }: Finding): boolean {
  if (follower.isQuotedName && follower.way === 'pair') return false;
  if (/^[A-Z]+(?:_[A-Z]+)+$/.test(value.bare)) return true;
  const secret = wordsOf(name.text).find((word) => promisesSecret(judgeKey(word, noFields))) ?? '';
  return machineMade.test(secret) && /^[a-z]+(?:[-_ .][a-z]+)*[-_]?$/.test(value.bare);
}

/**
 * `['password', 'hunter']`, `set('password', 'hunter')`: a name and its value. In a longer list a plain word
 * is one more name, and so is one that is called a secret itself.
 */
function isSecondOfPair({ text, name, value, follower }: Finding): boolean {
  const { bare } = value;
  if (hidesNothing(bare, false) || isFieldName(bare) || /^[A-Za-z]+(?: [A-Za-z]+)+$/.test(bare)) return false;
  if (isOption(name.text) && bare.startsWith('-')) return false;
  if (isArgumentOfOption(text, name)) return true;
  if (/^[~.]?\/|\w\.\w{1,5}$|^v?\d+(?:\.\d+)+$|\(\)$/.test(bare)) return looksRandom(bare);
  if (/\s\S+\s/.test(bare) || !endsAsSecret(name.text)) return looksRandom(bare);
  if (/^[a-z_-]+$/.test(bare) && promisesSecret(judgeKey(bare, noFields))) return false;
  if (!follower.isQuotedName) return true;
  const open = textBefore(text, name.start, 12);
  const isArgument = /\(\s{0,8}[\\"'`bBuU]{1,4}$/.test(open);
  const isFirst = isArgument || /[[{]\s{0,8}[\\"'`bBuU]{1,4}$/.test(open);
  const isLast = /^\s{0,8},?\s{0,8}[)\]}]/.test(text.slice(value.end, value.end + 20));
  if (isFirst && isLast) return true;
  return isArgument ? !/^[a-z_.-]+$|^[A-Z_]+$/.test(bare) : !/^[A-Za-z_$][A-Za-z_.$*-]*$/.test(bare);
}

/** `['dump', '--password', 'correct-horse']`; not where a program says which options it has. */
function isArgumentOfOption(text: string, name: Name): boolean {
  const before = textBefore(text, name.start, 96);
  return (
    isOption(name.text) &&
    /["'`]$/.test(before) &&
    !/(?:opt|option|argument|arg|flag|param|parameter|switch)s?\(\s{0,8}(?:[bu]?["'`][^"'`\n]{0,32}["'`],\s{0,8}){0,2}[\\bBuU]{0,4}["'`]$/i.test(
      before,
    ) &&
    endsAsSecret(name.text)
  );
}

function isOption(name: string): boolean {
  return /^--?[A-Za-z]/.test(name);
}

/** Whether the last words of a name are what makes it a secret: "db_password", and not "password_meter". */
function endsAsSecret(name: string): boolean {
  const words = wordsOf(name);
  const last = words.slice(-2).join(' ');
  return (
    promisesSecret(judgeKey(words.at(-1) ?? '', noFields)) ||
    promisesSecret(judgeKey(last, noFields)) === promisesSecret(judgeKey(name, noFields))
  );
}

const general = patternOf(
  'i',
  `^${anyOf(`pass auth token tokens session sessions secret secrets cookie cookies creds credential
    credentials key nonce bearer jwt oauth csrf`)}$`,
);

function isBareSecret({ text, name, follower, value }: Finding, bare: string): boolean {
  if (isNestedKey(text, follower, bare)) return false;
  if ('[{'.includes(bare[0] ?? '?') && isListOfComplaints(bare)) return false;
  if (isCodePath(bare) || isExpression(text, value) || isNameOfIt(name.text, bare)) return false;
  if ('~./[{'.includes(bare[0] ?? '') && /^[~.]?\/[\w./-]+\.[a-z]{1,5}$|^[[{]\.\.\./.test(bare)) return false;
  if (isOtherName(text, name, follower, bare)) return false;
  if (follower.way !== 'sign' && isCookie(name.text) && !bare.includes('=')) {
    return looksChosen(bare);
  }
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

function isCookie(name: string): boolean {
  return name.length >= 6 && 'eE2'.includes(name.at(-1) ?? '?') && /cookie2?$/i.test(name);
}

/** The name below a name in YAML, which is judged by itself. */
function isNestedKey(text: string, follower: Follower, bare: string): boolean {
  return (
    follower.way === 'colon' &&
    bare.endsWith(':') &&
    /\n[ \t]*$/.test(textBefore(text, follower.start, 34)) &&
    /^[\w.-]{1,64}:$/.test(bare)
  );
}

/** `apiKey -> clientKey`, `password === confirmPassword`: what is called otherwise now, or is compared. */
function isOtherName(text: string, name: Name, follower: Follower, bare: string): boolean {
  if (follower.way !== 'sign' && follower.way !== 'hint') return false;
  const isArrow = /^\s{0,4}(?:[-=]>|→|[!=]==?)/.test(text.slice(name.end, follower.start));
  return (
    isArrow && /^[A-Za-z]+(?:[A-Z][a-z]+|_[a-z]+)$/.test(bare) && promisesSecret(judgeKey(bare, noFields))
  );
}

/** `= name(…)`, `= name["…"]`: an expression, of which the value is the beginning. */
function isExpression(text: string, value: Value): boolean {
  const rest = text.slice(value.end, value.end + 8);
  // `$hasher->…`: the arrow of PHP is cut at its head.
  if (rest.startsWith('>') && /^\$[A-Za-z_]\w{0,64}-$/.test(value.bare)) return true;
  if (!'[('.includes(rest[0] ?? 'x') && !value.bare.includes('(') && !value.bare.includes('[')) return false;
  const next = /^\[\d[\d;]*m/.test(rest) ? '' : (rest[0] ?? '');
  const begins = `${value.bare.slice(0, 128)}${'[('.includes(next) ? next : ''}`;
  return /^[$@]?[A-Za-z_][\w$]{0,64}(?:(?:\?\.|\.|->|::)\$?\w{1,64}){0,8}(?:\(|\[(?:$|["'$\d]))/.test(begins);
}

/** A cell ends with its line, a tab, the edge of a table or two blanks; a sentence goes on. */
function endsCell(text: string, end: number): boolean {
  return end >= text.length || /^(?:[ ]?[\r\n\t|]|[ ]{2}|[ ]?$|[ ]?<\/)/.test(text.slice(end, end + 3));
}

function closesElement(text: string, name: Name, value: Value): boolean {
  const rest = text.slice(value.end, value.end + name.text.length + 80);
  if (/^\s{0,32}(?:<|&lt;)\/|^\]\]>/.test(rest)) return true;
  return rest === '' && looksRandom(value.bare);
}

/** "auth: add the login page": words go on behind the first one. What is called a password is said in one. */
function isPhrase(text: string, name: Name, value: Value, bare: string): boolean {
  if (name.text === 'PASS' || (bare.length < 3 && /^\d{1,2}$/.test(bare))) return true;
  if (!/^[A-Za-z][a-z']*[,.;:!?]?$/.test(bare)) return false;
  const rest = text.slice(value.end, value.end + 16);
  const goesOn = /^[,.;:]?[ ][A-Za-z(`]/.test(rest);
  return goesOn && (general.test(name.text) || /^[ ](?:[a-z]{1,12}|`\w{1,12}`)[ .,!?]/.test(rest));
}
