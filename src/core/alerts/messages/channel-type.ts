import {
  type ChannelFieldDefinition,
  type ChannelFieldName,
  type ChannelFields,
  webhookUrl,
} from '../../../../schemas/alert-channel-fields.ts';
import type { DeliveryResult, NotificationSender } from '../../ports/notification-sender.ts';
import type { DueDelivery, MessageThread, PushSubscription } from '../../store/alert-records.ts';
import type { AlertMessage } from './message.ts';

export interface ChannelTarget {
  readonly address: string;
  /** Masked, because the address itself is a credential. */
  readonly shown: string;
  /** Stored with the channel; the fields other than `url`, `to` and `secret` by default. */
  readonly settings?: ChannelFields;
}

export interface OutgoingMessage extends DueDelivery {
  readonly nowMs: number;
  readonly pagesUrl: string | null;
  /** Of a channel of type `webpush`; null if the subscription is gone. */
  readonly push?: PushTarget | null;
}

export interface PushTarget {
  readonly subscription: Pick<PushSubscription, 'endpoint' | 'p256dh' | 'auth'>;
  readonly keys: VapidKeys;
  /** `https:` or `mailto:`; null for none. */
  readonly contact: string | null;
}

/** P-256, as a JWK: base64url. */
export interface VapidKeys {
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

export const channelGroups = ['Chat', 'On-call', 'E-mail and push', 'Webhook'] as const;

/** One type of channel: what its form shows, and what it sends. Fields are checked before. */
export interface ChannelTypeDefinition {
  readonly name: string;
  readonly group: (typeof channelGroups)[number];
  readonly needs: string;
  readonly fields: { readonly [Name in ChannelFieldName]?: ChannelFieldDefinition };
  /** Of these groups of optional fields exactly one is used, with all its fields. */
  readonly oneOf?: { readonly groups: ReadonlyArray<readonly ChannelFieldName[]>; readonly error: string };
  /** Where the value of a field is found in the service, step by step, in its words. */
  readonly instructions?: { readonly field: ChannelFieldName; readonly steps: readonly string[] };
  targetOf(fields: ChannelFields): ChannelTarget;
  /** Built once and sent the same at every try; without keys, because it is shown. Text is one line already. */
  bodyOf(message: AlertMessage, settings: ChannelFields): string;
  subjectOf?(message: AlertMessage): string;
  htmlOf?(message: AlertMessage): string;
  /** Null where the channel has no threads, or the message is about several things or none that has a thread. */
  threadOf?(message: AlertMessage, settings: ChannelFields): MessageThread | null;
  /** Read by programs: links in text are kept, and the reason is not cut. */
  readonly isForPrograms?: true;
  send(sender: NotificationSender, sending: OutgoingMessage): Promise<DeliveryResult>;
}

const dots = '••••';

/** The rest of the path is often the secret of a chat webhook. */
function maskUrl(text: string): string {
  const { host, pathname, search } = new URL(text);
  const [first = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  if (first === '') return search === '' ? host : `${host}/?${dots}`;
  return rest.length === 0 && search === ''
    ? `${host}/${first.slice(0, 3)}${dots}`
    : `${host}/${short(first)}/${dots}`;
}

function short(part: string): string {
  return part.length > 12 ? `${part.slice(0, 3)}${dots}` : part;
}

export function maskKey(key: string): string {
  return `${key.slice(0, 3)}${dots}`;
}

/** The whole address is the secret. */
export function webhookTarget({ url = '' }: ChannelFields): ChannelTarget {
  const { href } = new URL(url);
  return { address: href, shown: maskUrl(href) };
}

/** A URL of a service below which its paths are, without a slash at the end. */
export function serverTarget(url: string, shown: (host: string) => string): ChannelTarget {
  const { href, host } = new URL(url);
  return { address: href.replace(/\/+$/, ''), shown: shown(host) };
}

export const jsonHeaders = { 'content-type': 'application/json' } as const;

interface IncomingWebhook extends Pick<ChannelTypeDefinition, 'name' | 'needs'> {
  readonly example: string;
  /** Where it is found, in a few words, and step by step. */
  readonly hint: string;
  readonly steps: readonly string[];
}

/** A chat that takes JSON at a secret URL. */
export function jsonWebhookType(
  { name, needs, example, hint, steps }: IncomingWebhook,
  bodyOf: ChannelTypeDefinition['bodyOf'],
): ChannelTypeDefinition {
  return {
    name,
    group: 'Chat',
    needs,
    fields: { url: webhookUrl(example, hint) },
    instructions: { field: 'url', steps },
    targetOf: webhookTarget,
    bodyOf,
    send: (sender, { channel, body }) => sender.post({ url: channel.address, headers: jsonHeaders, body }),
  };
}
