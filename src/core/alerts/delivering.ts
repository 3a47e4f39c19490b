// Sending what waits: each message is claimed, tried, and what came of it written down. A process that dies
// in between leaves it due again; the receiver knows a repeat by its id.
import type { Deps } from '../deps.ts';
import type { Messenger, SendAnswer } from '../ports/messenger.ts';
import { dayMs, hourMs, minuteMs } from '../reading/spans.ts';
import type { DueDelivery } from '../store/alerting.ts';
import { channelTypeRules } from './messages/index.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'log'>;

/** After the first try, and after each that failed; then hourly for a day. */
const soonMs = [2_000, 10_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs] as const;
const hourlyTries = 24;
/** Longer than any try takes; a process that dies leaves its messages due again after. */
const leaseMs = 15_000;
const atOnceMax = 32;
const perChannelMax = 4;

/** The receiver's word that it is gone for good, and asks for no more of it (RFC 9110, Standard Webhooks). */
const goneStatus = 410;
/** A receiver is waited for no longer than that. */
const retryAfterMsMax = dayMs;

/**
 * When a message is tried again after `tries` that failed, not before the receiver wants it; null when it is
 * given up.
 */
function nextTryMs(tries: number, nowMs: number, retryAfter: string | undefined): number | null {
  const soon = soonMs[tries - 1] ?? (tries - soonMs.length <= hourlyTries ? hourMs : null);
  if (soon === null) return null;
  return nowMs + Math.max(soon, Math.min(waitMsOf(retryAfter ?? '', nowMs), retryAfterMsMax));
}

/** How long `Retry-After` says, which is seconds or the date of HTTP; 0 for anything else. */
function waitMsOf(text: string, nowMs: number): number {
  const seconds = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*$/.exec(text)?.[1];
  if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  const atMs = /^\s*[A-Z][a-z]{2,8},? .*\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(atMs) ? Math.max(0, atMs - nowMs) : 0;
}

/** Sends what is due. Resolves when all of it was tried; answers how many there were. */
export async function deliverDue(
  deps: Parts,
  messenger: Messenger,
  pagesUrl: string | null,
): Promise<number> {
  const nowMs = deps.now();
  const lease = { untilMs: nowMs + leaseMs, perChannel: perChannelMax, limit: atOnceMax };
  const due = await deps.store.claimDeliveries(nowMs, lease);
  await Promise.all(due.map((delivery) => deliver(deps, messenger, delivery, pagesUrl)));
  return due.length;
}

async function deliver(
  deps: Parts,
  messenger: Messenger,
  delivery: DueDelivery,
  pagesUrl: string | null,
): Promise<void> {
  const atMs = deps.now();
  const startedMs = performance.now();
  const answer = await channelTypeRules[delivery.channel.type].send(messenger, {
    ...delivery,
    nowMs: atMs,
    pagesUrl,
  });
  const durationMs = Math.round(performance.now() - startedMs);
  const nowMs = deps.now();
  const { status, said, ok } = answer;
  const isLast = ok || status === goneStatus;
  const nextTryAtMs = isLast ? null : nextTryMs(delivery.tries + 1, nowMs, answer.retryAfter);
  const state = ok ? 'arrived' : nextTryAtMs === null ? 'given_up' : 'waiting';
  try {
    await deps.store.finishTry(delivery, { atMs, status, durationMs, said }, { state, nextTryAtMs });
    await noteState(deps, delivery, ok ? '' : faultOf(answer), nowMs);
  } catch (error) {
    // It is due again when the lease ends; a channel that was deleted meanwhile has none left.
    deps.log.warn(
      { deliveryId: delivery.id, error: String(error) },
      'a delivery attempt could not be stored',
    );
  }
}

/** How the channel is, as the last try says. */
async function noteState(
  { store }: Parts,
  { channel }: DueDelivery,
  lastFault: string,
  nowMs: number,
): Promise<void> {
  if (channel.lastFault === lastFault) return;
  const there = await store.findKeptChannel(channel.id);
  if (there === null) return;
  const state = lastFault === '' ? 'on' : 'failing';
  // Who pauses a channel while a message is on its way has the last word.
  const moved =
    there.state !== state && there.state !== 'paused' ? ({ state, stateSinceMs: nowMs } as const) : {};
  await store.changeChannel(channel.id, { lastFault, ...moved });
}

function faultOf({ status, said }: SendAnswer): string {
  if (status !== null) return `returns status ${status}`;
  return said === '' ? 'does not respond' : `fails: ${said}`;
}
