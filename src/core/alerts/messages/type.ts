// What a type of alert channel is: where it leads, what it sends, and how. A new one is a file beside this,
// its name in schemas/alert-channels.ts, and a line in index.ts.
import type { Messenger, SendAnswer } from '../../ports/messenger.ts';
import type { DueDelivery } from '../../store/alerting.ts';
import type { AlertMessage } from './message.ts';

export interface Target {
  readonly address: string;
  /** As everybody may see it: what opens a channel is never shown whole. */
  readonly shown: string;
}

/** A message that is due, as a type sends it. */
interface Sending extends DueDelivery {
  readonly nowMs: number;
  /** Where the pages are, without a slash at the end; null where there are none. */
  readonly pagesUrl: string | null;
}

export interface ChannelTypeRules {
  /** Reads where a channel leads; a sentence for what cannot be. */
  readTarget(text: string): Target | string;
  /** A message as it is sent at every try. What strangers wrote in it is one line already. */
  bodyOf(message: AlertMessage): string;
  /** Where a program reads it: lines of strangers keep their links, and why it came is whole. */
  readonly isForPrograms?: true;
  send(messenger: Messenger, sending: Sending): Promise<SendAnswer>;
}

const dots = '••••';
const addressCharactersMax = 2_000;

/** An address of the web without a name, a password or a fragment; a sentence for anything else. */
export function readUrl(text: string): Target | string {
  const url = text.length > addressCharactersMax ? null : URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return 'url must start with https:// or http://.';
  }
  if (url.username !== '' || url.password !== '') return 'url must not contain a user name or password.';
  if (url.hash !== '') return 'url must not contain #.';
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

/** A type that takes JSON at an address, made by `bodyOf`. */
export function chat(bodyOf: (message: AlertMessage) => string): ChannelTypeRules {
  return {
    readTarget: readUrl,
    bodyOf,
    send: (messenger, { channel, body }) =>
      messenger.post({ url: channel.address, headers: { 'content-type': 'application/json' }, body }),
  };
}
