// Whether what stands behind the name of a secret is one: by what its name says, by how it stands there, and
// by what it looks like. A place in a program, a type, a word of a sentence and the name of another field are
// none.
import { judgeKey, type KeyVerdict, noFields, promisesSecret, wordsOf } from './names.ts';
import { anyOf, patternOf } from './patterns.ts';
import type { Value } from './readers.ts';
import type { Follower } from './separators.ts';
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
} from './worth.ts';

/** A name and where it stands in the text. */
export interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

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

/** Whether what stands behind the name is no value of it at all, whatever it looks like. */
export function isElsewhere(text: string, name: Name, follower: Follower): boolean {
  return isPlace(text, name, follower) || endsLiteral(text, name, follower);
}

/**
 * `auth.ts:10:5`, `PasswordTest::reset`, `/run/secrets/db: no such file`: a place in a program, and no name
 * of a value.
 */
function isPlace(text: string, name: Name, follower: Follower): boolean {
  if (follower.isQuotedName || (follower.way !== 'glued' && follower.way !== 'colon')) return false;
  const before = text[name.start - 1];
  const value = text.slice(follower.start, follower.start + 40);
  if (before === ':' && text[name.start - 2] === ':') return true;
  if ((before === '/' || before === '\\') && /^(?:[A-Za-z][a-z']*|\d{1,7})(?![\w/])/.test(value)) return true;
  if (follower.way !== 'glued') return false;
  if (/^\d{1,7}(?::\d{1,7})?(?![\w])/.test(value) && /\.[a-z]{1,5}$/i.test(name.text)) return true;
  // `php artisan password:reset`, `session:clear`: a command or an event, unless it stands in a dump in
  // brackets.
  const isWord = /^[a-z][a-z_-]*(?![\w@#$%^&*+=~!])/.test(value);
  return isWord && !/[{[(][^)\]}]*$/.test(textBefore(text, name.start, 200));
}

/** `'has credentials: ' + …`: the quote behind the name ends the literal that the name stands in. */
function endsLiteral(text: string, name: Name, follower: Follower): boolean {
  const quote = text[follower.start] ?? '';
  const next = text[follower.start + 1] ?? ' ';
  if (follower.isQuotedName || !/["'`]/.test(quote)) return false;
  // Ruby names a method so: in `password=': …
  if (quote === "'" && text[name.start - 1] === '`' && text[follower.start - 1] === '=') return true;
  const isOpen = (mark: string): boolean => {
    const line = textBefore(text, name.start, 256).split('\n').at(-1) ?? '';
    return line.split(mark).length % 2 === 0;
  };
  // `'data-nonce="' . …`: the attribute that begins here is written by what comes next.
  if (/["']/.test(next) && next !== quote && isOpen(next)) return true;
  return !/[^\s;,)\]}+.]/.test(next) && isOpen(quote);
}

function textBefore(text: string, at: number, charsMax: number): string {
  return text.slice(Math.max(0, at - charsMax), at);
}

/** Whether a place of source code stands in a comment. */
export function isComment(text: string, at: number): boolean {
  return /(?:^|\n)\s*(?:#|\/\/|\/?\*|--|;|<!--)[^\n]*$/.test(textBefore(text, at, 256));
}

/** Whether the value is a secret. */
export function isSecret(finding: Finding): boolean {
  const { text, name, verdict, follower, value } = finding;
  const bare = value.bare.trim();
  if (hidesNothing(bare, value.isQuoted) || isValidatorRule(bare)) return false;
  if (verdict === 'random') return looksRandom(bare);
  if (follower.way === 'hint') {
    if (isExpression(text, value)) return false;
    const isSetTo = /pass(?:word|wd|phrase)|pwd/i.test(name.text) || isToldToSet(text, name);
    return isSetTo ? looksChosen(bare) : looksRandom(bare);
  }
  // An address is no secret; what is one in it is found by the rules for links.
  if (/^(?:https?|wss?):\/\//i.test(bare)) return false;
  if (verdict === 'pin') return looksLikePin(bare);
  if (verdict === 'counted' && /^\d{1,9}$/.test(bare)) return false;
  if (isParserTalk(text, name) || isPolicyNonce(text, name)) return false;
  if (value.isQuoted) return isQuotedSecret(finding);
  if (finding.isSource && follower.way !== 'element' && !looksRandom(bare)) return false;
  return isBareSecret(finding, bare);
}

/** `aws configure set aws_secret_access_key …`, `config set auth-token …`. */
function isToldToSet(text: string, name: Name): boolean {
  return /(?:^|[\s:])set\s$/i.test(textBefore(text, name.start, 6));
}

/** "Unexpected token: <" is a parser speaking. */
function isParserTalk(text: string, name: Name): boolean {
  return (
    /^tokens?$/i.test(name.text) &&
    /(?:unexpected|unrecognized|illegal)\s$/i.test(textBefore(text, name.start, 16))
  );
}

/** `<script nonce="…">`: everyone who reads the page may read it. */
function isPolicyNonce(text: string, name: Name): boolean {
  return name.text === 'nonce' && /<(?:script|style|link)\b[^<>]*$/i.test(textBefore(text, name.start, 256));
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

/**
 * `const PASSWORD = "password"`, `TOTAL_TOKENS = "usage.total_tokens"`: the name of a field, and not its
 * value.
 */
function isNameOfIt(name: string, value: string): boolean {
  if (value.toLowerCase() === name.slice(name.lastIndexOf('.') + 1).toLowerCase()) return true;
  if (/^X(?:-[A-Z][A-Za-z]+)+$/.test(value)) return promisesSecret(judgeKey(value, noFields));
  if (!/^[a-z_]+(?:[.:][a-z_]+)+$/.test(value)) return false;
  const last = wordsOf(value.slice(value.lastIndexOf('.') + 1));
  const words = wordsOf(name);
  return last.some((word) => words.includes(word));
}

/** `typeof token === "number"`. */
function isKindOfValue(text: string, name: Name, value: string): boolean {
  return (
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
  if (/^[\w -]{1,32}[:=]\s{0,2}$/.test(bare)) return !looksRandom(bare);
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
  if (isNestedKey(text, follower, bare) || isListOfComplaints(bare)) return false;
  if (isCodePath(bare) || isExpression(text, value) || isNameOfIt(name.text, bare)) return false;
  if (/^[~.]?\/[\w./-]+\.[a-z]{1,5}$|^[[{]\.\.\./.test(bare) || isOtherName(text, name, follower, bare)) {
    return false;
  }
  if (/cookie2?$/i.test(name.text) && follower.way !== 'sign' && !bare.includes('=')) {
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

/** The name below a name in YAML, which is judged by itself. */
function isNestedKey(text: string, follower: Follower, bare: string): boolean {
  return (
    follower.way === 'colon' &&
    /^[\w.-]{1,64}:$/.test(bare) &&
    /\n[ \t]*$/.test(textBefore(text, follower.start, 34))
  );
}

/** `apiKey -> clientKey`, `password === confirmPassword`: what is called otherwise now, or is compared. */
function isOtherName(text: string, name: Name, follower: Follower, bare: string): boolean {
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
  if (name.text === 'PASS' || /^\d{1,2}$/.test(bare)) return true;
  if (!/^[A-Za-z][a-z']*[,.;:!?]?$/.test(bare)) return false;
  const rest = text.slice(value.end, value.end + 16);
  const goesOn = /^[,.;:]?[ ][A-Za-z(`]/.test(rest);
  return goesOn && (general.test(name.text) || /^[ ](?:[a-z]{1,12}|`\w{1,12}`)[ .,!?]/.test(rest));
}
