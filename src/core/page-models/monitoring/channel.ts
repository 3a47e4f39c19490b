import { publicKeyOf, vapidContact } from '../../alerts/messages/webpush.ts';
import { getVapidKeys } from '../../alerts/push-subscriptions.ts';
import { viewChannel } from '../../alerts/views.ts';
import { getPagesUrl } from '../../config/public-urls.ts';
import { dayMs } from '../../parsing/durations.ts';
import { medianOf, percentileOf, sum } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { AlertChannel, Delivery, DeliveryAttempt } from '../../store/alerts.ts';
import { pageCursors, sliceParam } from '../list-params.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import { deliveriesPerChannelMax, viewSentDays } from './channels.ts';
import { startOfDayMs, uptimeDays } from './uptime.ts';

const subject = 'An alert channel with this number';
const deliveriesAPage = 20;
const countedMs = 7 * dayMs;

export type DeliveryView = ReturnType<typeof deliveryView>;

export type DeliveryDetailView = ReturnType<typeof viewDeliveryDetail>;

export type BrowsersView = Awaited<ReturnType<typeof viewBrowsers>>;

export type ChannelModel = Awaited<ReturnType<typeof channelModel>>;

export async function channelModel(context: RequestContext) {
  const { nowMs } = context;
  const store = context.deps.store;
  const channel: AlertChannel | null = await store.findChannelRecord(pathId(context, 'channel_id', subject));
  if (channel === null) throw pageNotFound(subject);
  const [page, newest, allDays] = await Promise.all([
    store.listDeliveries(channel.id, sliceParam(context, deliveriesAPage)),
    store.listDeliveries(channel.id, { after: null, before: null, limit: deliveriesPerChannelMax }),
    store.deliveryDays(startOfDayMs(nowMs) - (uptimeDays - 1) * dayMs, nowMs),
  ]);
  const days = allDays.get(channel.id) ?? [];
  const arrived = sum(days.map((day) => day.arrived));
  const sent = arrived + sum(days.map((day) => day.notArrived));
  const counted = newest.rows.filter(({ atMs }) => atMs > nowMs - countedMs);
  const waiting = newest.rows.filter(({ state }) => state === 'waiting');
  const ruleIds = new Map(channel.rules.map(({ id, name }) => [name, id]));
  const view = viewChannel(channel);
  const chosen = await findSelectedDelivery(context, channel.id, page.rows);
  return {
    ...view,
    ...viewSentDays(days, nowMs),
    arrived_share_90d: sent === 0 ? null : arrived / sent,
    ...deliveryTimes(counted),
    waiting: waiting.length,
    oldest_waiting_at: formatTime(waiting.at(-1)?.atMs ?? null),
    deliveries: page.rows.map(deliveryView),
    ...pageCursors(page, ({ atMs, id }) => ({ atMs, id })),
    delivery: chosen === null ? null : viewDeliveryDetail(chosen, ruleIds.get(chosen.rule) ?? null),
    browsers: channel.type === 'webpush' ? await viewBrowsers(context, channel.id) : null,
    /** `sent`: in 7 days. */
    rules: view.rules.map((each) => ({
      ...each,
      sent: counted.filter(({ rule }) => rule === each.name).length,
    })),
  };
}

async function viewBrowsers(
  { deps: { store, config }, currentUser, nowMs }: RequestContext,
  channelId: number,
) {
  const names = new Map((await store.listMembers(nowMs)).map(({ id, name }) => [id, name]));
  const subscriptions = await store.listPushSubscriptions(channelId);
  return {
    /** By which browsers know this installation. */
    public_key: publicKeyOf(await getVapidKeys(store)),
    contact: vapidContact(config.smtpFrom, getPagesUrl(config)),
    is_member: currentUser.memberId !== null,
    subscriptions: subscriptions.map(({ id, memberId, device, createdAtMs }) => ({
      subscription_id: id,
      member: names.get(memberId) ?? '',
      device,
      created_at: formatTime(createdAtMs),
      may_remove: currentUser.role === 'admin' || currentUser.memberId === memberId,
    })),
  };
}

/** The requested one, otherwise the newest that was not delivered. */
async function findSelectedDelivery(
  context: RequestContext,
  channelId: number,
  shown: readonly Delivery[],
): Promise<Delivery | null> {
  const deliveryId = context.query.get('delivery');
  if (deliveryId === null || deliveryId === '') return shown.find(({ state }) => state !== 'arrived') ?? null;
  const id = Number(deliveryId);
  const found = Number.isSafeInteger(id) ? await context.deps.store.findDelivery(channelId, id) : null;
  if (found === null) throw pageNotFound('A delivery with this number');
  return found;
}

function deliveryTimes(deliveries: readonly Delivery[]) {
  const tried = deliveries.filter(({ attempts }) => attempts.length > 0);
  const first = tried.filter(({ state, attempts }) => state === 'arrived' && attempts.length === 1);
  const took = deliveries
    .filter(({ state }) => state === 'arrived')
    .flatMap(({ attempts }) => attempts.at(-1)?.durationMs ?? []);
  return {
    first_try_share: tried.length === 0 ? null : first.length / tried.length,
    median_ms: medianOf(took),
    p95_ms: percentileOf(took, 0.95),
  };
}

function deliveryView(delivery: Delivery) {
  const last = delivery.attempts.at(-1);
  return {
    delivery_id: delivery.id,
    at: formatTime(delivery.atMs),
    subject: delivery.subject,
    rule: delivery.rule,
    state: delivery.state,
    tries: delivery.attempts.length,
    duration_ms: last?.durationMs ?? null,
    status: last?.status ?? null,
    response: last?.response ?? '',
    next_try_at: formatTime(delivery.nextTryAtMs),
  };
}

function viewDeliveryDetail(delivery: Delivery, ruleId: number | null) {
  const attempt = ({ atMs, status, durationMs, response: detail }: DeliveryAttempt) => ({
    at: formatTime(atMs),
    status,
    duration_ms: durationMs,
    response: detail,
  });
  return {
    ...deliveryView(delivery),
    why: delivery.why,
    path: delivery.path,
    rule_id: ruleId,
    attempts: delivery.attempts.map(attempt),
    sent: delivery.sent,
  };
}
