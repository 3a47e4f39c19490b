// Where a channel of each type leads: what may be written, and how it is shown. What opens a channel is never
// shown whole.
import type { Deps } from '../deps.ts';
import type { ChannelType } from '../store/alerts.ts';

export interface Target {
  readonly address: string;
  /** As everybody may see it. */
  readonly shown: string;
}

const dots = '••••';
const mailboxesMax = 20;
const addressCharactersMax = 2_000;
const secretBytes = 24;

/** Reads where a channel leads. Answers a sentence for what cannot be. */
export function readTarget(type: ChannelType, text: string): Target | string {
  return type === 'email' ? readMailboxes(text) : readUrl(type, text);
}

function readMailboxes(text: string): Target | string {
  const all = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const isMailbox = (each: string): boolean =>
    /^[^\s@<>"(),:;\\[\]\p{C}]{1,64}@[^\s@<>"(),:;\\[\]\p{C}]{1,190}$/u.test(each);
  if (all.length === 0 || all.length > mailboxesMax || !all.every(isMailbox)) {
    return `to must be one to ${mailboxesMax} mailboxes, with commas between them.`;
  }
  return { address: all.join(', '), shown: all.map(shownMailbox).join(', ') };
}

function shownMailbox(mailbox: string): string {
  const [name = '', host = ''] = mailbox.split('@');
  return `${name.slice(0, Math.min(2, name.length - 1))}•@${host}`;
}

function readUrl(type: ChannelType, text: string): Target | string {
  const url = text.length > addressCharactersMax ? null : URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return 'url must be an address that begins with https:// or http://.';
  }
  if (url.username !== '' || url.password !== '') return 'url must hold no name and no password.';
  if (url.hash !== '') return 'url must hold no #.';
  if (type === 'ntfy' && !/^\/(?:[^/]+\/)*[A-Za-z0-9_-]{1,64}$/.test(url.pathname)) {
    return 'url must end in the topic, such as https://ntfy.sh/on-call.';
  }
  return { address: url.href, shown: shownUrl(url) };
}

/** Host and the beginning of the path: the rest of a chat's address is what opens the room. */
function shownUrl({ host, pathname, search }: URL): string {
  const [first = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  if (first === '') return search === '' ? host : `${host}/?${dots}`;
  return rest.length === 0 && search === ''
    ? `${host}/${first.slice(0, 3)}${dots}`
    : `${host}/${short(first)}/${dots}`;
}

function short(part: string): string {
  return part.length > 12 ? `${part.slice(0, 3)}${dots}` : part;
}

/** A secret by which webhooks are signed, as receivers are given it. */
export function newSecret({ randomBytes }: Pick<Deps, 'randomBytes'>): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** Whether a text can be such a secret: 24 to 64 bytes in base64, with or without `whsec_` before them. */
export function isSecret(text: string): boolean {
  const plain = text.replace(/^whsec_/, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return false;
  const { length } = Buffer.from(plain, 'base64');
  return length >= 24 && length <= 64;
}
