import {
  isCodePath,
  isFieldName,
  isListOfValidationMessages,
  isPlainWord,
  isPublicValue,
  isValidationMessage,
  isValidatorRule,
  looksLikePassword,
  looksLikePin,
  looksRandom,
} from '../table/false-positives.ts';
import {
  classifyFieldName,
  type FieldNameVerdict,
  isSecretVerdict,
  noExtraFields,
  splitWords,
} from '../table/names.ts';
import { alternatives, joinPattern, textBefore } from '../table/patterns.ts';
import type { Separator } from './separator-forms.ts';
import type { NameInText } from './text-context.ts';
import type { ValueInText } from './unquoted-values.ts';

interface Finding {
  readonly text: string;
  readonly name: NameInText;
  readonly verdict: FieldNameVerdict;
  readonly follower: Separator;
  readonly value: ValueInText;
  readonly isSource: boolean;
}

export function isSecretValue(finding: Finding): boolean {
  const { text, name, verdict, follower, value } = finding;
  const content = value.content.trim();
  if (verdict === 'random' && !looksRandom(content)) return false;
  if (verdict === 'pin' && follower.way !== 'hint' && !looksLikePin(content)) return false;
  if (isPublicValue(content, value.isQuoted) || isValidatorRule(content)) return false;
  if (verdict === 'random') return true;
  if (follower.way === 'hint') {
    if (isExpression(text, value)) return false;
    const isSetTo = /pass(?:word|wd|phrase)|pwd/i.test(name.text) || isAssignment(text, name);
    return isSetTo ? looksLikePassword(content) : looksRandom(content);
  }
  // Secrets in a URL are found by the rules for links.
  if ('hHwW'.includes(content[0] ?? '') && /^(?:https?|wss?):\/\//i.test(content)) return false;
  if (verdict === 'pin') return true;
  if (verdict === 'counted' && content.length < 10 && /^\d{1,9}$/.test(content)) return false;
  if (isParserTalk(text, name) || isPolicyNonce(text, name)) return false;
  if (value.isQuoted) return isQuotedSecret(finding);
  // In a comment of source code, or a command in multi-line text there.
  if (finding.isSource && follower.way !== 'element') {
    const isSet = text.slice(name.end, follower.start) === '=' || follower.way === 'option';
    if (!(isSet ? looksLikePassword(content) : looksRandom(content))) return false;
  }
  return isUnquotedSecret(finding, content);
}

/** `aws configure set aws_secret_access_key …`. */
function isAssignment(text: string, name: NameInText): boolean {
  return /(?:^|[\s:])set\s$/i.test(textBefore(text, name.start, 6));
}

function isParserTalk(text: string, name: NameInText): boolean {
  return (
    (name.text.length === 5 || name.text.length === 6) &&
    'tT'.includes(name.text[0] ?? '?') &&
    /^tokens?$/i.test(name.text) &&
    /(?:unexpected|unrecognized|illegal)\s$/i.test(textBefore(text, name.start, 16))
  );
}

/** `<script nonce="…">` is public. */
function isPolicyNonce(text: string, name: NameInText): boolean {
  if (name.text !== 'nonce') return false;
  const before = textBefore(text, name.start, 256);
  const tag = before.slice(Math.max(0, before.lastIndexOf('<')));
  return /^<(?:script|style|link)\b[^<>]*$/i.test(tag);
}

function isQuotedSecret(finding: Finding): boolean {
  const { text, name, follower, value, isSource } = finding;
  const { content } = value;
  if (value.wrapper !== '' && !makesSecrets.test(value.wrapper)) return looksRandom(content);
  if (follower.way === 'column' && isPlainWord(content)) return false;
  if (isValidationMessage(content)) return false;
  if (isNameOfIt(name.text, content) || isKindOfValue(text, name, content) || isPartOfText(finding))
    return false;
  if (isSource && isWordOfCode(finding)) return false;
  return follower.way !== 'pair' || isSecondOfPair(finding);
}

/** Functions that create or hold a secret. A literal passed to others is usually a name. */
const makesSecrets = joinPattern(
  'i',
  String.raw`^(?:\(|(?:\[\])?`,
  alternatives([
    'some|optional|just|ok|right|str(?:ing)?|bytes?|from|strdup|trim|strip|quote|value|of|concat|text',
    'cstr|char',
    String.raw`buffer\.(?:from|alloc)|encode|decode|b64\w*|base64\w*|atob|btoa|unhex|encrypt|decrypt`,
    String.raw`md5|sha\d*|hash\w*|secret\w*|password\w*|secure\w*|\w*securestring|protected\w*|sensitive\w*`,
  ]),
  ')$',
);

const headerName = /^X(?:-[A-Z][A-Za-z]+)+$/;

/** The name of a field: `const PASSWORD = "password"`, `TOTAL_TOKENS = "usage.total_tokens"`. */
function isNameOfIt(name: string, value: string): boolean {
  if (value.toLowerCase() === name.slice(name.lastIndexOf('.') + 1).toLowerCase()) return true;
  if (value.startsWith('X-') && headerName.test(value))
    return isSecretVerdict(classifyFieldName(value, noExtraFields));
  if (!/^[a-z_]+(?:[.:][a-z_]+)+$/.test(value)) return false;
  const last = splitWords(value.slice(value.lastIndexOf('.') + 1));
  const words = splitWords(name);
  return last.some((word) => words.includes(word));
}

function isKindOfValue(text: string, name: NameInText, value: string): boolean {
  return (
    'snbofu'.includes(value[0] ?? '?') &&
    /^(?:string|number|boolean|object|function|undefined|symbol|bigint)$/.test(value) &&
    /typeof\s[\w.?[\]]{0,64}$/.test(textBefore(text, name.start, 80))
  );
}

/** A prefix, a label, or one side of a comparison: `'Cookie: '`, `'wordpress_' . HASH`. */
function isPartOfText({ text, value }: Finding): boolean {
  const { content } = value;
  if (content.length <= 35 && /^[\w -]{1,32}[:=]\s{0,2}$/.test(content)) return !looksRandom(content);
  const next = text.slice(value.end, value.end + 8);
  const continues = /^\s?[.+]\s?[^\s.+]/.test(next);
  if (continues && (/[-_:/.= ]$/.test(content) || /[$]\w/.test(content))) return !looksRandom(content);
  return value.wrapper === '(' && /^\s?(?:[!=<>]=|\?|&&|\|\|)/.test(next);
}

const machineMade = /^(?:_?wp)?(?:nonce|cookies?|sessions?|csrf|xsrf|auth|oauth|sid|sig)$/i;

/** In code, `$nonce = 'update-plugin'` names an action, `'FTP_PRIKEY'` a constant. */
function isWordOfCode({ name, value, follower }: Finding): boolean {
  if (follower.isQuotedName && follower.way === 'pair') return false;
  if (/^[A-Z]+(?:_[A-Z]+)+$/.test(value.content)) return true;
  const secret =
    splitWords(name.text).find((word) => isSecretVerdict(classifyFieldName(word, noExtraFields))) ?? '';
  return machineMade.test(secret) && /^[a-z]+(?:[-_ .][a-z]+)*[-_]?$/.test(value.content);
}

/** In a list of more than two, a plain word is another name. */
function isSecondOfPair({ text, name, value, follower }: Finding): boolean {
  const { content } = value;
  if (isPublicValue(content, false) || isFieldName(content) || /^[A-Za-z]+(?: [A-Za-z]+)+$/.test(content))
    return false;
  if (isOption(name.text) && content.startsWith('-')) return false;
  if (isArgumentOfOption(text, name)) return true;
  if (/^[~.]?\/|\w\.\w{1,5}$|^v?\d+(?:\.\d+)+$|\(\)$/.test(content)) return looksRandom(content);
  if (/\s\S+\s/.test(content) || !endsAsSecret(name.text)) return looksRandom(content);
  if (/^[a-z_-]+$/.test(content) && isSecretVerdict(classifyFieldName(content, noExtraFields))) return false;
  if (!follower.isQuotedName) return true;
  const open = textBefore(text, name.start, 12);
  const isArgument = /\(\s{0,8}[\\"'`bBuU]{1,4}$/.test(open);
  const isFirst = isArgument || /[[{]\s{0,8}[\\"'`bBuU]{1,4}$/.test(open);
  const isLast = /^\s{0,8},?\s{0,8}[)\]}]/.test(text.slice(value.end, value.end + 20));
  if (isFirst && isLast) return true;
  return isArgument ? !/^[a-z_.-]+$|^[A-Z_]+$/.test(content) : !/^[A-Za-z_$][A-Za-z_.$*-]*$/.test(content);
}

/** `['dump', '--password', 'correct-horse']`, but not where a program declares its options. */
function isArgumentOfOption(text: string, name: NameInText): boolean {
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

/** "db_password", but not "password_meter". */
function endsAsSecret(name: string): boolean {
  const words = splitWords(name);
  const last = words.slice(-2).join(' ');
  return (
    isSecretVerdict(classifyFieldName(words.at(-1) ?? '', noExtraFields)) ||
    isSecretVerdict(classifyFieldName(last, noExtraFields)) ===
      isSecretVerdict(classifyFieldName(name, noExtraFields))
  );
}

const general = joinPattern(
  'i',
  `^${alternatives(`pass auth token tokens session sessions secret secrets cookie cookies creds credential
    credentials key nonce bearer jwt oauth csrf`)}$`,
);

function isUnquotedSecret({ text, name, follower, value }: Finding, content: string): boolean {
  if (isNestedKey(text, follower, content)) return false;
  if ('[{'.includes(content[0] ?? '?') && isListOfValidationMessages(content)) return false;
  if (isCodePath(content) || isExpression(text, value) || isNameOfIt(name.text, content)) return false;
  if ('~./[{'.includes(content[0] ?? '') && /^[~.]?\/[\w./-]+\.[a-z]{1,5}$|^[[{]\.\.\./.test(content))
    return false;
  if (isOtherName(text, name, follower, content)) return false;
  if (follower.way !== 'sign' && isCookie(name.text) && !content.includes('=')) {
    return looksLikePassword(content);
  }
  switch (follower.way) {
    case 'column':
      return !isPlainWord(content) && !/^[-=+_|:]+$/.test(content) && endsCell(text, value.end);
    case 'element':
      return closesElement(text, name, value);
    case 'colon':
      return !isPhrase(text, name, value, content);
    case 'glued':
      return !/^:/.test(content);
    default:
      return true;
  }
}

function isCookie(name: string): boolean {
  return name.length >= 6 && 'eE2'.includes(name.at(-1) ?? '?') && /cookie2?$/i.test(name);
}

/** A nested key in YAML, which is judged by itself. */
function isNestedKey(text: string, follower: Separator, content: string): boolean {
  return (
    follower.way === 'colon' &&
    content.endsWith(':') &&
    /\n[ \t]*$/.test(textBefore(text, follower.start, 34)) &&
    /^[\w.-]{1,64}:$/.test(content)
  );
}

/** A rename or a comparison: `apiKey -> clientKey`, `password === confirmPassword`. */
function isOtherName(text: string, name: NameInText, follower: Separator, content: string): boolean {
  if (follower.way !== 'sign' && follower.way !== 'hint') return false;
  const isArrow = /^\s{0,4}(?:[-=]>|→|[!=]==?)/.test(text.slice(name.end, follower.start));
  return (
    isArrow &&
    /^[A-Za-z]+(?:[A-Z][a-z]+|_[a-z]+)$/.test(content) &&
    isSecretVerdict(classifyFieldName(content, noExtraFields))
  );
}

function isExpression(text: string, value: ValueInText): boolean {
  const rest = text.slice(value.end, value.end + 8);
  // `$hasher->…`: the value was cut inside PHP's arrow.
  if (rest.startsWith('>') && /^\$[A-Za-z_]\w{0,64}-$/.test(value.content)) return true;
  if (!'[('.includes(rest[0] ?? 'x') && !value.content.includes('(') && !value.content.includes('['))
    return false;
  const next = /^\[\d[\d;]*m/.test(rest) ? '' : (rest[0] ?? '');
  const begins = `${value.content.slice(0, 128)}${'[('.includes(next) ? next : ''}`;
  return /^[$@]?[A-Za-z_][\w$]{0,64}(?:(?:\?\.|\.|->|::)\$?\w{1,64}){0,8}(?:\(|\[(?:$|["'$\d]))/.test(begins);
}

/** A cell ends with its line, a tab, a table border or two spaces. */
function endsCell(text: string, end: number): boolean {
  return end >= text.length || /^(?:[ ]?[\r\n\t|]|[ ]{2}|[ ]?$|[ ]?<\/)/.test(text.slice(end, end + 3));
}

function closesElement(text: string, name: NameInText, value: ValueInText): boolean {
  const rest = text.slice(value.end, value.end + name.text.length + 80);
  if (/^\s{0,32}(?:<|&lt;)\/|^\]\]>/.test(rest)) return true;
  return rest === '' && looksRandom(value.content);
}

/** "auth: add the login page": more words follow. A password is one word. */
function isPhrase(text: string, name: NameInText, value: ValueInText, content: string): boolean {
  if (name.text === 'PASS' || (content.length < 3 && /^\d{1,2}$/.test(content))) return true;
  if (!/^[A-Za-z][a-z']*[,.;:!?]?$/.test(content)) return false;
  const rest = text.slice(value.end, value.end + 16);
  const continues = /^[,.;:]?[ ][A-Za-z(`]/.test(rest);
  return continues && (general.test(name.text) || /^[ ](?:[a-z]{1,12}|`\w{1,12}`)[ .,!?]/.test(rest));
}
