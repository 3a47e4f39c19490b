// A push message of at most 4,096 bytes encrypted (RFC 8291), so at most 3,993 of plain text.
import { type PushSubscription, parsePushSubscription } from '../../../../schemas/alert-channel-types.ts';
import type { Deps } from '../../deps.ts';
import { cutBytes } from '../../parsing/cut-text.ts';
import type { ChannelTypeHandler } from './channel-type.ts';
import { headlineOf } from './details.ts';
import { describeOmitted, listItems } from './items.ts';

const textBytesMax = 1_500;
const ttlSeconds = 24 * 60 * 60;
const keysSetting = 'web_push_keys';

interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export const webPush: ChannelTypeHandler = {
  targetOf({ subscription = '' }) {
    const { endpoint } = parsePushSubscription(subscription) as PushSubscription;
    return { address: endpoint, shown: `${new URL(endpoint).host}, one browser` };
  },
  bodyOf(message) {
    const { why, stopUrl, id, url } = message;
    const items = listItems(message).map(({ title, figures }) => [title, figures].join('\n').trim());
    const omitted = describeOmitted(message).join('\n').trim();
    const text = cutBytes(items.join('\n'), textBytesMax);
    return JSON.stringify({
      id,
      title: cutBytes(headlineOf(message), 500),
      body: cutBytes(`${text}\n${omitted}`.trim(), 2 * textBytesMax),
      why: cutBytes(why, 500),
      url,
      rule_url: stopUrl,
    });
  },
  async send(messenger, { channel: { settings, secret }, body, pagesUrl }) {
    const subscription = parsePushSubscription(settings.subscription ?? '');
    const keys = JSON.parse(secret) as PushKeys;
    if (subscription === null) return { ok: false, status: null, said: 'the subscription is invalid' };
    const { default: library } = await import('web-push');
    const host = new URL(pagesUrl ?? 'http://notifier.invalid').hostname;
    const { headers, body: encrypted } = library.generateRequestDetails(subscription, body, {
      vapidDetails: { subject: `mailto:notifier@${host}`, ...keys },
      TTL: ttlSeconds,
      urgency: 'high',
    });
    const { 'Content-Length': _length, ...others } = headers;
    const sent = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
    const bytes = encrypted.toString('base64');
    return messenger.post({ url: subscription.endpoint, headers: sent, body: bytes, isBase64: true });
  },
};

/** The keys (VAPID) by which push services know this server: made once, and kept in the database. */
export async function getPushKeys({ store }: Pick<Deps, 'store'>): Promise<PushKeys> {
  const kept = await store.findSetting(keysSetting);
  if (kept !== null) return JSON.parse(kept) as PushKeys;
  const { default: library } = await import('web-push');
  const made = JSON.stringify(library.generateVAPIDKeys());
  return JSON.parse(await store.setSetting(keysSetting, made, { onlyIfAbsent: true })) as PushKeys;
}
