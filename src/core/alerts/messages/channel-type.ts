import type { DeliveryResult, NotificationSender } from '../../ports/notification-sender.ts';
import type { DueDelivery } from '../../store/alert-records.ts';
import type { AlertMessage } from './message.ts';

export interface ChannelTarget {
  readonly address: string;
  /** Masked, because the address itself is a credential. */
  readonly shown: string;
}

interface OutgoingMessage extends DueDelivery {
  readonly nowMs: number;
  readonly pagesUrl: string | null;
}

export interface ChannelTypeHandler {
  /** Returns an error sentence for an invalid target. */
  readTarget(text: string): ChannelTarget | string;
  /** Built once and sent the same at every try. Text from users and events is already one line. */
  bodyOf(message: AlertMessage): string;
  /** Read by programs: links in text are kept, and the reason is not cut. */
  readonly isForPrograms?: true;
  send(messenger: NotificationSender, sending: OutgoingMessage): Promise<DeliveryResult>;
}

const dots = '••••';
const addressCharactersMax = 2_000;

/** A URL without credentials and fragment; otherwise an error sentence. */
export function parseTargetUrl(text: string): ChannelTarget | string {
  const url = text.length > addressCharactersMax ? null : URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return 'url must start with https:// or http://.';
  }
  if (url.username !== '' || url.password !== '') return 'url must not contain a user name or password.';
  if (url.hash !== '') return 'url must not contain #.';
  return { address: url.href, shown: maskUrl(url) };
}

/** The rest of the path is often the secret of a chat webhook. */
function maskUrl({ host, pathname, search }: URL): string {
  const [first = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  if (first === '') return search === '' ? host : `${host}/?${dots}`;
  return rest.length === 0 && search === ''
    ? `${host}/${first.slice(0, 3)}${dots}`
    : `${host}/${short(first)}/${dots}`;
}

function short(part: string): string {
  return part.length > 12 ? `${part.slice(0, 3)}${dots}` : part;
}

export function jsonWebhookType(bodyOf: (message: AlertMessage) => string): ChannelTypeHandler {
  return {
    readTarget: parseTargetUrl,
    bodyOf,
    send: (messenger, { channel, body }) =>
      messenger.post({ url: channel.address, headers: { 'content-type': 'application/json' }, body }),
  };
}
