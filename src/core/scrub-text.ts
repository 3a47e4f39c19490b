// Secrets inside of text: what is told by a name in front of it, and what is told by its own shape (ingestion.md section 7.2).
// Every search is linear in the length of the text.
import { type AddressRule, scrubAddresses } from './scrub-address.ts';
import { scrubAssignments } from './scrub-assignments.ts';
import { scrubCards } from './scrub-cards.ts';
import { type ExtraFields, extraFieldsOf } from './scrub-keys.ts';
import { scrubProse } from './scrub-prose.ts';

export const filtered = '[Filtered]';

export interface ScrubState {
  readonly extra: ExtraFields;
  readonly addresses: AddressRule;
  /** Hits so far. */
  count: number;
}

/** `text`: everything. `source`: a line of code, where only literals can be secrets. `version`: dotted numbers are no addresses. */
export type TextKind = 'text' | 'source' | 'version';

/** Text from anywhere (a bug report, a file name, a line for the log) without secrets and addresses. */
export function scrubText(text: string): string {
  return scrubString(text, { extra: extraFieldsOf([]), addresses: 'drop', count: 0 }, 'text');
}

/** The same with a state that counts hits and knows the project's own names. */
export function scrubString(text: string, state: ScrubState, kind: TextKind): string {
  if (text.length < 5) return text;
  const hit = () => {
    state.count += 1;
  };
  let clean = scrubPem(text, hit);
  clean = scrubAssignments(clean, state.extra, kind === 'source', hit);
  clean = scrubProse(clean, state.extra, kind === 'source', hit);
  clean = scrubUrlUsers(clean, hit);
  clean = scrubSchemes(clean, hit);
  clean = scrubTokens(clean, hit);
  clean = scrubCards(clean, hit);
  return kind === 'text' ? scrubAddresses(clean, state.addresses, hit) : clean;
}

const pemBegin = '-----BEGIN ';
const pemEnd = '-----END ';

/** From BEGIN to the end of the END line, or to the end of the text where that is missing. */
function scrubPem(text: string, hit: () => void): string {
  let start = text.indexOf(pemBegin);
  if (start === -1) return text;
  let clean = '';
  let position = 0;
  while (start !== -1) {
    hit();
    clean += text.slice(position, start) + filtered;
    const end = text.indexOf(pemEnd, start);
    const close = end === -1 ? -1 : text.indexOf('-----', end + pemEnd.length);
    position = close === -1 ? text.length : close + 5;
    start = text.indexOf(pemBegin, position);
  }
  return clean + text.slice(position);
}

/** True where a list of lines is inside a PEM block after this line; `before` says so for the lines before it. */
export function isInsidePem(line: string, before: boolean): boolean {
  const begin = line.lastIndexOf(pemBegin);
  const end = line.lastIndexOf(pemEnd);
  return begin === -1 && end === -1 ? before : begin > end;
}

/** `https://user:pass@host` and `user:pass@host`, as connection strings write them. */
function scrubUrlUsers(text: string, hit: () => void): string {
  if (!text.includes('@')) return text;
  const withoutUrls = text.replace(/:\/\/([^\s/?#"'<>]{1,512})@/g, (whole: string, user: string) => {
    if (!user.includes(':') && user.length < 16) return whole;
    hit();
    return `://${filtered}@`;
  });
  return withoutUrls.replace(
    /(?<![^\s"'(=,;])([\w.+-]{1,64}):([^\s@/"'<>]{1,128})@(?=[A-Za-z[(])/g,
    (whole: string, user: string) => {
      if (/^(?:mailto|e-?mail|mail|to|from|cc|bcc|sip|sips|xmpp|acct|user|npm|git|ssh)$/i.test(user))
        return whole;
      hit();
      return `${filtered}@`;
    },
  );
}

const plainWords =
  /^(?:auth(?:entication|orization|orisation)?|token|tokens|access|realm|scheme|credentials?|of|is|not|and|or|information|usage|type|tests?|format|missing|required|invalid|expired)$/i;

/** `Bearer …`, `Basic …` and their like: the word stays, what follows goes. */
function scrubSchemes(text: string, hit: () => void): string {
  return text.replace(
    /\b(bearer|basic|digest|negotiate|ntlm)(\s{1,4}|%20|\+)([\w+/=.~:%-]{4,})/gi,
    (whole: string, scheme: string, gap: string, secret: string) => {
      if (plainWords.test(secret) || (!/^bearer$/i.test(scheme) && !/[\dA-Z+/=]/.test(secret))) return whole;
      hit();
      return `${scheme}${gap}${filtered}`;
    },
  );
}

const knownTokens =
  /(?:gh[pousr]_|github_pat_|glpat-|gl[a-z]{2,5}-|[srp]k_(?:live|test)_|whsec_|xox[a-z]-|xapp-|ntf_sk_|npm_|pypi-|dop_v1_|shp(?:at|ca|pa|ss)_|hvs\.|SG\.|sk-(?:proj-|ant-)?|sq0[a-z]{3}-|ya29\.|AIza|lin_api_|hf_|dckr_pat_)[\w.-]{12,}|\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}/g;

/** Tokens told by their shape: those with a known beginning, and JSON web tokens. */
function scrubTokens(text: string, hit: () => void): string {
  if (text.length < 16) return text;
  const clean = text.replace(knownTokens, () => {
    hit();
    return filtered;
  });
  return scrubWebTokens(scrubHooks(clean, hit), hit);
}

/** Addresses that are keys themselves: who knows them may post. */
function scrubHooks(text: string, hit: () => void): string {
  if (!/hooks\.slack\.com|\/api\/webhooks\//i.test(text)) return text;
  return text.replace(
    /(hooks\.slack\.com\/[a-z]{1,16}\/|\/api\/webhooks\/\d{1,24}\/)[\w/-]{8,}/gi,
    (_whole: string, place: string) => {
      hit();
      return `${place}${filtered}`;
    },
  );
}

function scrubWebTokens(text: string, hit: () => void): string {
  if (!text.includes('eyJ')) return text;
  return text.replace(/[\w.-]{20,}/g, (word) => {
    const start = word.indexOf('eyJ');
    if (start === -1 || word.length - start < 20) return word;
    hit();
    return word.slice(0, start) + filtered;
  });
}
