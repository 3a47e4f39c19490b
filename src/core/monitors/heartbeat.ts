// A heartbeat (push) monitor is up from one call to the next, and down from when the next call was late.

import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createNotFoundError } from '../errors.ts';
import { dayMs, formatShortDuration, minuteMs } from '../parsing/durations.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { Check, CheckOutcome, MonitorRecord, MonitorStatus, UptimeInterval } from '../store/monitors.ts';
import type { ProjectScrubSettings } from '../store/projects.ts';
import { findTransitions } from './state.ts';

const callIntervalMsMin = 1000;
/** Looking later than this means that the server was down and may have missed calls. */
const serverDownAfterMs = minuteMs;
/** A longer time since the start is not taken as the duration of a run. */
const runDurationMsMax = 3 * dayMs;

type HeartbeatStep = Pick<CheckOutcome, 'check' | 'status' | 'times' | 'nextCheckAtMs' | 'startedAtMs'>;

interface HeartbeatSignal {
  readonly kind: 'start' | 'log' | 'success' | 'fail';
  /** As it was called: the part of the path after the token, or empty. */
  readonly code: string;
}

const exitCodeMax = 255;
const words = ['start', 'log', 'fail'] as const;

function parseHeartbeatSignal(text: string): HeartbeatSignal | null {
  if (text === '') return { kind: 'success', code: '' };
  const word = words.find((each) => each === text);
  if (word !== undefined) return { kind: word, code: word };
  const code = Number(text);
  if (!/^\d{1,3}$/.test(text) || code > exitCodeMax) return null;
  return { kind: code === 0 ? 'success' : 'fail', code: String(code) };
}

const success: HeartbeatSignal = { kind: 'success', code: '' };

export function applyHeartbeatCall(
  monitor: MonitorRecord,
  atMs: number,
  signal: HeartbeatSignal = success,
  body = '',
): HeartbeatStep | null {
  const { state, lastCheck } = monitor;
  if (state === 'paused' || state === 'maintenance') return null;
  const isRepeat = state === 'up' && lastCheck !== null && atMs - lastCheck.atMs < callIntervalMsMin;
  if (isRepeat && signal.code === '' && lastCheck.code === '' && body === '') return null;
  return signal.kind === 'start' || signal.kind === 'log'
    ? applyStartOrLog(monitor, atMs, signal, body)
    : applyEnd(monitor, atMs, signal, body);
}

function applyEnd(
  monitor: MonitorRecord,
  atMs: number,
  { kind, code }: HeartbeatSignal,
  body: string,
): HeartbeatStep {
  const { stateSinceMs, countedToMs, intervalMs, settings } = monitor;
  // Down without confirmation, because the job itself reported it.
  const state = kind === 'success' ? 'up' : 'down';
  const fault = code === 'fail' ? 'reported that it failed' : `ended with exit code ${code}`;
  const reason = state === 'up' ? '' : fault;
  return {
    check: toCheck(monitor, atMs, { result: state, code, message: reason }, body),
    status: {
      state,
      stateSinceMs: state === monitor.state ? stateSinceMs : atMs,
      reason,
      pendingTransition: null,
      // Clocks of two servers may differ.
      countedToMs: Math.max(countedToMs, atMs),
    },
    times: wasServerDown(monitor, atMs) ? [] : countedTimes(monitor, atMs),
    nextCheckAtMs: atMs + (state === 'up' ? intervalMs + settings.graceMs : Math.max(intervalMs, minuteMs)),
  };
}

/** `start` gives the run its grace time to end; `log` changes nothing. */
function applyStartOrLog(
  monitor: MonitorRecord,
  atMs: number,
  signal: HeartbeatSignal,
  body: string,
): HeartbeatStep {
  const { state, stateSinceMs, reason, pendingTransition, countedToMs, nextCheckAtMs } = monitor;
  const startedAtMs = signal.kind === 'start' ? atMs : (monitor.startedAtMs ?? null);
  const started = { ...monitor, startedAtMs };
  const dueAtMs = state !== 'down' && signal.kind === 'start' ? overdueAtMs(started) : nextCheckAtMs;
  return {
    check: toCheck(
      monitor,
      atMs,
      { result: state === 'down' ? 'down' : 'up', code: signal.code, message: '' },
      body,
    ),
    status: { state, stateSinceMs, reason, pendingTransition, countedToMs },
    times: [],
    nextCheckAtMs: dueAtMs,
    startedAtMs,
  };
}

/** Calls within one millisecond get different times, because they are listed by time. */
function toCheck(
  { lastCheck, startedAtMs }: MonitorRecord,
  atMs: number,
  result: Pick<Check, 'result' | 'code' | 'message'>,
  body: string,
): Check {
  const isEnd = result.code !== 'start' && result.code !== 'log';
  const tookMs = startedAtMs == null || !isEnd ? null : atMs - startedAtMs;
  return {
    atMs: lastCheck !== null && lastCheck.atMs >= atMs ? lastCheck.atMs + 1 : atMs,
    ...result,
    durationMs: tookMs !== null && tookMs >= 0 && tookMs <= runDurationMsMax ? tookMs : null,
    from: '',
    ...(body === '' ? {} : { body }),
  };
}

export function applyHeartbeatTimeout(monitor: MonitorRecord, atMs: number): HeartbeatStep {
  const { state, stateSinceMs, reason, countedToMs, intervalMs, settings } = monitor;
  const status: MonitorStatus = { state, stateSinceMs, reason, pendingTransition: null, countedToMs };
  const unchanged = { check: null, times: [], startedAtMs: monitor.startedAtMs ?? null };
  // A new monitor waits for its first call without a limit.
  const { lastCheck, createdAtMs, startedAtMs } = monitor;
  const isNew = lastCheck === null || (lastCheck.code === 'log' && stateSinceMs === createdAtMs);
  if (isNew && startedAtMs == null) return { ...unchanged, status, nextCheckAtMs: null };
  const lateFromMs = overdueAtMs(monitor);
  if (atMs < lateFromMs) return { ...unchanged, status, nextCheckAtMs: lateFromMs };
  if (wasServerDown(monitor, atMs)) {
    const restarted = { ...status, countedToMs: atMs };
    const next = overdueAtMs({ ...monitor, ...restarted, startedAtMs: null });
    return { check: null, times: [], status: restarted, nextCheckAtMs: next };
  }
  const isTurn = state !== 'down';
  const silent =
    lateFromMs < regularlyOverdueAtMs(monitor)
      ? `did not end within ${formatShortDuration(runGraceMs(settings))} of its start`
      : `was not called within ${formatShortDuration(intervalMs + settings.graceMs)}`;
  return {
    check: { atMs, result: 'down', code: '', durationMs: null, from: '', message: silent },
    status: {
      state: 'down',
      stateSinceMs: isTurn ? lateFromMs : stateSinceMs,
      reason: silent,
      pendingTransition: null,
      countedToMs: atMs,
    },
    times: isTurn
      ? [...countedTimes(monitor, lateFromMs), { fromMs: lateFromMs, toMs: atMs, state: 'down' }]
      : countedTimes(monitor, atMs),
    nextCheckAtMs: atMs + Math.max(intervalMs, minuteMs),
  };
}

export function heartbeatOutcome(monitor: MonitorRecord, step: HeartbeatStep): CheckOutcome {
  const turns = findTransitions(monitor, step.status, { isEnding: false });
  return { ...step, monitor, turns, certificateEndsAtMs: null, runs: null };
}

function overdueAtMs(monitor: MonitorRecord): number {
  const { state, stateSinceMs, startedAtMs, settings } = monitor;
  const regularMs = regularlyOverdueAtMs(monitor);
  // A run that began before a pause is ignored.
  if (state === 'down' || startedAtMs == null || startedAtMs < stateSinceMs) return regularMs;
  return Math.min(regularMs, startedAtMs + runGraceMs(settings));
}

function regularlyOverdueAtMs({ state, stateSinceMs, countedToMs, intervalMs, settings }: MonitorRecord) {
  const sinceMs = Math.max(countedToMs, stateSinceMs);
  return sinceMs + (state === 'down' ? Math.max(intervalMs, minuteMs) : intervalMs + settings.graceMs);
}

function runGraceMs({ graceMs }: MonitorRecord['settings']): number {
  return Math.max(graceMs, minuteMs);
}

function wasServerDown(monitor: MonitorRecord, atMs: number): boolean {
  return atMs - overdueAtMs(monitor) > serverDownAfterMs;
}

function countedTimes({ state, countedToMs }: MonitorRecord, toMs: number): readonly UptimeInterval[] {
  const isKnown = state === 'up' || state === 'down' || state === 'degraded';
  return isKnown && toMs > countedToMs ? [{ fromMs: countedToMs, toMs, state }] : [];
}

// Calls of heartbeat (push) monitors. Only the SHA-256 of the token in the URL is stored.

const tokenBytes = 32;
const tokenForm = /^[\w-]{43}$/;

export function createHeartbeatToken(randomBytes: (count: number) => Buffer): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** 256 random bits need neither salt nor a slow hash. */
export function hashHeartbeatToken(token: string): string {
  return hash('sha256', token);
}

export function heartbeatPath(token: string): string {
  return `/heartbeats/${token}`;
}

/** Longer bodies are cut. */
export const callBodyBytesMax = 10 * 1024;

const noProject: ProjectScrubSettings = { scrubFields: [], storeIpAddresses: false };

/** `signalText` follows the token in the path. Throws 404 for an unknown token, 400 for an invalid signal. */
export async function receiveHeartbeatCall(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  token: string,
  { signalText, body }: { readonly signalText: string; readonly body: Buffer },
): Promise<void> {
  const signal = parseHeartbeatSignal(signalText);
  for (;;) {
    const monitor = tokenForm.test(token) ? await store.findMonitorByToken(hashHeartbeatToken(token)) : null;
    if (monitor === null) throw createNotFoundError('monitor');
    if (signal === null) throw invalidSignal();
    const step = applyHeartbeatCall(monitor, now(), signal, await readCallBody(store, monitor, body));
    if (step === null) return;
    if ((await store.saveChecks([heartbeatOutcome(monitor, step)])) === 1) return;
    // Saved by another process meanwhile: read it again.
  }
}

function invalidSignal(): Error {
  const words =
    'A heartbeat URL must end with its secret, /start, /fail, /log or an exit code from 0 to 255.';
  return createBadRequestError('notifier_invalid_heartbeat', words);
}

async function readCallBody(
  store: Pick<Deps['store'], 'findProject'>,
  { projectId }: MonitorRecord,
  body: Buffer,
): Promise<string> {
  if (body.length === 0) return '';
  const project = projectId === null ? null : await store.findProject(projectId);
  const text = body.toString('utf8', 0, callBodyBytesMax).replaceAll('\0', '\ufffd');
  return scrubProjectText(text, project ?? noProject);
}
