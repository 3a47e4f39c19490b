// Names are split into words, so that "author" is kept and "apiKey" filtered (docs/scrubbing.md, "Names").
import {
  countWords,
  descriptiveEndings,
  descriptiveStarts,
  pinWords,
  secretEndings,
  secretPairs,
  secretStarts,
  secretWords,
  weakPairs,
  weakWords,
} from './key-words.ts';
import { wordSet } from './patterns.ts';

const keyCharsMax = 128;

export interface ExtraFields {
  readonly joined: ReadonlySet<string>;
  readonly phrases: readonly string[];
  /** Pattern source that finds the names in text; empty for none. */
  readonly pattern: string;
}

export const noExtraFields: ExtraFields = { joined: new Set(), phrases: [], pattern: '' };
let lastNames: readonly string[] = [];
let lastFields = noExtraFields;

export function compileExtraFields(names: readonly string[]): ExtraFields {
  if (names.length === 0) return noExtraFields;
  if (names.length === lastNames.length && names.every((name, at) => name === lastNames[at])) {
    return lastFields;
  }
  const words = names.map((name) => splitWords(name)).filter((list) => list.length > 0);
  lastNames = [...names];
  lastFields = {
    joined: new Set(words.map((list) => list.join(''))),
    phrases: words.map((list) => ` ${list.join(' ')} `),
    pattern: words.map((list) => list.join('[^\\p{L}\\n]{0,3}')).join('|'),
  };
  return lastFields;
}

/** Lower-case words, split at changes of case and non-letters; reads at most 128 characters. */
export function splitWords(name: string): string[] {
  return normalizeName(name.slice(0, keyCharsMax))
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** NFKC, without invisible characters. */
function normalizeName(name: string): string {
  return /[\u00ad\u200b-\uffff]/.test(name)
    ? name.replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '').normalize('NFKC')
    : name;
}

export type FieldNameVerdict =
  | 'secret'
  | 'counted'
  | 'random'
  | 'pin'
  | 'address'
  | 'agent'
  | 'version'
  | 'id'
  | 'plain';

/** `counted`: secret unless a number. `random`: secret where it looks random. `pin`: secret where it is a number of
 * some length. `agent`, `version`: dotted numbers are not IP addresses. `id`: our hex id. */
export function classifyFieldName(name: string, extra: ExtraFields): FieldNameVerdict {
  const known = extra.joined.size === 0 ? verdicts.get(name) : undefined;
  if (known !== undefined) return known;
  // `[ip]` in a key is a scrubbed address; the key itself is not about addresses.
  const verdict = judgePath(name.replaceAll('[ip]', ' '), extra);
  if (extra.joined.size === 0 && name.length <= keyCharsMax) {
    if (verdicts.size >= verdictsMax) verdicts.clear();
    verdicts.set(name, verdict);
  }
  return verdict;
}

export function isSecretVerdict(verdict: FieldNameVerdict): boolean {
  return verdict === 'secret' || verdict === 'counted';
}

const verdicts = new Map<string, FieldNameVerdict>();
const verdictsMax = 10_000;

/** Last parts of a path that mean the whole: `session.id`, `token.value`. */
const plainParts = wordSet('id value raw text data plain default current new old main');
/** Parents of one secret per name: `tokens.github`. */
const manySecrets = /(?:passwords|secrets|tokens|credentials|cookies|keys)$/i;

/** The last part of a path decides: `session.sampled` is not a session. */
function judgePath(name: string, extra: ExtraFields): FieldNameVerdict {
  const pathVerdict = judge(splitWords(name), extra);
  const dot = name.lastIndexOf('.');
  if (!isSecretVerdict(pathVerdict) || dot <= 0 || dot === name.length - 1) return pathVerdict;
  const last = splitWords(name.slice(dot + 1));
  const verdict = judge(last, extra);
  if (verdict !== 'plain' && verdict !== 'version' && verdict !== 'id') return verdict;
  const isWhole = last.length === 0 || (last.length === 1 && plainParts.has(last[0] ?? ''));
  return isWhole || manySecrets.test(name.slice(0, dot)) || isExtra(name, extra) ? pathVerdict : 'random';
}

function isExtra(name: string, extra: ExtraFields): boolean {
  return extra.joined.size > 0 && judge(splitWords(name), noExtraFields) !== judge(splitWords(name), extra);
}

function judge(words: readonly string[], extra: ExtraFields): FieldNameVerdict {
  const joined = words.join('');
  if (extra.joined.has(joined)) return 'secret';
  const phrase = ` ${words.join(' ')} `;
  if (extra.phrases.some((one) => phrase.includes(one))) return 'secret';
  if (isAddressName(words, joined)) return 'address';
  if (joined === 'useragent' || joined === 'httpuseragent') return 'agent';
  const index = words.findIndex(
    (word, at) => isSecretWord(word) || secretPairs.has(`${word} ${words[at + 1] ?? ''}`),
  );
  if (index !== -1 || secretWords.has(joined)) {
    // .NET's `PublicKeyToken` is a digest of a public key. `TokenException: …` is an error.
    if (phrase.endsWith(' public key token ') || words.at(-1) === 'exception') return 'plain';
    if (isAboutSecret(words, index)) return 'random';
    return countWords.has(words[index] ?? '') ? 'counted' : 'secret';
  }
  if (words.some((word, at) => weakWords.has(word) || weakPairs.has(`${word} ${words[at + 1] ?? ''}`))) {
    return 'random';
  }
  if (words.some((word) => pinWords.has(word))) return 'pin';
  if (words.some((word) => word === 'version' || word === 'build' || word === 'release')) return 'version';
  return words.at(-1) === 'id' && idWords.has(words.at(-2) ?? '') ? 'id' : 'plain';
}

/** "token_type", "has_password": about the secret whose words begin at `index`. */
function isAboutSecret(words: readonly string[], index: number): boolean {
  const last = isSecretWord(words[index] ?? '') ? index : index + 1;
  const endsOtherwise = index !== -1 && last < words.length - 1 && descriptiveEndings.has(words.at(-1) ?? '');
  return endsOtherwise || (index > 0 && descriptiveStarts.has(words[0] ?? ''));
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

/** `REMOTE_ADDR`, `X-Forwarded-For`, `CF-Connecting-IP`, names that end in "ip"; also with `HTTP_` before them. */
function isAddressName(words: readonly string[], joined: string): boolean {
  const last = words.at(-1);
  return (
    last === 'ip' ||
    addressNames.has(joined.startsWith('http') ? joined.slice(4) : joined) ||
    (last === 'address' && words.at(-2) === 'ip')
  );
}
