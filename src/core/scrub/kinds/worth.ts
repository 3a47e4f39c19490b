// Whether a value that stands where a secret may stand is one: what is nothing, a placeholder, a word of a
// validator, a piece of code or a type is none. No names and no places are looked at here.

import { anyOf, patternOf } from './patterns.ts';

/** Words for nothing, flags and states: they describe a secret and never are one. */
const states = words(`
    null none nil undefined nan void true false yes no on off ok n/a na empty blank unset missing absent
    required optional nullable invalid valid wrong incorrect expired revoked denied rejected refused
    accepted allowed forbidden unknown unauthorized unauthenticated authenticated anonymous active inactive
    enabled disabled pending failed failure success successful error errors mismatch needed changed updated
    unchanged default hidden masked redacted filtered removed omitted protected sanitized include omit
    same-origin inherit inherited closed opened started stopped destroyed unavailable`);

/** Words of sentences, of types and of code: none of them is a secret unless it stands in quotes. */
const sayings = words(`
    weak strong short long too very is was are were has have had must may might should shall can cannot
    can't could will would does did do not this that it its the a an and or but for from with without by to
    of in into on at as if when while because before after again already only also option flag argument
    parameter field value reset sent set custom basic bearer digest negotiate ntlm kerberos oauth oauth2
    oidc saml ldap jwt sso mfa session cookie cookies token tokens password passwords passwd passphrase pass
    pw pwd auth key keys username user email login name secret string str text varchar char nvarchar int
    integer number numeric bigint float double bool boolean bytes byte buffer blob object array list map
    dict any never uuid date datetime timestamp function class struct enum type types var let const promise
    punctuation keyword eof identifier end start begin begins between least most exactly match matches
    contain contains self super new await async return yield throw lambda typeof delete import export
    def fn`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** True for the text of a value, without its quotes, that hides nothing. */
export function hidesNothing(text: string, isQuoted: boolean): boolean {
  if (
    text.length === 0 ||
    text.startsWith('[Filtered') ||
    /^(?:[\w-]{1,24}[:=]\[Filtered\]|(?:bearer|basic|digest|negotiate|ntlm) \[Filtered\]$|\[(?:ip|card)\]$)/i.test(
      text,
    )
  ) {
    return true;
  }
  if (text.length <= 4 && !/[\p{L}\p{N}]/u.test(text)) return true;
  if (text.length <= 16) {
    const word = text.toLowerCase().replace(/^[&*]+(?=[a-z]+$)|[.!?:;,]+$/g, '');
    if (states.has(word) || (!isQuoted && sayings.has(word))) return true;
  }
  return isPlaceholder(text) || isTemplate(text);
}

const filledLater = patternOf(
  'g',
  String.raw`[$#]\{[^{}]{0,128}\}|\$\{[^{}]{0,128}$|\{\{[^{}]{0,128}\}\}|\{[A-Za-z_.]{1,32}\}`,
  String.raw`|(?<![\w$])\$[A-Z_][A-Z0-9_]{1,63}\b|%(?:\(\w{1,64}\))?[sdv]`,
);

/**
 * `Bearer ${token}`, `#{user}:#{password}`: nothing but words is left when what is filled in later is taken
 * out.
 */
function isTemplate(text: string): boolean {
  if (text.length > 512 || !/[$#{%]/.test(text)) return false;
  const left = text.replaceAll(filledLater, ' ');
  if (left === text) return false;
  return left.split(/[\s:,;=/@-]+/).every((word) => /^(?:[a-z_]{0,16}|[A-Z][a-z]{1,15})$/.test(word));
}

const placeholders = [
  // Masked before it was sent.
  /^[*•●·xX.…#_-]{3,}$/,
  patternOf(
    'i',
    String.raw`^[[<({]{1,2}\s?`,
    anyOf(`redacted filtered hidden masked removed secret sensitive omitted protected sanitized none empty`),
    String.raw`[^\])}>]{0,24}[\])}>]{1,2}$`,
  ),
  // `<password>`, `{password}`, `${DB_PASSWORD}`, `{{ token }}`, `%(password)s`, `#{token}`, `$(cat x)`: of a
  // template.
  /^<\/?[A-Za-z][\w .:-]{0,64}>?$/,
  /^<[?%]/,
  /^\$[a-z_]{1,32}$/,
  /^\$\(/,
  /^[$#%@]?\{{1,3}\s?[$.]?[A-Za-z_][A-Za-z_.]{0,64}(?:\s?\|\s?[a-z_]{1,32})?\s?\}{0,3}$/,
  /^[$#%@]?\{{1,3}%?$/,
  // `%env(resolve:DB_PASSWORD)%`, and a colour of a style sheet.
  /^%\w{1,16}\([\w:]{1,64}\)%$/,
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
  /^\$\(?[A-Z_][A-Z0-9_]*\)?$/,
  /^%[A-Z_][A-Z0-9_]*%$/,
  /^%(?:\(\w{1,64}\))?-?\d{0,3}(?:\$[sd])?[sdvqrx]?$/,
  /^%@$/,
  /^(?:\?|:[a-z_]\w{0,63}|@[a-z_]\w{0,31}|\$\d{1,3}|\{\d{0,3}\})$/i,
  // The fingerprint of a public key.
  /^(?:SHA\d{1,3}|MD5):[\w+/=:-]{16,}$/,
];

function isPlaceholder(text: string): boolean {
  const first = text.charCodeAt(0);
  const isLetter = (first >= 97 && first <= 122) || (first >= 48 && first <= 57);
  if (isLetter && first !== 120) return false;
  return text.length <= 128 && placeholders.some((form) => form.test(text));
}

const validatorRule = patternOf(
  '',
  `^${anyOf(`required nullable sometimes present filled string confirmed current_password bail min max size
    regex same different hidden hashed encrypted array exists unique in not_in digits between uuid json`)}`,
  String.raw`(?::[^|]{0,128})?(?:\|[a-z_]{1,32}(?::[^|]{0,128})?){0,16}$`,
);

/** `required|string|min:8`: what a validator asks of a field. */
export function isValidatorRule(text: string): boolean {
  return text.length <= 256 && validatorRule.test(text);
}

/** What validators say of a field, and nobody's password holds. */
const complaints = patternOf(
  'i',
  String.raw`\b(?:required|invalid|incorrect|must|cannot|can['’]t|shall|should|already|blank|empty|missing`,
  "|(?:do|does|did)(?:n['’]t| not)|is not|are not|isn't|too (?:short|long|weak|common|similar)",
  String.raw`|at (?:least|most)|(?:mini|maxi)mum|confirmation|expired)\b`,
);

/** "This field is required.", "is too short (minimum is 8 characters)": a sentence about a value, not one. */
export function isComplaint(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    text.length <= 160 &&
    /^[A-Za-z][A-Za-z'’]*(?: \(?(?:[A-Za-z'’]+|\d{1,3})\)?[.,;:!]?)+$/.test(text) &&
    complaints.test(text)
  );
}

/** `["can't be blank", "is too short"]`, `{ message: 'Token is invalid', type: 'validate' }`. */
export function isListOfComplaints(bare: string): boolean {
  if (!/^(?:\[|\{\s?(?:message|msg|type|rule|code)\b)/.test(bare) || bare.length > 1024) return false;
  const literals = [...bare.matchAll(/"([^"]*)"|'([^']*)'/g)].map((match) => match[1] ?? match[2]);
  const isKind = (text = ''): boolean => bare.startsWith('{') && /^[a-z_.]{1,32}$/.test(text);
  return literals.some(isComplaint) && literals.every((text) => isComplaint(text) || isKind(text));
}

/**
 * `req.body.password`, `self::TOKEN`, `user->token`: the path of an expression, with no digit that a secret
 * would have.
 */
export function isCodePath(text: string): boolean {
  return (
    text.length <= 256 &&
    /^[$@]?[A-Za-z_]+(?:(?:\?\.|\.|->|::)\$?[A-Za-z_]+)+$/.test(text) &&
    !/[a-z]{24}|[A-Z][a-z][A-Z][a-z][A-Z]/.test(text)
  );
}

/** A word as a language has it, or several with signs between: small, capital, or in camel case. */
const wordy = /^(?:[a-z]+|[A-Z]?[a-z]+(?:[A-Z][a-z]+){0,5}|[A-Z]{1,24}|\d{1,9})$/;

/**
 * Whether a value looks made by a machine: letters mixed with digits, or with capitals as no word has them.
 * Numbers, dates, versions, hashes of content, UUIDs, addresses, file names and words with signs between them
 * do not.
 */
export function looksRandom(text: string): boolean {
  if (text.length < 8 || text.length > 4096 || /[\s@]|:\/\//.test(text)) return false;
  if (isWellKnownForm(text)) return false;
  return /^[\w.~+/=%:$!*,-]+$/.test(text) && text.split(/[^A-Za-z0-9]+/).some(isMixed);
}

/**
 * UUIDs, digests, dates, versions, durations, colours, media types, host names, times: many digits and no
 * secret.
 */
function isWellKnownForm(text: string): boolean {
  return (
    /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) ||
    /^(?:sha\d{1,3}[:-])?(?:[0-9a-f]{7,12}|[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ||
    /^v?\d{1,8}(?:[.:-]\d{1,9}){1,5}(?:[-+.][\w.+-]{0,64})?$/i.test(text) ||
    /^\d{4}-\d\d-\d\d(?:[T_ ][\d:.,]{4,20}(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text) ||
    /^(?:P(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?|\d{1,9}(?:ms|s|m|h|d|w|kb|mb|gb|kib|mib|px|em|%))$/i.test(text) ||
    /\.(?:[a-z]{2,5}|[cm]?[jt]sx?|mp[34]|woff2)$/.test(text)
  );
}

/** One piece of letters and digits that is no word, no number and no word with a small number behind it. */
function isMixed(part: string): boolean {
  if (part.length < 4 || wordy.test(part)) return isLongAndStrange(part);
  if (!/\d/.test(part)) return isLongAndStrange(part);
  return !/^[A-Za-z][a-z]{0,11}\d{1,3}$|^\d{1,4}[a-z]{1,3}$/.test(part) && /[A-Za-z]/.test(part);
}

/** Letters alone, too many and too often changing their case to be words. */
function isLongAndStrange(part: string): boolean {
  if (part.length < 16 || /\d/.test(part)) return false;
  const changes = part.match(/[a-z][A-Z]/g)?.length ?? 0;
  return changes / part.length > 0.2;
}

/**
 * Whether somebody may have chosen it as a password: letters with digits or signs in them, and no name of a
 * file or function.
 */
export function looksChosen(text: string): boolean {
  if (looksRandom(text)) return true;
  if (isWellKnownForm(text)) return false;
  if (!/^[^\s"'<>()[\]{}:/\\]{6,128}$/.test(text) || !/[A-Za-z]/.test(text)) return false;
  return /\d|[!@#$%^&*+~]/.test(text) && !/\.[a-z]{1,5}$|^v?\d+(?:\.\d+)+|^\d+-[a-z]+$/i.test(text);
}

/** A single plain word: a heading, a type or a state, as tables and columns hold them. */
export function isPlainWord(text: string): boolean {
  return /^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)$/.test(text);
}

/**
 * A number of a card or a house: 4 to 12 digits, or digits mixed with letters; no coordinates and no words.
 */
export function looksLikePin(text: string): boolean {
  return (
    /^\d{4,12}$/.test(text) ||
    (/^[A-Za-z0-9_-]{5,64}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text))
  );
}

const fieldName = patternOf(
  'i',
  '^(?:',
  anyOf([
    'e[-_]?mails?|user(?:[-_]?(?:name|id))?|name|id|login|role|phone|type|status|url|host|port',
    String.raw`remember(?:_?(?:me|token))?|confirm\w*|created_at|updated_at|expires?(?:_at|_in)?`,
    'reset|refresh',
    String.raw`\w*_(?:id|at|name|token|password|hash|confirmation)`,
  ]),
  // A path to a secret, as lists of what to hide have it: `user.password`, `*.token`.
  String.raw`|(?:[\w*[\]]+[-_.])*(?:password|token|secret|key|cookie|session|credentials?)s?)$`,
);

/** Names that stand beside a secret's in lists of fields. */
export function isFieldName(text: string): boolean {
  // Names of fields seldom hold a two-digit number; passwords often do.
  return text.length <= 128 && !/\d\d/.test(text) && fieldName.test(text);
}
