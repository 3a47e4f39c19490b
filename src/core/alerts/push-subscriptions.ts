import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { z } from 'zod';
import type { AuditAction } from '../audit/actions.ts';
import { type AuditEvent, type AuditSource, audited, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createInvalidParamError, RestError, requireOwner } from '../errors.ts';
import { findPrivateUrlError } from '../parsing/host-names.ts';
import type {
  AlertStore,
  ChannelRecord,
  DueDelivery,
  NewDelivery,
  PushSubscription,
} from '../store/alert-records.ts';
import type { Delivery } from '../store/alerts.ts';
import type { CurrentUser, Member } from '../store/members.ts';
import type { SettingStore } from '../store/projects.ts';
import type { Store } from '../store/store.ts';
import type { PushTarget, VapidKeys } from './messages/channel-type.ts';
import { newMessageId } from './messages/message.ts';
import { vapidContact } from './messages/webpush.ts';

const keysSetting = 'vapid_keys';
const perMemberMax = 20;
const perChannelMax = 200;
const endpointCharactersMax = 2_000;

/** The key pair by which push services know this installation; made on first need. */
export async function getVapidKeys(store: SettingStore): Promise<VapidKeys> {
  const found = await store.findSetting(keysSetting);
  if (found !== null) return JSON.parse(found) as VapidKeys;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y, d } = privateKey.export({ format: 'jwk' });
  const stored = await store.setSetting(keysSetting, JSON.stringify({ x, y, d }), { onlyIfAbsent: true });
  return JSON.parse(stored) as VapidKeys;
}

/** @throws {RestError} 400 for a bad subscription, 404 for a channel that the member does not see. */
export function subscribeBrowser(
  deps: Pick<Deps, 'store' | 'now' | 'reach'>,
  channelId: number,
  member: Pick<Member, 'id' | 'name'>,
  { subscription, device }: { readonly subscription: string; readonly device: string },
  by: AuditSource,
): Promise<PushSubscription> {
  const parsed = readSubscription(deps, subscription);
  return runAudited(deps, by, async ({ store, now }) => {
    const channel = await getPushChannel(store, channelId);
    const existing = await store.listPushSubscriptions(channelId);
    const isNew = !existing.some(({ endpoint }) => endpoint === parsed.endpoint);
    if (isNew && existing.length >= perChannelMax) {
      throw badSubscription(`A channel can have ${perChannelMax} browsers. Remove one first.`);
    }
    if (isNew && (await store.countPushSubscriptions(member.id)) >= perMemberMax) {
      throw badSubscription(`A member can have ${perMemberMax} browsers at all channels. Remove one first.`);
    }
    const details = { channelId, memberId: member.id, device, createdAtMs: now() };
    const result = await store.addPushSubscription({ ...parsed, ...details });
    return { result, auditEvent: auditEvent('channel.browser_added', channel, device) };
  });
}

/** Members remove their own, admins any. @throws {RestError} 404 for another one. */
export const removeSubscription = audited(
  async (
    { store },
    at: { readonly channelId: number; readonly subscriptionId: number },
    { memberId, role }: Pick<CurrentUser, 'memberId' | 'role'>,
  ) => {
    const channel = await getPushChannel(store, at.channelId);
    const found = await store.findPushSubscription(at.channelId, at.subscriptionId);
    if (found === null || (role !== 'admin' && found.memberId !== memberId)) {
      throw new RestError(
        'notifier_push_subscription_invalid_id',
        'You have no browser with this number here.',
        404,
      );
    }
    await store.removePushSubscription(found.channelId, found.id);
    return { result: undefined, auditEvent: auditEvent('channel.browser_removed', channel, found.device) };
  },
);

async function getPushChannel(store: AlertStore, channelId: number): Promise<ChannelRecord> {
  const channel = requireOwner(await store.findChannelRecord(channelId), null, 'alert_channel');
  if (channel.type === 'webpush') return channel;
  throw badSubscription('This alert channel does not send to browsers.');
}

function auditEvent(action: AuditAction, { id, name, projectId }: ChannelRecord, device: string): AuditEvent {
  return { action, object: { kind: 'alert_channel', id, name }, projectId, summary: device };
}

const bytesOf = (length: number) =>
  z
    .string()
    .max(length * 2)
    .regex(/^[A-Za-z0-9_-]+=*$/)
    .transform((text) => Buffer.from(text, 'base64url'))
    .refine((bytes) => bytes.length === length);

const point = bytesOf(65).refine((bytes) => {
  const x = bytes.subarray(1, 33).toString('base64url');
  const y = bytes.subarray(33).toString('base64url');
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    return bytes[0] === 4;
  } catch {
    return false;
  }
});

const sent = z.object({
  endpoint: z.string().max(endpointCharactersMax),
  keys: z.object({ p256dh: point, auth: bytesOf(16) }),
});

function readSubscription(
  { reach }: Pick<Deps, 'reach'>,
  text: string,
): Pick<PushSubscription, 'endpoint' | 'p256dh' | 'auth'> {
  const { endpoint, keys } = parseSubscription(text);
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw badSubscription('The address of the push service must start with https:// and have no password.');
  }
  const error = findPrivateUrlError(reach, 'The address of the push service', url.href);
  if (error !== null) throw badSubscription(error);
  const [p256dh, auth] = [keys.p256dh.toString('base64url'), keys.auth.toString('base64url')];
  return { endpoint: url.href, p256dh, auth };
}

function parseSubscription(text: string): z.infer<typeof sent> {
  try {
    return sent.parse(JSON.parse(text));
  } catch {
    throw badSubscription('The browser did not send a valid subscription. Try again.');
  }
}

function badSubscription(reason: string): RestError {
  return createInvalidParamError({ subscription: reason });
}

/** One delivery; at a channel of type `webpush` one for each browser of members with access to what it is about. */
export async function addDeliveries(
  deps: Pick<Deps, 'randomBytes'> & {
    readonly store: Pick<Store, 'addDelivery' | 'listPushSubscriptions' | 'listAccess'>;
  },
  { id, type }: Pick<ChannelRecord, 'id' | 'type'>,
  delivery: NewDelivery,
): Promise<readonly Delivery[]> {
  const { store } = deps;
  if (type !== 'webpush') return [await store.addDelivery(delivery)];
  const all = await store.listPushSubscriptions(id);
  const access = await store.listAccess([...new Set(all.map(({ memberId }) => memberId))]);
  const { projectId } = delivery;
  const added: Delivery[] = [];
  for (const subscription of all) {
    const { hasAllProjects = false, projectIds = [] } = access.get(subscription.memberId) ?? {};
    if (!hasAllProjects && (projectId === null || !projectIds.includes(projectId))) continue;
    const messageId = added.length === 0 ? delivery.messageId : newMessageId(deps);
    added.push(await store.addDelivery({ ...delivery, messageId, recipients: String(subscription.id) }));
  }
  return added;
}

/** Throws 400 if a test went to nobody. */
export function requireDelivery(deliveries: readonly Delivery[]): Delivery {
  const [first] = deliveries;
  if (first !== undefined) return first;
  throw createBadRequestError(
    'notifier_no_recipient',
    'No browser gets this: enable notifications on the page of the alert channel.',
  );
}

export async function findPushTarget(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  { channel, recipients }: Pick<DueDelivery, 'channel' | 'recipients'>,
  pagesUrl: string | null,
): Promise<PushTarget | null> {
  const subscription = await store.findPushSubscription(channel.id, Number(recipients));
  if (subscription === null) return null;
  const contact = vapidContact(config.smtpFrom, pagesUrl);
  return { subscription, keys: await getVapidKeys(store), contact };
}
