// Literals passed to functions, in source and in stack traces: `login(user, "hunter2")`.

import { isFieldName, isPublicValue, looksLikePassword, looksRandom } from '../table/false-positives.ts';
import {
  classifyFieldName,
  type ExtraFields,
  isSecretVerdict,
  noExtraFields,
  splitWords,
} from '../table/names.ts';
import {
  alternatives,
  characterClasses,
  filteredText,
  joinPattern,
  splitBySpaces,
  textBefore,
  wordSet,
} from '../table/patterns.ts';
import { registerWords, wordFamilies } from '../table/prefilter.ts';
import type { TextRules, TextSearch } from '../table/rules.ts';

/** By the index of the secret argument. With fewer arguments these functions mean something else. */
const functionsByArgument: ReadonlyArray<readonly [place: number, names: string]> = [
  [0, 'fernet secretkeyspec crypt'],
  [
    1,
    `
    login log_in signin sign_in logon authenticate auth basicauth basic_auth http_basic_auth withbasicauth
    setbasicauth set_basic_auth passwordcredential
    basicauthorization basic_authorize httpbasicauth httpdigestauth simple_bind simple_bind_s ldap_bind
    ftp_login attemptlogin loginuser login_user authenticateuser createuser create_user createsuperuser
    create_superuser adduser add_user registeruser register_user wp_signon wp_authenticate wp_create_user wpmu_create_user reset_password wpdb
    signinwithemailandpassword createuserwithemailandpassword networkcredential passwordauthentication
    usernamepasswordcredentials usernamepasswordauthenticationtoken credentials setcredentials plainauth
    createhmac createcipheriv createdecipheriv pgp_sym_encrypt pgp_sym_decrypt aes_encrypt aes_decrypt`,
  ],
  [
    2,
    `connect mysqli_connect mysql_connect mysql_pconnect mysqli real_connect pg_connect pdo odbc_connect
    oci_connect oci_pconnect db2_connect ibase_connect maxdb_connect getconnection createconnection
    ssh2_auth_password imap_open __construct hash_hmac openssl_encrypt openssl_decrypt
    wp_authenticate_username_password wp_authenticate_email_password wc_create_new_customer`,
  ],
  [3, 'mysqli_real_connect'],
];
const methodsByArgument: typeof functionsByArgument = [
  [0, `redis->auth redis.auth client->auth client.auth hmac.new bcrypt.hash bcrypt.hashsync bcrypt.compare`],
  [1, `wpdb->__construct jwt.sign jwt.verify jwt.encode jwt.decode jwt::encode jwt::decode credentials.new`],
];
/** Take any text: a literal is a secret only where it looks random. */
const digesting = wordSet('md5 sha1 sha256 sha512 scrypt pbkdf2 argon2 bcrypt');
/** When one of two compared values has a secret name, the other is a secret. */
const comparing =
  /^(?:assert\w*|expect\w*|equals?|compare\w*|strn?c(?:ase)?cmp|hash_equals|verify\w*|check\w*|match\w*)$/i;

const argumentIndexes = (table: typeof functionsByArgument): ReadonlyMap<string, number> =>
  new Map(table.flatMap(([index, names]) => splitBySpaces(names).map((name) => [name, index] as const)));
const argumentByFunction = argumentIndexes(functionsByArgument);
const argumentByMethod = argumentIndexes(methodsByArgument);
const methods = new Set([...argumentByMethod.keys()].map((key) => key.split(/\.|::|->/)[1]));

registerWords(wordFamilies.call, 'start', [
  ...[...argumentByFunction.keys(), ...argumentByMethod.keys(), ...digesting],
  ...splitBySpaces('assert expect equal compare str hash verify check match construct encode sign new'),
]);

const callCharsMax = 1024;
const argumentsMax = 16;
/** Limit for nested calls: text of only open calls would be quadratic. */
const readingsMax = 2;

function scrubCalls(text: string, search: TextSearch): string {
  const { extra } = search;
  let clean = '';
  let position = 0;
  let charsLeft = readingsMax * text.length + callCharsMax;
  let furthest = 0;
  for (let open = text.indexOf('('); open !== -1; open = text.indexOf('(', Math.max(open + 1, position))) {
    const start = nameBefore(text, open);
    if (start === -1) continue;
    const rule = ruleOf(text, start, callee(text, start), extra);
    if (rule === null || (charsLeft <= 0 && open < furthest)) continue;
    const { literals, end } = literalsOf(text, open + 1);
    charsLeft -= end - open;
    furthest = Math.max(furthest, end);
    if (rule.comparesSecret && !namesSecret(text, open + 1, literals, extra)) continue;
    for (const literal of literals) {
      if (literal.start < position || !isSecretLiteral(literal, rule)) continue;
      search.hits += 1;
      clean += text.slice(position, literal.start) + filteredText;
      position = literal.end;
    }
  }
  return clean + text.slice(position);
}

/** `basic_auth 'ann', 'hunter2'`: Ruby needs no brackets. Names of one word would match prose. */
const rubyCall = joinPattern(
  'gi',
  String.raw`(?<![\w$-])(`,
  alternatives([...argumentByFunction.keys()].filter((name) => name.includes('_'))),
  `) {1,4}(?=["'])`,
);

function scrubRubyCalls(text: string, search: TextSearch): string {
  let clean = '';
  let position = 0;
  for (const match of text.matchAll(rubyCall)) {
    const start = match.index + match[0].length;
    const from = argumentByFunction.get((match[1] ?? '').toLowerCase()) ?? 0;
    const line = text.slice(start, start + callCharsMax).split('\n', 1)[0] ?? '';
    for (const literal of literalsOf(line, 0).literals) {
      if (start < position || !isSecretLiteral(literal, { from, onlyRandom: false })) continue;
      search.hits += 1;
      clean += text.slice(position, start + literal.start) + filteredText;
      position = start + literal.end;
    }
  }
  return clean + text.slice(position);
}

export const callRules: TextRules = {
  call: { signs: ['(', '"'], families: wordFamilies.call | wordFamilies.name, scrub: scrubCalls },
  'call without brackets': { signs: ['"', ','], families: wordFamilies.call, scrub: scrubRubyCalls },
};

const nameCharsMax = 64;

/** `name(`, and `auth=(` as in Python; -1 for none. */
function nameBefore(text: string, open: number): number {
  let end = open;
  while (end > 0 && open - end < 4 && ' ='.includes(text[end - 1] as string)) end -= 1;
  let start = end;
  while (start > 0 && end - start < nameCharsMax && nameParts[text.charCodeAt(start - 1)] === 1) start -= 1;
  return end - start > 1 ? start : -1;
}

const nameParts = characterClasses(/[\w$]/);

function callee(text: string, start: number): string {
  let end = start;
  while (nameParts[text.charCodeAt(end)] === 1) end += 1;
  return text.slice(start, end);
}

/** Arguments from index `from` on are secrets, or only those that look random. */
interface CallRule {
  readonly from: number;
  readonly onlyRandom: boolean;
  readonly comparesSecret?: boolean;
}

/** Verbs after which a function takes the name of a secret, not its value. */
const reading = wordSet(`
    get has is find fetch load read need needs require requires show hide forgot delete remove clear revoke
    destroy unset expect assert create generate make isset contains include includes only except pick omit
    test it describe on off emit listen trigger dispatch route redirect render view trans t translate label
    field input column table log warn error print throw reset validate refresh parse new list use`);

function ruleOf(text: string, at: number, name: string, extra: ExtraFields): CallRule | null {
  const known = ofObject(text, at, name);
  if (known !== undefined) return { from: known, onlyRandom: false };
  if (extra.joined.size > 0) return ruleOfName(name, extra);
  const before = rules.get(name);
  if (before !== undefined) return before;
  if (rules.size >= rulesMax) rules.clear();
  const rule = ruleOfName(name, extra);
  rules.set(name, rule);
  return rule;
}

const rules = new Map<string, CallRule | null>();
const rulesMax = 2_000;

function ruleOfName(name: string, extra: ExtraFields): CallRule | null {
  const small = name.toLowerCase();
  const index = argumentByFunction.get(small);
  if (index !== undefined) return { from: index, onlyRandom: false };
  if (digesting.has(small)) return { from: 0, onlyRandom: true };
  if (comparing.test(name)) return { from: 0, onlyRandom: false, comparesSecret: true };
  const words = splitWords(name);
  if (!isSecretVerdict(classifyFieldName(name, extra)) || !isAboutSecret(words)) return null;
  // `session('locale')`, `auth('api')`: a single word usually looks something up by name.
  const isBare = words.length === 1 && !/^pass(?:word|wd|phrase)$/.test(words[0] ?? '');
  const isMaker = words[0] === 'token' || /^[A-Z]/.test(name);
  const onlyRandom = isBare || reading.has(words[0] ?? '') || words.some((word) => machineMade.has(word));
  return { from: isBare && !isMaker ? 1 : 0, onlyRandom };
}

/** Values that only machines create: a plain word passed to such a function is a name. */
const machineMade = wordSet('nonce cookie cookies session sessions csrf xsrf auth');

/** `setPassword`, `password_hash`, `withApiKey`, but not `pass_data`. */
function isAboutSecret(words: readonly string[]): boolean {
  if (words.some((word) => /^pass(?:word|wd|phrase)s?$|^pwd$/.test(word))) return true;
  const last = words.at(-1) ?? '';
  return (
    isSecretVerdict(classifyFieldName(last, noExtraFields)) ||
    isSecretVerdict(classifyFieldName(words.slice(-2).join(' '), noExtraFields))
  );
}

function ofObject(text: string, at: number, name: string): number | undefined {
  if (!'.:>'.includes(text[at - 1] ?? '?')) return undefined;
  if (!methods.has(name.toLowerCase())) return undefined;
  const object = /([A-Za-z_$][\w$]{0,32})(\.|::|->)$/.exec(textBefore(text, at, 36));
  return object === null ? undefined : argumentByMethod.get(`${object[1]}${object[2]}${name}`.toLowerCase());
}

interface Literal {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly argumentIndex: number;
}

function isSecretLiteral(literal: Literal, rule: CallRule): boolean {
  const { text } = literal;
  if (literal.argumentIndex < rule.from || text.length < 3 || isPublicValue(text, true)) return false;
  if (rule.comparesSecret === true) return looksLikePassword(text);
  if (rule.onlyRandom) return looksRandom(text);
  if (/^\S+@\S+\.\S+$|^[a-z]+:\/\/|\s/i.test(text) && !looksRandom(text)) return false;
  return !isFieldName(text) && !/^sha-?\d|^aes-|^md5$|^utf-?8$|^hs\d{3}$|^rs\d{3}$/i.test(text);
}

/** Whether an argument of a comparison is a variable with a secret name. */
function namesSecret(text: string, start: number, literals: readonly Literal[], extra: ExtraFields): boolean {
  const end = Math.max(start, ...literals.map((literal) => literal.end)) + 64;
  const names =
    text.slice(start, Math.min(end, start + callCharsMax)).match(/[A-Za-z_][\w.]{2,64}(?!["'\w])/g) ?? [];
  return names.some((name) => isSecretVerdict(classifyFieldName(name, extra)));
}

const quoted = joinPattern(
  'gy',
  // Escaped quotes: `\"hunter2\"`.
  String.raw`\\+["']([^"'\\\n]{0,512})\\+["']`,
  String.raw`|"((?:[^"\\\n]|\\.){0,512})"|'((?:[^'\\\n]|\\.){0,512})'`,
  String.raw`|${'`'}((?:[^${'`'}\\]|\\.){0,512})${'`'}|["'${'`'}\\]`,
);

const charClass = { opens: 1, closes: 2, comma: 3, quote: 4 } as const;
const charClasses = characterClasses(/[([{]/, /[)\]}]/, /,/, /["'`\\]/);

/** `end` is how far the text was read. */
function literalsOf(text: string, start: number): { readonly literals: Literal[]; readonly end: number } {
  const found: Literal[] = [];
  const stop = Math.min(text.length, start + callCharsMax);
  let depth = 0;
  /** Open `Some(` brackets of Rust: their content is the argument itself. */
  let wrapped = 0;
  let argumentIndex = 0;
  let at = start;
  while (at < stop) {
    const code = text.charCodeAt(at);
    at += 1;
    // A pattern for the text between would take three to five times as long.
    const meaning = code < 128 ? charClasses[code] : 0;
    if (meaning === 0) continue;
    if (meaning === charClass.quote) {
      quoted.lastIndex = at - 1;
      const match = quoted.exec(text);
      const inner = match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4];
      if (match === null || inner === undefined) continue;
      at = quoted.lastIndex;
      const from = match.index + (match[1] === undefined ? 0 : match[0].search(/["']/)) + 1;
      if (depth === wrapped)
        found.push({ start: from, end: from + inner.length, text: inner, argumentIndex });
    } else if (meaning === charClass.opens) {
      if (depth === wrapped && text.startsWith('Some', at - 5)) wrapped += 1;
      depth += 1;
    } else if (meaning === charClass.closes) {
      if (depth === 0) break;
      if (depth === wrapped) wrapped -= 1;
      depth -= 1;
    } else if (depth === 0) {
      argumentIndex += 1;
      if (argumentIndex >= argumentsMax) break;
    }
  }
  return { literals: found, end: at };
}
