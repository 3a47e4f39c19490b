// Values that cannot be secrets: empty, placeholders, words of validators, code and types.

import { alternatives, characterClasses, joinPattern, wordSet } from './patterns.ts';

const states = wordSet(`
    null none nil undefined nan void true false yes no on off ok n/a na empty blank unset missing absent
    required optional nullable invalid valid wrong incorrect expired revoked denied rejected refused
    accepted allowed forbidden unknown unauthorized unauthenticated authenticated anonymous active inactive
    enabled disabled pending failed failure success successful error errors mismatch needed changed updated
    unchanged default hidden masked redacted filtered removed omitted protected sanitized include omit
    same-origin inherit inherited closed opened started stopped destroyed unavailable`);

/** Not secrets unless quoted. */
const proseWords = wordSet(`
    weak strong short long too very is was are were has have had must may might should shall can cannot
    can't could will would does did do not this that it its the a an and or but for from with without by to
    of in into on at as if when while because before after again already only also option flag argument
    parameter field value reset sent set custom basic bearer digest negotiate ntlm kerberos oauth oauth2
    oidc saml ldap jwt sso mfa cookie cookies session token tokens password passwords passwd passphrase pass
    pw pwd auth key keys username user email login name secret string str text varchar char nvarchar int
    integer number numeric bigint float double bool boolean bytes byte buffer blob object array list map
    dict any never uuid date datetime timestamp function class struct enum type types var let const promise
    punctuation keyword eof identifier end start begin begins between least most exactly match matches
    contain contains self super new await async return yield throw lambda typeof delete import export
    def fn`);

export function isPublicValue(text: string, isQuoted: boolean): boolean {
  if (text.length === 0 || text.startsWith('[Filtered')) return true;
  if (text.includes('[') && scrubbedBefore.test(text)) return true;
  if (text.length <= 4 && !/[A-Za-z0-9]/.test(text) && !/[\p{L}\p{N}]/u.test(text)) return true;
  if (text.length <= 16) {
    const word = bareWord(text);
    if (states.has(word) || (!isQuoted && proseWords.has(word))) return true;
  }
  return isPlaceholder(text) || isTemplate(text);
}

const scrubbedBefore = joinPattern(
  'i',
  String.raw`^(?:[\w-]{1,24}[:=]\[Filtered\]`,
  String.raw`|(?:bearer|basic|digest|negotiate|ntlm) \[Filtered\]$|\[(?:ip|card)\]$)`,
);

function bareWord(text: string): string {
  const word = text.toLowerCase();
  let end = word.length;
  while (end > 0 && '.!?:;,'.includes(word[end - 1] as string)) end -= 1;
  if (end < word.length) return word.slice(0, end);
  return '&*'.includes(word[0] as string) ? word.replace(/^[&*]+(?=[a-z]+$)/, '') : word;
}

const filledLater = joinPattern(
  'g',
  String.raw`[$#]\{[^{}]{0,128}\}|\$\{[^{}]{0,128}$|\{\{[^{}]{0,128}\}\}|\{[A-Za-z_.]{1,32}\}`,
  String.raw`|(?<![\w$])\$[A-Z_][A-Z0-9_]{1,63}\b|%(?:\(\w{1,64}\))?[sdv]`,
);

const mayBeFilled = /\{|\$[A-Z_]|%[sdv(]/;

/** `Bearer ${token}`, `#{user}:#{password}`: only words remain without the variables. */
function isTemplate(text: string): boolean {
  if (text.length > 512 || !mayBeFilled.test(text)) return false;
  const remainder = text.replaceAll(filledLater, ' ');
  if (remainder === text) return false;
  return remainder.split(/[\s:,;=/@-]+/).every((word) => /^(?:[a-z_]{0,16}|[A-Z][a-z]{1,15})$/.test(word));
}

const placeholders: ReadonlyArray<readonly [begins: string, form: RegExp]> = [
  // Masked by the client.
  ['*•●·xX.…#_-', /^[*•●·xX.…#_-]{3,}$/],
  [
    '[<({',
    joinPattern(
      'i',
      String.raw`^[[<({]{1,2}\s?`,
      alternatives(
        `redacted filtered hidden masked removed secret sensitive omitted protected sanitized none empty`,
      ),
      String.raw`[^\])}>]{0,24}[\])}>]{1,2}$`,
    ),
  ],
  // Templates: `<password>`, `${DB_PASSWORD}`, `{{ token }}`, `%(password)s`, `#{token}`, `$(cat x)`.
  ['<', /^<\/?[A-Za-z][\w .:-]{0,64}>?$/],
  ['<', /^<[?%]/],
  ['$', /^\$[a-z_]{1,32}$/],
  ['$', /^\$\(/],
  ['$#%@{', /^[$#%@]?\{{1,3}\s?[$.]?[A-Za-z_][A-Za-z_.]{0,64}(?:\s?\|\s?[a-z_]{1,32})?\s?\}{0,3}$/],
  ['$#%@{', /^[$#%@]?\{{1,3}%?$/],
  // `%env(resolve:DB_PASSWORD)%`, and CSS colours.
  ['%', /^%\w{1,16}\([\w:]{1,64}\)%$/],
  ['#', /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i],
  ['$', /^\$\(?[A-Z_][A-Z0-9_]*\)?$/],
  ['%', /^%[A-Z_][A-Z0-9_]*%$/],
  ['%', /^%(?:\(\w{1,64}\))?-?\d{0,3}(?:\$[sd])?[sdvqrx]?$/],
  ['%', /^%@$/],
  ['?:@${', /^(?:\?|:[a-z_]\w{0,63}|@[a-z_]\w{0,31}|\$\d{1,3}|\{\d{0,3}\})$/i],
  // Fingerprints of public keys.
  ['SM', /^(?:SHA\d{1,3}|MD5):[\w+/=:-]{16,}$/],
];
const placeholdersBySign = new Map<string, RegExp[]>();
for (const [begins, form] of placeholders) {
  for (const sign of begins) placeholdersBySign.set(sign, [...(placeholdersBySign.get(sign) ?? []), form]);
}

function isPlaceholder(text: string): boolean {
  if (text.length > 128) return false;
  return placeholdersBySign.get(text[0] as string)?.some((form) => form.test(text)) === true;
}

const validatorWords =
  wordSet(`required nullable sometimes present filled string confirmed current_password bail min max size
    regex same different hidden hashed encrypted array exists unique in not_in digits between uuid json`);
const validatorRule = joinPattern(
  '',
  `^${alternatives([...validatorWords])}`,
  String.raw`(?::[^|]{0,128})?(?:\|[a-z_]{1,32}(?::[^|]{0,128})?){0,16}$`,
);

/** Laravel: `required|string|min:8`. */
export function isValidatorRule(text: string): boolean {
  if (text.length > 256) return false;
  let end = 0;
  while (isRuleCode(text.charCodeAt(end))) end += 1;
  if (end < text.length && !':|'.includes(text[end] as string)) return false;
  return validatorWords.has(text.slice(0, end)) && validatorRule.test(text);
}

function isRuleCode(code: number): boolean {
  return (code >= 97 && code <= 122) || code === 95;
}

const validationPhrases = joinPattern(
  'i',
  String.raw`\b(?:required|invalid|incorrect|must|cannot|can['’]t|shall|should|already|blank|empty|missing`,
  "|(?:do|does|did)(?:n['’]t| not)|is not|are not|isn't|too (?:short|long|weak|common|similar)",
  String.raw`|at (?:least|most)|(?:mini|maxi)mum|confirmation|expired)\b`,
);

/** "This field is required.", "is too short (minimum is 8 characters)". */
export function isValidationMessage(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    text.length <= 160 &&
    text.includes(' ') &&
    /^[A-Za-z][A-Za-z'’]*(?: \(?(?:[A-Za-z'’]+|\d{1,3})\)?[.,;:!]?)+$/.test(text) &&
    validationPhrases.test(text)
  );
}

export function isListOfValidationMessages(content: string): boolean {
  if (!/^(?:\[|\{\s?(?:message|msg|type|rule|code)\b)/.test(content) || content.length > 1024) return false;
  const literals = [...content.matchAll(/"([^"]*)"|'([^']*)'/g)].map((match) => match[1] ?? match[2]);
  const isKind = (text = ''): boolean => content.startsWith('{') && /^[a-z_.]{1,32}$/.test(text);
  return (
    literals.some(isValidationMessage) && literals.every((text) => isValidationMessage(text) || isKind(text))
  );
}

/** `req.body.password`, `self::TOKEN`, `user->token`; without digits, which a secret would have. */
export function isCodePath(text: string): boolean {
  return (
    text.length <= 256 &&
    /^[$@]?[A-Za-z_]+(?:(?:\?\.|\.|->|::)\$?[A-Za-z_]+)+$/.test(text) &&
    !/[a-z]{24}|[A-Z][a-z][A-Z][a-z][A-Z]/.test(text)
  );
}

const plainWordForm = /^(?:[a-z]+|[A-Z]?[a-z]+(?:[A-Z][a-z]+){0,5}|[A-Z]{1,24}|\d{1,9})$/;

/** Numbers, dates, versions, hashes, UUIDs, URLs, file names and hyphenated words do not look random. */
export function looksRandom(text: string): boolean {
  if (text.length < 8 || text.length > 4096 || !mayBeRandom(text) || text.includes('://')) return false;
  return !isWellKnownForm(text) && text.split(/[^A-Za-z0-9]+/).some(isMixed);
}

/** Cheap check that reads each character once. */
function mayBeRandom(text: string): boolean {
  let letters = 0;
  let digits = 0;
  let mayBe = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (randomKinds[code] as number) : 0;
    if (kind === 0) return false;
    if (kind === letterKind) letters += 1;
    else if (kind === digitKind) digits += 1;
    else letters = digits = 0;
    mayBe ||= letters + digits >= 4 && letters > 0 && (digits > 0 || letters >= longLetters);
  }
  return mayBe;
}

const longLetters = 16;
const [letterKind, digitKind] = [1, 2];
const randomKinds = characterClasses(/[A-Za-z]/, /\d/, /[_.~+/=%:$!*,-]/);

function isWellKnownForm(text: string): boolean {
  if (text.length === 36 && uuid.test(text)) return true;
  if (text.length <= 71 && digest.test(text)) return true;
  if (text.lastIndexOf('.') >= text.length - 6 && fileName.test(text)) return true;
  if (!'0123456789vVpP'.includes(text[0] ?? '?')) return false;
  return version.test(text) || date.test(text) || duration.test(text);
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const digest = /^(?:sha\d{1,3}[:-])?(?:[0-9a-f]{7,12}|[0-9a-f]{40}|[0-9a-f]{64})$/;
const fileName = /\.(?:[a-z]{2,5}|[cm]?[jt]sx?|mp[34]|woff2)$/;
const version = /^v?\d{1,8}(?:[.:-]\d{1,9}){1,5}(?:[-+.][\w.+-]{0,64})?$/i;
const date = /^\d{4}-\d\d-\d\d(?:[T_ ][\d:.,]{4,20}(?:Z|[+-]\d\d:?\d\d)?)?$/;
const duration = /^(?:P(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?|\d{1,9}(?:ms|s|m|h|d|w|kb|mb|gb|kib|mib|px|em|%))$/i;

function isMixed(part: string): boolean {
  if (part.length < 4 || plainWordForm.test(part)) return isLongAndStrange(part);
  if (!/\d/.test(part)) return isLongAndStrange(part);
  return !/^[A-Za-z][a-z]{0,11}\d{1,3}$|^\d{1,4}[a-z]{1,3}$/.test(part) && /[A-Za-z]/.test(part);
}

/** Only letters, with too many changes of case for words. */
function isLongAndStrange(part: string): boolean {
  if (part.length < longLetters || /\d/.test(part)) return false;
  const changes = part.match(/[a-z][A-Z]/g)?.length ?? 0;
  return changes / part.length > 0.2;
}

/** A password that a person may choose: letters with digits or signs. */
export function looksLikePassword(text: string): boolean {
  if (looksRandom(text)) return true;
  if (text.length < 6 || text.length > 128 || isWellKnownForm(text)) return false;
  if (!/^[^\s"'<>()[\]{}:/\\]{6,128}$/.test(text) || !/[A-Za-z]/.test(text)) return false;
  return /\d|[!@#$%^&*+~]/.test(text) && !/\.[a-z]{1,5}$|^v?\d+(?:\.\d+)+|^\d+-[a-z]+$/i.test(text);
}

export function isPlainWord(text: string): boolean {
  return /^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)$/.test(text);
}

/** 4 to 12 digits, or digits mixed with letters. */
export function looksLikePin(text: string): boolean {
  return (
    /^\d{4,12}$/.test(text) ||
    (/^[A-Za-z0-9_-]{5,64}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text))
  );
}

const fieldName = joinPattern(
  'i',
  '^(?:',
  alternatives([
    'e[-_]?mails?|user(?:[-_]?(?:name|id))?|name|id|login|role|phone|type|status|url|host|port',
    String.raw`remember(?:_?(?:me|token))?|confirm\w*|created_at|updated_at|expires?(?:_at|_in)?`,
    'reset|refresh',
    String.raw`\w*_(?:id|at|name|token|password|hash|confirmation)`,
  ]),
  // An underscore may only end the last part: otherwise it could match in 2^n ways.
  String.raw`|(?:[\w*[\]]+[-.])*(?:[\w*[\]]+_)?(?:password|token|secret|key|cookie|session|credentials?)s?)$`,
);

export function isFieldName(text: string): boolean {
  // Field names rarely have a two-digit number; passwords often do.
  return text.length <= 128 && !/\d\d/.test(text) && fieldName.test(text);
}
