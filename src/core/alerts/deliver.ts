// If the process dies while sending, the message is sent again; receivers drop repeats by its id.
import type { Deps } from '../deps.ts';
import { dayMs, hourMs, minuteMs } from '../parsing/durations.ts';
import type { DeliveryResult, NotificationSender } from '../ports/notification-sender.ts';
import type { DueDelivery } from '../store/alert-records.ts';
import { channelTypeOf } from './messages/channel-types.ts';
import { findPushTarget } from './push-subscriptions.ts';

type ServiceDeps = Pick<Deps, 'store' | 'config' | 'now' | 'log'>;

/** Waits after each failed try; then hourly for a day. */
const retryDelaysMs = [2_000, 10_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs] as const;
const hourlyRetriesMax = 24;
/** How long a message that is being sent is claimed. */
export const leaseMs = 15_000;
const deliveriesAtOnceMax = 32;
const perChannelMax = 4;

/** 410 Gone: the receiver wants no more messages (RFC 9110, Standard Webhooks). */
export const statusGone = 410;
const retryAfterMsMax = dayMs;

/** Null after the last try. */
export function nextTryMs(tries: number, nowMs: number, retryAfter: string | undefined): number | null {
  const delayMs =
    retryDelaysMs[tries - 1] ?? (tries - retryDelaysMs.length <= hourlyRetriesMax ? hourMs : null);
  if (delayMs === null) return null;
  return nowMs + Math.max(delayMs, Math.min(parseRetryAfterMs(retryAfter ?? '', nowMs), retryAfterMsMax));
}

/** `Retry-After` holds seconds or an HTTP date; 0 if it is neither. */
function parseRetryAfterMs(text: string, nowMs: number): number {
  const seconds = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*$/.exec(text)?.[1];
  if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  const atMs = /^\s*[A-Z][a-z]{2,8},? .*\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(atMs) ? Math.max(0, atMs - nowMs) : 0;
}

export async function deliverDueMessages(
  deps: ServiceDeps,
  sender: NotificationSender,
  pagesUrl: string | null,
): Promise<number> {
  const nowMs = deps.now();
  const lease = { untilMs: nowMs + leaseMs, perChannel: perChannelMax, limit: deliveriesAtOnceMax };
  const due = await deps.store.claimDeliveries(nowMs, lease);
  await Promise.all(due.map((delivery) => deliver(deps, sender, delivery, pagesUrl)));
  return due.length;
}

async function deliver(
  deps: ServiceDeps,
  sender: NotificationSender,
  delivery: DueDelivery,
  pagesUrl: string | null,
): Promise<void> {
  const atMs = deps.now();
  const startedMs = performance.now();
  const { channel, recipients } = delivery;
  const push = channel.type === 'webpush' ? await findPushTarget(deps, delivery, pagesUrl) : null;
  const answer = await channelTypeOf(channel.type).send(sender, {
    ...delivery,
    nowMs: atMs,
    pagesUrl,
    push,
  });
  const durationMs = Math.round(performance.now() - startedMs);
  const nowMs = deps.now();
  const { status, detail, ok } = answer;
  const isGone = answer.isGone === true;
  const isLast = ok || isGone || status === statusGone;
  const nextTryAtMs = isLast ? null : nextTryMs(delivery.tries + 1, nowMs, answer.retryAfter);
  const state = ok ? 'arrived' : nextTryAtMs === null ? 'given_up' : 'waiting';
  const { threadTs = null } = answer;
  try {
    const attempt = { atMs, status, durationMs, response: detail };
    await deps.store.finishTry(delivery, attempt, { state, nextTryAtMs, threadTs });
    // Other browsers of the channel get theirs.
    if (isGone) await deps.store.removePushSubscription(channel.id, Number(recipients));
    else await updateChannelState(deps, delivery, ok ? '' : describeFault(answer), nowMs);
  } catch (error) {
    // It is due again when the lease ends, unless the channel was deleted.
    deps.log.warn(
      { deliveryId: delivery.id, error: String(error) },
      'a delivery attempt could not be stored',
    );
  }
}

async function updateChannelState(
  { store }: ServiceDeps,
  { channel }: DueDelivery,
  lastError: string,
  nowMs: number,
): Promise<void> {
  if (channel.lastError === lastError) return;
  const current = await store.findChannelRecord(channel.id);
  if (current === null) return;
  const state = lastError === '' ? 'on' : 'failing';
  // A channel may have been paused while the message was sent: keep that.
  const moved =
    current.state !== state && current.state !== 'paused' ? ({ state, stateSinceMs: nowMs } as const) : {};
  await store.changeChannel(channel.id, { lastError, ...moved });
}

function describeFault({ status, detail }: DeliveryResult): string {
  // Some services answer 200 and say in the body that they refuse.
  if (status !== null && status >= 300) return `returns status ${status}`;
  return detail === '' ? 'does not respond' : `fails: ${detail}`;
}
