// How a heartbeat stands after a call, and when one did not come: pure functions of how it stood and of when.
// It is up from one call to the next, and down from the moment at which the next was late.
import { minuteMs, spanText } from '../reading/spans.ts';
import type { CheckOutcome, KeptMonitor, Standing, WatchedTime } from '../store/monitors/monitoring.ts';
import { turnsOf } from './turns.ts';

/** Calls that come closer together say nothing more. */
const callsApartMs = 1000;
/** Whoever looks later than that was not there to be called either. */
const unheardMs = minuteMs;

type Heard = Pick<CheckOutcome, 'check' | 'standing' | 'times' | 'nextCheckAtMs'>;

/** What a call changes; null for nothing. */
export function afterCall(monitor: KeptMonitor, atMs: number): Heard | null {
  const { state, stateSinceMs, countedToMs, intervalMs, lastCheck, terms } = monitor;
  if (state === 'paused' || state === 'maintenance') return null;
  if (state === 'up' && lastCheck !== null && atMs - lastCheck.atMs < callsApartMs) return null;
  return {
    check: { atMs, result: 'up', code: '', durationMs: null, from: '', message: '' },
    standing: {
      state: 'up',
      stateSinceMs: state === 'up' ? stateSinceMs : atMs,
      reason: '',
      suspicion: null,
      // Of two servers the clocks may differ.
      countedToMs: Math.max(countedToMs, atMs),
    },
    times: wasUnheard(monitor, atMs) ? [] : timesOf(monitor, atMs),
    nextCheckAtMs: atMs + intervalMs + terms.graceMs,
  };
}

/** What its time brings where no call came. Before that, and where nobody could hear one, it waits on. */
export function afterSilence(monitor: KeptMonitor, atMs: number): Heard {
  const { state, stateSinceMs, reason, countedToMs, intervalMs, terms } = monitor;
  const held: Standing = { state, stateSinceMs, reason, suspicion: null, countedToMs };
  const waits = { check: null, times: [] };
  // Nobody knows yet that it is to be called: it waits for its first call.
  if (monitor.lastCheck === null) return { ...waits, standing: held, nextCheckAtMs: null };
  const lateFromMs = lateAtMs(monitor);
  if (atMs < lateFromMs) return { ...waits, standing: held, nextCheckAtMs: lateFromMs };
  if (wasUnheard(monitor, atMs)) {
    const anew = { ...held, countedToMs: atMs };
    return { ...waits, standing: anew, nextCheckAtMs: lateAtMs({ ...monitor, ...anew }) };
  }
  const isNew = state !== 'down';
  const silent = `was not called within ${spanText(intervalMs + terms.graceMs)}`;
  return {
    check: { atMs, result: 'down', code: '', durationMs: null, from: '', message: silent },
    standing: {
      state: 'down',
      stateSinceMs: isNew ? lateFromMs : stateSinceMs,
      reason: silent,
      suspicion: null,
      countedToMs: atMs,
    },
    times: isNew
      ? [...timesOf(monitor, lateFromMs), { fromMs: lateFromMs, toMs: atMs, state: 'down' }]
      : timesOf(monitor, atMs),
    nextCheckAtMs: atMs + Math.max(intervalMs, minuteMs),
  };
}

/** What is to be written down of a call, or of none. */
export function heardOutcome(monitor: KeptMonitor, heard: Heard): CheckOutcome {
  const turns = turnsOf(monitor, heard.standing, { isEnding: false });
  return { ...heard, monitor, turns, certificateEndsAtMs: null, runs: null };
}

/** When it is late; of one that is down, when its time is counted next. */
function lateAtMs({ state, stateSinceMs, countedToMs, intervalMs, terms }: KeptMonitor): number {
  const sinceMs = Math.max(countedToMs, stateSinceMs);
  return sinceMs + (state === 'down' ? Math.max(intervalMs, minuteMs) : intervalMs + terms.graceMs);
}

function wasUnheard(monitor: KeptMonitor, atMs: number): boolean {
  return atMs - lateAtMs(monitor) > unheardMs;
}

/** The time since it was last counted, as what it was. */
function timesOf({ state, countedToMs }: KeptMonitor, toMs: number): readonly WatchedTime[] {
  const isKnown = state === 'up' || state === 'down' || state === 'degraded';
  return isKnown && toMs > countedToMs ? [{ fromMs: countedToMs, toMs, state }] : [];
}
