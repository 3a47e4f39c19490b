// Links that give access. Plain words such as `?code=US`, `/invite/friends` and `?key=title` are kept.

import { isPublicValue, looksRandom } from '../table/false-positives.ts';
import { classifyFieldName, splitWords } from '../table/names.ts';
import { alternatives, filteredText, joinPattern, wordSet } from '../table/patterns.ts';
import { registerWords, wordFamilies } from '../table/prefilter.ts';
import type { TextSearch } from '../table/rules.ts';

/** Secret where the URL is about signing in or confirming an address. */
const oneTime =
  wordSet(`code state key nonce hash verify verification confirm confirmation activation activate invite
  invitation magic reset ticket oobcode unsubscribe`);
/** Secret in every query. */
const signing =
  wordSet(`signature sig hmac policy assertion samlresponse samlrequest xamzsignature xgoogsignature
  xamzsecuritytoken hdnea hdnts`);
/** Parameters of OAuth, OpenID, SAML, WordPress login and Firebase. */
const signIn = joinPattern(
  'i',
  '(?:^|[?&#;])',
  alternatives([
    `${alternatives('grant_type redirect_uri client_id session_state scope iss code_verifier login oobCode')}=`,
    String.raw`state=[^&#\s]{8}|state=[^&#\s]{1,200}&code=|code=[^&#\s]{1,200}&state=`,
    'action=(?:rp|resetpass|confirm|activate|verify)',
    'mode=(?:resetPassword|verifyEmail|signIn)',
  ]),
);
const signInPath = joinPattern(
  'i',
  String.raw`(?:^|\/)(?:[\w-]{0,32}callback|oauth2?|authorize|signin|sign-in|sso|oidc|saml2?|connect`,
  String.raw`|wp-activate\.php|wp-login\.php)(?:[/?#]|$)`,
);
const linkWords = wordSet(`
    reset resetpassword passwordreset recover recovery invite invites invitation invitations join magic
    magiclink onetime otp verify verification verifyemail confirm confirmation activate activation
    unsubscribe unsub optout unlock autologin claim redeem accept passwordless`);
/** Path segments before a secret if it looks random. */
const holdingWords = wordSet('share shared webhook webhooks hook hooks token tokens secret secrets apikey');

const starts = [...oneTime, ...signing, ...linkWords, ...holdingWords, 'session', 'oob'];
registerWords(wordFamilies.link, 'start', starts);
registerWords(wordFamilies.link, 'anywhere', ['password', 'reset', 'invit', 'magic', 'session']);

/** Prefilter: no link is read without one of these. */
const linkPrefilter = joinPattern(
  'i',
  String.raw`(?:^|[?&#;\s"'])`,
  `${alternatives([...oneTime, ...signing, 'x-(?:amz|goog)-(?:signature|security-token)', 'oob_code'])}=`,
  String.raw`|/[\w-]{0,24}${alternatives([...linkWords, ...holdingWords])}[\w-]{0,24}[/?#]`,
  String.raw`|;\w{0,8}sess`,
);
const link = /[^\s"'<>`(){}|\\^,]{6,}/g;

export function scrubLinks(text: string, search: TextSearch): string {
  if (!text.includes('#') && !linkPrefilter.test(text)) return text;
  return text.replace(link, (chunk: string) => {
    const at = chunk.indexOf('#');
    if (at === -1) return scrubLink(chunk, search);
    const fragmentAt = chunk[at + 1] === '!' ? at + 2 : at + 1;
    const fragment = chunk.slice(fragmentAt);
    const isRoute = fragment.startsWith('/');
    const key = isRoute || !chunk.slice(0, at).includes('/') ? null : keyOfFragment(fragment);
    if (key !== null) search.hits += 1;
    else if (!isRoute) return scrubLink(chunk, search);
    const clean = key === null ? scrubLink(fragment, search) : filteredText + fragment.slice(key.length);
    return scrubLink(chunk.slice(0, at), search) + chunk.slice(at, fragmentAt) + clean;
  });
}

function scrubLink(chunk: string, search: TextSearch): string {
  if (!linkPrefilter.test(chunk)) return chunk;
  const cut = /[?#]/.exec(chunk)?.index ?? -1;
  const isQuery = cut === -1 && /^[\w.%[\]-]{1,64}=/.test(chunk);
  const path = isQuery ? '' : cut === -1 ? chunk : chunk.slice(0, cut);
  const query = isQuery ? chunk : cut === -1 ? '' : chunk.slice(cut);
  return scrubPath(path, search) + scrubQuery(path, query, search);
}

/** As in links to encrypted files: mixed case and digits, mostly not in word-like runs. */
function keyOfFragment(fragment: string): string | null {
  const key = /^([\w-]{16,512})[.;:!?]{0,3}$/.exec(fragment)?.[1];
  if (key === undefined || !/[a-z]/.test(key) || !/[A-Z]/.test(key) || !looksRandom(key)) return null;
  return key.replaceAll(/[a-z]{4,}|[A-Z]{4,}|-/g, '').length * 2 > key.length ? key : null;
}

export function isSignInForm(names: readonly string[]): boolean {
  return names.some((name) =>
    /^(?:grant_type|redirect_uri|client_id|session_state|code_verifier)$/.test(name),
  );
}

function scrubQuery(path: string, query: string, search: TextSearch): string {
  if (!query.includes('=')) return query;
  const isSigning = signInPath.test(path) || signIn.test(query);
  const isLink = path.split('/').some((segment) => hintOf(segment) === 'link');
  const isAddress = /^[?#]/.test(query);
  return query.replace(
    /([?&#;]|^)([\w.%[\]-]{1,64})=([^&#\s]{1,4096})/g,
    (match: string, separator: string, name: string, value: string) => {
      const letters = name.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
      if (!isSecretParameter(letters, value, { isSignIn: isSigning, isLink, isAddress })) return match;
      search.hits += 1;
      return `${separator}${name}=${filteredText}`;
    },
  );
}

interface ParameterContext {
  readonly isSignIn: boolean;
  readonly isLink: boolean;
  readonly isAddress: boolean;
}

const publicParameters = /^(?:v|ver|version|utm\w*|lang|locale|page|next|redirect\w*|returnto?|email)$/;

/** `name` in lower case. */
export function isSecretParameter(name: string, value: string, context: ParameterContext): boolean {
  if (isPublicValue(value, false) || /^\$\w+$|^https?(?::|%3A)/i.test(value)) return false;
  if (signing.has(name)) return value.length >= 6 && !/^[a-z]{1,16}$/.test(value);
  if (oneTime.has(name)) {
    if (context.isSignIn && !/^(?:\d{1,3}|[a-z]{1,12}|[A-Z]{2}|[a-z]+_[a-z_]+)$/.test(value)) return true;
    const isKey = context.isLink || name === 'key';
    return context.isAddress && (looksRandom(value) || (isKey && looksLikeKey(value)));
  }
  if (!context.isLink || publicParameters.test(name)) return false;
  return (
    looksRandom(value) || (/^(?:key|hash|ticket|invite|confirm\w*|[khct])$/.test(name) && looksLikeKey(value))
  );
}

/** Filters up to three segments after a word such as `reset`. */
function scrubPath(path: string, search: TextSearch): string {
  if (!path.includes('/')) return path;
  const segments = path.split('/');
  let hint: LinkHint = 'none';
  let segmentsLeft = 0;
  const clean = segments.map((segment) => {
    if (segmentsLeft > 0 && (hint === 'link' ? looksLikeKey(segment) : looksRandom(segment))) {
      search.hits += 1;
      return filteredText;
    }
    segmentsLeft -= 1;
    const next = hintOf(segment);
    if (next !== 'none') [hint, segmentsLeft] = [next, 3];
    return scrubMatrix(segment, search);
  });
  return clean.join('/');
}

function scrubMatrix(segment: string, search: TextSearch): string {
  if (!segment.includes(';')) return segment;
  return segment.replace(/;([\w-]{1,64})=([^;]{1,1024})/g, (match: string, name: string, value: string) => {
    if (classifyFieldName(name, search.extra) === 'plain' || isPublicValue(value, false)) return match;
    search.hits += 1;
    return `;${name}=${filteredText}`;
  });
}

type LinkHint = 'link' | 'holder' | 'none';
const hintCache = new Map<string, LinkHint>();
const hintCacheMax = 2_000;

function hintOf(segment: string): LinkHint {
  if (segment.length < 3 || segment.length > 40 || segment.includes('.')) return 'none';
  const known = hintCache.get(segment);
  if (known !== undefined) return known;
  const words = splitWords(segment);
  const isHolder = words.some((word) => holdingWords.has(word));
  const hint = words.some((word) => linkWords.has(word)) ? 'link' : isHolder ? 'holder' : 'none';
  if (hintCache.size >= hintCacheMax) hintCache.clear();
  hintCache.set(segment, hint);
  return hint;
}

/** `step-2`, `order12345`, `v1.2`: an identifier, not a key. */
const numberedThing = joinPattern(
  'i',
  String.raw`^(?:v\d+(?:\.\d+)*|[a-z]{2,12}\d`,
  `|${alternatives('step page order item user team org week day level ticket part form plan')}`,
  String.raw`s?[-_]?\d{1,8})$`,
);

/** Digits with letters, a UUID, or camel-case words; not a file, a number or a form step. */
function looksLikeKey(segment: string): boolean {
  if (/^[A-Z][a-z]+(?:[A-Z][a-z]+)+$/.test(segment)) return true;
  if (segment.length < 6 || !/\d/.test(segment) || !/[A-Za-z]/.test(segment)) return looksRandom(segment);
  if (!/^[\w.~%=+:$@!*-]+$/.test(segment) || /\.[a-z]{2,5}$/i.test(segment)) return false;
  return !numberedThing.test(segment);
}
