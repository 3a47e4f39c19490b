// How a heartbeat stands after a call, and when one did not come: pure functions of how it stood and of when.
// It is up from one call to the next, and down from the moment at which the next was late.
import { dayMs, minuteMs, spanText } from '../reading/spans.ts';
import type { CheckOutcome, KeptMonitor, Standing, WatchedTime } from '../store/monitors/monitoring.ts';
import type { Check } from '../store/monitors/monitors.ts';
import { turnsOf } from './turns.ts';

/** Calls that come closer together say nothing more. */
const callsApartMs = 1000;
/** Whoever looks later than that was not there to be called either. */
const unheardMs = minuteMs;
/** What began longer ago is no run that ends now. */
const runMsMax = 3 * dayMs;

type Heard = Pick<CheckOutcome, 'check' | 'standing' | 'times' | 'nextCheckAtMs' | 'startedAtMs'>;

/** What a call says: that a run began, or how it ended, or a line that changes nothing. */
export interface HeartbeatSignal {
  readonly kind: 'start' | 'log' | 'success' | 'fail';
  /** As it is shown: what stood behind the address, empty where nothing did. */
  readonly code: string;
}

const exitCodeMax = 255;
const words = ['start', 'log', 'fail'] as const;

/** Reads what stands behind the address of a heartbeat; null for what means nothing. */
export function readSignal(text: string): HeartbeatSignal | null {
  if (text === '') return { kind: 'success', code: '' };
  const word = words.find((each) => each === text);
  if (word !== undefined) return { kind: word, code: word };
  const code = Number(text);
  if (!/^\d{1,3}$/.test(text) || code > exitCodeMax) return null;
  return { kind: code === 0 ? 'success' : 'fail', code: String(code) };
}

const success: HeartbeatSignal = { kind: 'success', code: '' };

/** What a call changes; null for nothing. `body`: what it brought. */
export function afterCall(
  monitor: KeptMonitor,
  atMs: number,
  signal: HeartbeatSignal = success,
  body = '',
): Heard | null {
  const { state, lastCheck } = monitor;
  if (state === 'paused' || state === 'maintenance') return null;
  const isRepeat = state === 'up' && lastCheck !== null && atMs - lastCheck.atMs < callsApartMs;
  if (isRepeat && signal.code === '' && lastCheck.code === '' && body === '') return null;
  if (signal.kind === 'success') return afterSuccess(monitor, atMs, signal, body);
  return signal.kind === 'fail'
    ? afterFailure(monitor, atMs, signal, body)
    : afterNote(monitor, atMs, signal, body);
}

function afterSuccess(monitor: KeptMonitor, atMs: number, signal: HeartbeatSignal, body: string): Heard {
  const { state, stateSinceMs, countedToMs, intervalMs, terms } = monitor;
  return {
    check: callOf(monitor, atMs, { result: 'up', code: signal.code, message: '' }, body),
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

/** It is down at once: the job itself says so, and nothing is to be confirmed. */
function afterFailure(monitor: KeptMonitor, atMs: number, signal: HeartbeatSignal, body: string): Heard {
  const { state, stateSinceMs, countedToMs, intervalMs } = monitor;
  const reason = signal.code === 'fail' ? 'reported that it failed' : `ended with exit code ${signal.code}`;
  return {
    check: callOf(monitor, atMs, { result: 'down', code: signal.code, message: reason }, body),
    standing: {
      state: 'down',
      stateSinceMs: state === 'down' ? stateSinceMs : atMs,
      reason,
      suspicion: null,
      countedToMs: Math.max(countedToMs, atMs),
    },
    times: wasUnheard(monitor, atMs) ? [] : timesOf(monitor, atMs),
    nextCheckAtMs: atMs + Math.max(intervalMs, minuteMs),
  };
}

/** A run that began has the grace to end; a line for the log changes nothing. */
function afterNote(monitor: KeptMonitor, atMs: number, signal: HeartbeatSignal, body: string): Heard {
  const { state, stateSinceMs, reason, suspicion, countedToMs, nextCheckAtMs } = monitor;
  const startedAtMs = signal.kind === 'start' ? atMs : (monitor.startedAtMs ?? null);
  const started = { ...monitor, startedAtMs };
  const dueAtMs = state !== 'down' && signal.kind === 'start' ? lateAtMs(started) : nextCheckAtMs;
  return {
    check: callOf(
      monitor,
      atMs,
      { result: state === 'down' ? 'down' : 'up', code: signal.code, message: '' },
      body,
    ),
    standing: { state, stateSinceMs, reason, suspicion, countedToMs },
    times: [],
    nextCheckAtMs: dueAtMs,
    startedAtMs,
  };
}

/** A call as it is kept: two within a millisecond stand one after the other. */
function callOf(
  { lastCheck, startedAtMs }: KeptMonitor,
  atMs: number,
  said: Pick<Check, 'result' | 'code' | 'message'>,
  body: string,
): Check {
  const isEnd = said.code !== 'start' && said.code !== 'log';
  const tookMs = startedAtMs == null || !isEnd ? null : atMs - startedAtMs;
  return {
    atMs: lastCheck !== null && lastCheck.atMs >= atMs ? lastCheck.atMs + 1 : atMs,
    ...said,
    durationMs: tookMs !== null && tookMs >= 0 && tookMs <= runMsMax ? tookMs : null,
    from: '',
    ...(body === '' ? {} : { body }),
  };
}

/** What its time brings where no call came. Before that, and where nobody could hear one, it waits on. */
export function afterSilence(monitor: KeptMonitor, atMs: number): Heard {
  const { state, stateSinceMs, reason, countedToMs, intervalMs, terms } = monitor;
  const held: Standing = { state, stateSinceMs, reason, suspicion: null, countedToMs };
  const waits = { check: null, times: [], startedAtMs: monitor.startedAtMs ?? null };
  // Nobody knows yet that it is to be called: it waits for its first call.
  const { lastCheck, createdAtMs, startedAtMs } = monitor;
  const isNew = lastCheck === null || (lastCheck.code === 'log' && stateSinceMs === createdAtMs);
  if (isNew && startedAtMs == null) return { ...waits, standing: held, nextCheckAtMs: null };
  const lateFromMs = lateAtMs(monitor);
  if (atMs < lateFromMs) return { ...waits, standing: held, nextCheckAtMs: lateFromMs };
  if (wasUnheard(monitor, atMs)) {
    const anew = { ...held, countedToMs: atMs };
    const next = lateAtMs({ ...monitor, ...anew, startedAtMs: null });
    return { check: null, times: [], standing: anew, nextCheckAtMs: next };
  }
  const isTurn = state !== 'down';
  const silent =
    lateFromMs < regularlyLateAtMs(monitor)
      ? `did not end within ${spanText(graceMsOf(terms))} of its start`
      : `was not called within ${spanText(intervalMs + terms.graceMs)}`;
  return {
    check: { atMs, result: 'down', code: '', durationMs: null, from: '', message: silent },
    standing: {
      state: 'down',
      stateSinceMs: isTurn ? lateFromMs : stateSinceMs,
      reason: silent,
      suspicion: null,
      countedToMs: atMs,
    },
    times: isTurn
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
function lateAtMs(monitor: KeptMonitor): number {
  const { state, stateSinceMs, startedAtMs, terms } = monitor;
  const regularMs = regularlyLateAtMs(monitor);
  // A run that began before a pause is nobody's.
  if (state === 'down' || startedAtMs == null || startedAtMs < stateSinceMs) return regularMs;
  return Math.min(regularMs, startedAtMs + graceMsOf(terms));
}

function regularlyLateAtMs({ state, stateSinceMs, countedToMs, intervalMs, terms }: KeptMonitor): number {
  const sinceMs = Math.max(countedToMs, stateSinceMs);
  return sinceMs + (state === 'down' ? Math.max(intervalMs, minuteMs) : intervalMs + terms.graceMs);
}

/** How long a run that began may take. */
function graceMsOf({ graceMs }: KeptMonitor['terms']): number {
  return Math.max(graceMs, minuteMs);
}

function wasUnheard(monitor: KeptMonitor, atMs: number): boolean {
  return atMs - lateAtMs(monitor) > unheardMs;
}

/** The time since it was last counted, as what it was. */
function timesOf({ state, countedToMs }: KeptMonitor, toMs: number): readonly WatchedTime[] {
  const isKnown = state === 'up' || state === 'down' || state === 'degraded';
  return isKnown && toMs > countedToMs ? [{ fromMs: countedToMs, toMs, state }] : [];
}
