// Which names promise a secret or an address. Names are split into words, so that "author" and "tokenizer"
// stay while "X-Api-Key", "api_key" and "apiKey" go (docs/scrubbing.md, "Names"). No values are looked at
// here.
import {
  countedWords,
  pinWords,
  secretEndings,
  secretPairs,
  secretStarts,
  secretWords,
  tellingEndings,
  tellingStarts,
  weakPairs,
  weakWords,
} from './key-words.ts';
import { wordSet } from './patterns.ts';

const keyCharsMax = 128;

/** Names that a project adds, brought to the form that names are compared in. */
export interface ExtraFields {
  readonly joined: ReadonlySet<string>;
  readonly phrases: readonly string[];
  /**
   * What the names can be found by inside of text, as the source of a pattern; empty where there are none.
   */
  readonly pattern: string;
}

/** No names of a project's own. */
export const noFields: ExtraFields = { joined: new Set(), phrases: [], pattern: '' };
let lastNames: readonly string[] = [];
let lastFields = noFields;

/**
 * The project's own names in the form they are compared in; made once as long as the same names are asked
 * for.
 */
export function extraFieldsOf(names: readonly string[]): ExtraFields {
  if (names.length === 0) return noFields;
  if (names.length === lastNames.length && names.every((name, at) => name === lastNames[at])) {
    return lastFields;
  }
  const words = names.map((name) => wordsOf(name)).filter((list) => list.length > 0);
  lastNames = [...names];
  lastFields = {
    joined: new Set(words.map((list) => list.join(''))),
    phrases: words.map((list) => ` ${list.join(' ')} `),
    // Words are letters alone, so nothing in them is a sign of a pattern.
    pattern: words.map((list) => list.join('[^\\p{L}\\n]{0,3}')).join('|'),
  };
  return lastFields;
}

/**
 * Lower-case words of a name: split on case, on anything that is no letter, and at most 128 characters are
 * looked at.
 */
export function wordsOf(name: string): string[] {
  return plainly(name.slice(0, keyCharsMax))
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** The text with full-width letters made plain and without invisible characters. */
function plainly(name: string): string {
  return /[\u00ad\u200b-\uffff]/.test(name)
    ? name.replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '').normalize('NFKC')
    : name;
}

export type KeyVerdict =
  | 'secret'
  | 'counted'
  | 'random'
  | 'pin'
  | 'address'
  | 'agent'
  | 'version'
  | 'id'
  | 'plain';

/**
 * What a name says about its value: `secret` (filter it), `counted` (filter it unless it is a number),
 * `random` (filter it where it looks made by a machine), `pin` (filter it where it is a number of some
 * length), `address` (an IP address), `agent` (a user agent: dotted numbers are no addresses there either),
 * `version` (dotted numbers are no addresses), `id` (hex of ours), or nothing.
 */
export function judgeKey(name: string, extra: ExtraFields): KeyVerdict {
  const known = extra.joined.size === 0 ? verdicts.get(name) : undefined;
  if (known !== undefined) return known;
  // `[ip]` in a key stands for an address that was scrubbed; it does not make the key mean an address.
  const verdict = judgePath(name.replaceAll('[ip]', ' '), extra);
  if (extra.joined.size === 0 && name.length <= keyCharsMax) {
    if (verdicts.size >= verdictsMax) verdicts.clear();
    verdicts.set(name, verdict);
  }
  return verdict;
}

/**
 * True where a name makes its value a secret, whatever it looks like but for numbers that count something.
 */
export function promisesSecret(verdict: KeyVerdict): boolean {
  return verdict === 'secret' || verdict === 'counted';
}

/** Names repeat from event to event; the answer depends on nothing but the name. */
const verdicts = new Map<string, KeyVerdict>();
const verdictsMax = 10_000;

/** Last parts of a path that stand for the whole: `session.id`, `token.value`. */
const plainParts = wordSet('id value raw text data plain default current new old main');
/** Parts that hold one secret for each name: `tokens.github`. */
const manySecrets = /(?:passwords|secrets|tokens|credentials|cookies|keys)$/i;

/** Of a path the last part says what the value is: `session.sampled` is no session. */
function judgePath(name: string, extra: ExtraFields): KeyVerdict {
  const whole = judge(wordsOf(name), extra);
  const dot = name.lastIndexOf('.');
  if (!promisesSecret(whole) || dot <= 0 || dot === name.length - 1) return whole;
  const last = wordsOf(name.slice(dot + 1));
  const verdict = judge(last, extra);
  if (verdict !== 'plain' && verdict !== 'version' && verdict !== 'id') return verdict;
  const isWhole = last.length === 0 || (last.length === 1 && plainParts.has(last[0] ?? ''));
  return isWhole || manySecrets.test(name.slice(0, dot)) || isExtra(name, extra) ? whole : 'random';
}

function isExtra(name: string, extra: ExtraFields): boolean {
  return extra.joined.size > 0 && judge(wordsOf(name), noFields) !== judge(wordsOf(name), extra);
}

function judge(words: readonly string[], extra: ExtraFields): KeyVerdict {
  const joined = words.join('');
  if (extra.joined.has(joined)) return 'secret';
  const phrase = ` ${words.join(' ')} `;
  if (extra.phrases.some((one) => phrase.includes(one))) return 'secret';
  if (isAddressName(words, joined)) return 'address';
  if (joined === 'useragent' || joined === 'httpuseragent') return 'agent';
  const place = words.findIndex(
    (word, at) => isSecretWord(word) || secretPairs.has(`${word} ${words[at + 1] ?? ''}`),
  );
  if (place !== -1 || secretWords.has(joined)) {
    // `PublicKeyToken`: of assemblies of .NET, the digest of a public key. `TokenException: …`.
    if (phrase.endsWith(' public key token ') || words.at(-1) === 'exception') return 'plain';
    if (isAboutSecret(words, place)) return 'random';
    return countedWords.has(words[place] ?? '') ? 'counted' : 'secret';
  }
  if (words.some((word, at) => weakWords.has(word) || weakPairs.has(`${word} ${words[at + 1] ?? ''}`))) {
    return 'random';
  }
  if (words.some((word) => pinWords.has(word))) return 'pin';
  if (words.some((word) => word === 'version' || word === 'build' || word === 'release')) return 'version';
  return words.at(-1) === 'id' && idWords.has(words.at(-2) ?? '') ? 'id' : 'plain';
}

/** "token_type", "has_password": said of the secret whose words begin at `place`, and not the secret. */
function isAboutSecret(words: readonly string[], place: number): boolean {
  const last = isSecretWord(words[place] ?? '') ? place : place + 1;
  const endsOtherwise = place !== -1 && last < words.length - 1 && tellingEndings.has(words.at(-1) ?? '');
  return endsOtherwise || (place > 0 && tellingStarts.has(words[0] ?? ''));
}

const idWords = wordSet('trace span event replay debug profile code');

function isSecretWord(word: string): boolean {
  return secretWords.has(word) || (word.length > 5 && (secretEndings.test(word) || secretStarts.test(word)));
}

const addressNames = wordSet(`
    forwarded xforwardedfor forwardedfor xoriginalforwardedfor remoteaddr remoteaddress remotehost ipaddress
    ipaddr ipaddresses ips clientaddress clientaddr peeraddress sourceaddress networkpeeraddress netpeeraddr
    netsockpeeraddr xremoteaddr xenvoyexternaladdress cfconnectingipv cfpseudoipv xforwarded xproxyuserip
    serveraddr`);

/**
 * `REMOTE_ADDR`, `X-Forwarded-For`, `CF-Connecting-IP`, anything that ends in "ip"; with `HTTP_` in front
 * too.
 */
function isAddressName(words: readonly string[], joined: string): boolean {
  const last = words.at(-1);
  return (
    last === 'ip' ||
    addressNames.has(joined.startsWith('http') ? joined.slice(4) : joined) ||
    (last === 'address' && words.at(-2) === 'ip')
  );
}
