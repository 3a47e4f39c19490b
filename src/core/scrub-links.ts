// Links that are keys: a one-time code in the query, a signature, a token as part of the path. A plain word there is none:
// `?code=US`, `/invite/friends`, `?key=title` stay.
import { type ExtraFields, judgeKey, wordsOf } from './scrub-keys.ts';
import { announceWords, family } from './scrub-look.ts';
import { hidesNothing, looksRandom } from './scrub-worth.ts';

const filtered = '[Filtered]';

/** Parameters that are secrets where the rest of the query says that somebody signs in, signs up or proves an address. */
const oneTime = new Set(
  'code state key nonce hash verify verification confirm confirmation activation activate invite invitation magic reset ticket oobcode unsubscribe'.split(
    ' ',
  ),
);
/** Parameters that are secrets wherever they stand in a query. */
const signing = new Set(
  'signature sig hmac policy assertion samlresponse samlrequest xamzsignature xgoogsignature xamzsecuritytoken hdnea hdnts'.split(
    ' ',
  ),
);
/** What says so: parameters of OAuth, OpenID, SAML and WordPress's sign-in. */
const signIn =
  /(?:^|[?&#;])(?:grant_type=|redirect_uri=|client_id=|session_state=|scope=|iss=|code_verifier=|state=[^&#\s]{8,}|state=[^&#\s]+&code=|code=[^&#\s]+&state=|action=(?:rp|resetpass|confirm|activate|verify)|login=|oobCode=|mode=(?:resetPassword|verifyEmail|signIn))/i;
const signInPath =
  /(?:^|\/)(?:[\w-]{0,32}callback|oauth2?|authorize|signin|sign-in|sso|oidc|saml2?|connect|wp-activate\.php|wp-login\.php)(?:[/?#]|$)/i;
/** Words of a path behind which a secret stands, unless it is a word, a number or a step. */
const linkWords = new Set(
  `reset resetpassword passwordreset recover recovery invite invites invitation invitations join magic magiclink onetime otp verify
  verification verifyemail confirm confirmation activate activation unsubscribe unsub optout unlock autologin claim redeem accept
  passwordless`.split(/\s+/),
);
/** Words of a path behind which a secret may stand: it must look made by a machine. */
const holdingWords = new Set(
  'share shared webhook webhooks hook hooks token tokens secret secrets apikey'.split(' '),
);

const parameterNames = [...oneTime, ...signing].join('|');
const pathWords = [...linkWords, ...holdingWords].join('|');
announceWords(family.link, 'start', [
  ...oneTime,
  ...signing,
  ...linkWords,
  ...holdingWords,
  'session',
  'oob',
]);
announceWords(family.link, 'anywhere', ['password', 'reset', 'invit', 'magic', 'session']);

/** A parameter, a part of a path or of an address that may promise a secret; without one no link is read. */
const promising = new RegExp(
  `(?:^|[?&#;\\s"'])(?:${parameterNames}|x-(?:amz|goog)-(?:signature|security-token)|oob_code)=|/[\\w-]{0,24}(?:${pathWords})[\\w-]{0,24}[/?#]|;\\w{0,8}sess`,
  'i',
);
/** Runs of signs that an address or a form body is written in. */
const link = /[^\s"'<>`(){}|\\^,]{6,}/g;

/** Text whose links keep no secret. */
export function scrubLinks(text: string, extra: ExtraFields, hit: () => void): string {
  if (!promising.test(text)) return text;
  return text.replace(link, (chunk: string) => {
    if (!promising.test(chunk)) return chunk;
    const cut = /[?#]/.exec(chunk)?.index ?? -1;
    const isQuery = cut === -1 && /^[\w.%[\]-]{1,64}=/.test(chunk);
    const path = isQuery ? '' : cut === -1 ? chunk : chunk.slice(0, cut);
    const query = isQuery ? chunk : cut === -1 ? '' : chunk.slice(cut);
    return scrubPath(path, extra, hit) + scrubQuery(path, query, hit);
  });
}

/** Whether the names of a form say that somebody signs in. */
export function namesSignIn(names: readonly string[]): boolean {
  return names.some((name) =>
    /^(?:grant_type|redirect_uri|client_id|session_state|code_verifier)$/.test(name),
  );
}

function scrubQuery(path: string, query: string, hit: () => void): string {
  if (!query.includes('=')) return query;
  const isSigning = signInPath.test(path) || signIn.test(query);
  const isLink = path.split('/').some((segment) => promiseOf(segment) === 'link');
  const isAddress = /^[?#]/.test(query);
  return query.replace(
    /([?&#;]|^)([\w.%[\]-]{1,64})=([^&#\s]{1,4096})/g,
    (whole: string, mark: string, name: string, value: string) => {
      const bare = name.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
      if (!isSecretParameter(bare, value, { isSignIn: isSigning, isLink, isAddress })) return whole;
      hit();
      return `${mark}${name}=${filtered}`;
    },
  );
}

/** What stands around a parameter: a sign-in, a path that promises a secret, an address. */
interface Around {
  readonly isSignIn: boolean;
  readonly isLink: boolean;
  readonly isAddress: boolean;
}

/** Whether a parameter of that name, in small letters, holds a secret. */
export function isSecretParameter(name: string, value: string, around: Around): boolean {
  if (hidesNothing(value, false) || /^\$\w+$|^https?(?::|%3A)/i.test(value)) return false;
  if (signing.has(name)) return value.length >= 6 && !/^[a-z]{1,16}$/.test(value);
  if (oneTime.has(name)) {
    if (around.isSignIn && !/^(?:\d{1,3}|[a-z]{1,12}|[A-Z]{2}|[a-z]+_[a-z_]+)$/.test(value)) return true;
    return around.isAddress && looksRandom(value);
  }
  return (
    around.isLink &&
    !/^(?:v|ver|version|utm\w*|lang|locale|page|next|redirect\w*|returnto?|email)$/.test(name) &&
    looksRandom(value)
  );
}

/** Hides up to three parts of a path behind a word that promises a secret, where they look made by a machine. */
function scrubPath(path: string, extra: ExtraFields, hit: () => void): string {
  if (!path.includes('/')) return path;
  const segments = path.split('/');
  let promise: LinkPromise = 'none';
  let left = 0;
  const clean = segments.map((segment) => {
    if (left > 0 && (promise === 'link' ? looksLikeKey(segment) : looksRandom(segment))) {
      hit();
      return filtered;
    }
    left -= 1;
    const next = promiseOf(segment);
    if (next !== 'none') [promise, left] = [next, 3];
    return scrubMatrix(segment, extra, hit);
  });
  return clean.join('/');
}

/** `;jsessionid=…` behind a part of a path. */
function scrubMatrix(segment: string, extra: ExtraFields, hit: () => void): string {
  if (!segment.includes(';')) return segment;
  return segment.replace(/;([\w-]{1,64})=([^;]{1,1024})/g, (whole: string, name: string, value: string) => {
    if (judgeKey(name, extra) === 'plain' || hidesNothing(value, false)) return whole;
    hit();
    return `;${name}=${filtered}`;
  });
}

type LinkPromise = 'link' | 'holder' | 'none';
const promises = new Map<string, LinkPromise>();
const promisesMax = 2_000;

/** What a part of a path promises of those behind it. Parts repeat, so the answers are kept. */
function promiseOf(segment: string): LinkPromise {
  if (segment.length < 3 || segment.length > 40 || segment.includes('.')) return 'none';
  const known = promises.get(segment);
  if (known !== undefined) return known;
  const words = wordsOf(segment);
  const isHolder = words.some((word) => holdingWords.has(word));
  const promise = words.some((word) => linkWords.has(word)) ? 'link' : isHolder ? 'holder' : 'none';
  if (promises.size >= promisesMax) promises.clear();
  promises.set(segment, promise);
  return promise;
}

/** Digits and letters together, or a UUID; no file, no number, no step of a form. */
function looksLikeKey(segment: string): boolean {
  if (/^[A-Z][a-z]+(?:[A-Z][a-z]+)+$/.test(segment)) return true;
  if (segment.length < 6 || !/\d/.test(segment) || !/[A-Za-z]/.test(segment)) return looksRandom(segment);
  if (!/^[\w.~%=+:$@!*-]+$/.test(segment) || /\.[a-z]{2,5}$/i.test(segment)) return false;
  return !/^(?:v\d+(?:\.\d+)*|(?:step|page|order|item|user|team|org|week|day|level|ticket|part|form|plan)s?[-_]?\d{1,8}|[a-z]{2,12}\d)$/i.test(
    segment,
  );
}
