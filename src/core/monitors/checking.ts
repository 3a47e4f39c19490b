import type { RecordKind } from '../../../schemas/monitors.ts';
import type { Asked, Checker, FoundAnswer, FoundCertificate } from '../ports/checker.ts';
import { cutText } from '../reading/cut-text.ts';
import type { EpochMs } from '../reading/moments.ts';
import { dayMs, hourMs, minuteMs } from '../reading/spans.ts';
import type {
  CheckOutcome,
  KeptMonitor,
  MonitorTerms,
  Standing,
  WatchedTime,
} from '../store/monitors/monitoring.ts';
import type { Check } from '../store/monitors/monitors.ts';
import type { MaintenanceWindow } from '../store/monitors/windows.ts';
import { afterTime } from './cron/standing.ts';
import { afterSilence, heardOutcome } from './heartbeat.ts';
import { isJob, jobOutcome } from './jobs.ts';
import { areExpected } from './records.ts';
import { after } from './standing.ts';
import { hasStatus } from './terms.ts';
import { turnsOf } from './turns.ts';
import { atWorkUntilMs } from './windows/times.ts';

interface Judged {
  readonly result: Check['result'];
  readonly code: string;
  /** Without a full stop; empty for a good result. */
  readonly reason: string;
  readonly durationMs: number | null;
  readonly certificateEndsAtMs: number | null;
  /** Only degraded because the certificate expires soon. */
  readonly isEnding: boolean;
}

const namedCharacters = 60;

export function judgePage(terms: MonitorTerms, asked: Asked<FoundAnswer>, nowMs: number): Judged {
  if (!asked.ok) return failed(asked.said);
  const { found, durationMs } = asked;
  const { status, certificateEndsAtMs } = found;
  const common = { code: String(status), durationMs, certificateEndsAtMs, isEnding: false };
  const wrong = wrongOf(terms, found);
  if (wrong !== null) return { ...common, result: 'down', reason: wrong };
  const ending = endingOf(terms, certificateEndsAtMs, nowMs);
  return { ...common, ...goodOrPoor(slowOf(terms, durationMs), ending) };
}

export function judgePort(terms: MonitorTerms, asked: Asked<null>): Judged {
  if (!asked.ok) return failed(asked.said);
  const { durationMs } = asked;
  return { code: '', durationMs, certificateEndsAtMs: null, ...goodOrPoor(slowOf(terms, durationMs), null) };
}

export function judgeRecords(terms: MonitorTerms, kind: RecordKind, asked: Asked<readonly string[]>): Judged {
  if (!asked.ok) return failed(asked.said);
  const { found, durationMs } = asked;
  const common = { code: '', durationMs, certificateEndsAtMs: null, isEnding: false };
  if (terms.answers !== '' && !areExpected(kind, found, terms.answers.split('\n'))) {
    return { ...common, result: 'down', reason: 'does not have the expected records' };
  }
  return { ...common, ...goodOrPoor(slowOf(terms, durationMs), null) };
}

const faults = {
  early: 'its certificate is not valid yet',
  name: 'its certificate is for another hostname',
  chain: 'its certificate is not trusted',
} as const;

const countedMsMax = hourMs;

/** A result that differs from the state is confirmed after a third of the interval. */
const soonPart = 3;
const soonMsMin = 5_000;
/** The golden ratio spreads any number of monitors evenly over their interval. */
const goldenShare = 0.618_033_988_749_895;

/** Heartbeats and cron jobs are only checked for being late; nothing is checked in maintenance. */
export async function checkMonitor(
  { checker, now }: { readonly checker: Checker; now(): number },
  monitor: KeptMonitor,
  windows: readonly MaintenanceWindow[] = [],
): Promise<CheckOutcome> {
  const atMs = now();
  const resting = restingOutcome(monitor, windows, atMs);
  if (resting !== null) return resting;
  if (monitor.type === 'heartbeat') return heardOutcome(monitor, afterSilence(monitor, atMs));
  if (isJob(monitor)) return jobOutcome(monitor, afterTime(monitor, monitor.terms.cron, atMs));
  const judged = await ask(checker, monitor, atMs);
  return judged === null ? unaskedOutcome(monitor, atMs) : outcomeOf(monitor, judged, atMs);
}

/** The SSRF protection refused the address, which says nothing about the monitored service. */
const unaskedReason = 'not checked: a private address that is not in NOTIFIER_FETCH_ALLOW';

/** Neither up nor down: no notification, and the time is not counted. */
function unaskedOutcome(monitor: KeptMonitor, atMs: number): CheckOutcome {
  const { state, stateSinceMs, reason, countedToMs, certificateEndsAtMs } = monitor;
  const isSame = state === 'pending' && reason === unaskedReason;
  return {
    monitor,
    check: null,
    standing: {
      state: 'pending',
      stateSinceMs: isSame ? stateSinceMs : atMs,
      reason: unaskedReason,
      suspicion: null,
      countedToMs: Math.max(countedToMs, atMs),
    },
    times: [],
    turns: [],
    certificateEndsAtMs,
    nextCheckAtMs: nextPlaceMs(monitor, atMs),
    runs: null,
  };
}

async function ask(checker: Checker, monitor: KeptMonitor, atMs: number): Promise<Judged | null> {
  const { type, terms, timeoutMs } = monitor;
  const { url, method, headers, body, host, port, record, contains, lacks, jsonPath, redirect } = terms;
  if (type === 'tcp') {
    const asked = await checker.port({ host, port, timeoutMs });
    return isOurRefusal(asked) ? null : judgePort(terms, asked);
  }
  if (type === 'tls') {
    const asked = await checker.certificate({ host, port, timeoutMs });
    return isOurRefusal(asked) ? null : judgeCertificate(terms, asked, atMs);
  }
  if (record !== '') {
    const asked = await checker.records({ name: host, kind: record, timeoutMs });
    return isOurRefusal(asked) ? null : judgeRecords(terms, record, asked);
  }
  const reads = contains !== '' || lacks !== '' || jsonPath !== '';
  const request = { method, headers, body };
  const asked = await checker.page({ url, request, timeoutMs, follows: redirect === '', reads });
  return isOurRefusal(asked) ? null : judgePage(terms, asked, atMs);
}

function isOurRefusal(asked: Asked<unknown>): boolean {
  return !asked.ok && asked.isOurRefusal === true;
}

function outcomeOf(monitor: KeptMonitor, judged: Judged, atMs: number): CheckOutcome {
  const { intervalMs, timeoutMs, lastCheck } = monitor;
  const { result, code, reason, durationMs } = judged;
  const { standing, times, isInDoubt, isEnding } = after(monitor, judged, atMs, {
    confirmations: monitor.terms.confirmations,
    watchedMsMax: 2 * intervalMs + timeoutMs,
    intervalMs,
    lastCheckAtMs: lastCheck?.atMs ?? null,
  });
  return {
    monitor,
    check: { atMs, result, code, durationMs, from: '', message: reason },
    standing,
    times,
    turns: turnsOf(monitor, standing, { isEnding }),
    // A host that is down keeps the certificate seen before.
    certificateEndsAtMs:
      judged.certificateEndsAtMs ?? (result === 'down' ? monitor.certificateEndsAtMs : null),
    nextCheckAtMs: isInDoubt ? secondTryMs(monitor, atMs) : nextPlaceMs(monitor, atMs),
    runs: null,
  };
}

interface Timed {
  readonly id: number;
  readonly intervalMs: number;
}

/** The monitor's next fixed offset in the interval, at least half an interval away. */
export function nextPlaceMs({ id, intervalMs }: Timed, atMs: EpochMs): EpochMs {
  const offsetMs = Math.floor(((id * goldenShare) % 1) * intervalMs);
  const earliestMs = atMs + intervalMs / 2;
  return Math.ceil((earliestMs - offsetMs) / intervalMs) * intervalMs + offsetMs;
}

export function secondTryMs({ intervalMs }: Timed, atMs: EpochMs): EpochMs {
  return atMs + Math.max(soonMsMin, Math.floor(intervalMs / soonPart));
}

export function restingOutcome(
  monitor: KeptMonitor,
  windows: readonly MaintenanceWindow[],
  atMs: number,
): CheckOutcome | null {
  const untilMs = atWorkUntilMs(windows, monitor, atMs);
  const isAtRest = monitor.state === 'maintenance';
  if (untilMs === null && !isAtRest) return null;
  const { countedToMs, stateSinceMs, certificateEndsAtMs, runs } = monitor;
  const common = {
    monitor,
    check: null,
    times: timesOf(monitor, atMs),
    turns: [],
    certificateEndsAtMs,
    runs,
  };
  const counted = { suspicion: null, countedToMs: Math.max(countedToMs, atMs) };
  if (untilMs === null) {
    const standing: Standing = { ...counted, state: 'pending', stateSinceMs: atMs, reason: '' };
    return { ...common, standing, nextCheckAtMs: atMs };
  }
  const sinceMs = isAtRest ? stateSinceMs : atMs;
  const standing: Standing = {
    ...counted,
    state: 'maintenance',
    stateSinceMs: sinceMs,
    reason: 'scheduled maintenance',
  };
  const nextCheckAtMs = Math.min(untilMs, atMs + countedMsMax);
  return { ...common, standing, nextCheckAtMs, stateUntilMs: untilMs };
}

/** Time since it was last counted, in the current state; none after a long gap. */
function timesOf(monitor: KeptMonitor, toMs: number): readonly WatchedTime[] {
  const { state, countedToMs: fromMs, type, intervalMs, timeoutMs, terms } = monitor;
  const isCounted = state !== 'pending' && state !== 'paused' && toMs > fromMs;
  if (!isCounted) return [];
  const isHourly = state === 'maintenance' || type === 'cron';
  const watchedMsMax = isHourly ? countedMsMax + minuteMs : 2 * intervalMs + timeoutMs + terms.graceMs;
  return toMs - fromMs > watchedMsMax ? [] : [{ fromMs, toMs, state }];
}

export function judgeCertificate(terms: MonitorTerms, asked: Asked<FoundCertificate>, nowMs: number): Judged {
  if (!asked.ok) return failed(asked.said);
  const { found, durationMs } = asked;
  const { fault, endsAtMs } = found;
  const common = { code: '', durationMs, certificateEndsAtMs: endsAtMs, isEnding: false };
  if (fault === 'ended') return { ...common, result: 'down', reason: endedOf(endsAtMs, nowMs) };
  if (fault !== null) return { ...common, result: 'down', reason: faults[fault] };
  return { ...common, ...goodOrPoor(slowOf(terms, durationMs), endingOf(terms, endsAtMs, nowMs)) };
}

function goodOrPoor(
  slow: string | null,
  ending: string | null,
): Pick<Judged, 'result' | 'reason' | 'isEnding'> {
  const poor = ending ?? slow;
  return {
    result: poor === null ? 'up' : 'degraded',
    reason: poor ?? '',
    isEnding: ending !== null && slow === null,
  };
}

function endedOf(endsAtMs: number | null, nowMs: number): string {
  const days = endsAtMs === null ? 0 : Math.floor((nowMs - endsAtMs) / dayMs);
  // With an expired intermediate certificate, the end of the leaf can still lie ahead.
  return days < 1
    ? 'its certificate expired'
    : `its certificate expired ${days} day${days === 1 ? '' : 's'} ago`;
}

function failed(reason: string): Judged {
  return { result: 'down', code: '', reason, durationMs: null, certificateEndsAtMs: null, isEnding: false };
}

function wrongOf(terms: MonitorTerms, { status, location, text }: FoundAnswer): string | null {
  if (terms.redirect !== '') {
    if (location === null) return `returns status ${status} without a redirect`;
    return location === terms.redirect ? null : 'redirects to another URL';
  }
  if (!hasStatus(terms.status, status)) return `returns status ${status}`;
  if (terms.contains !== '' && !text.includes(terms.contains)) {
    return `does not contain ${quoted(terms.contains)}`;
  }
  if (terms.lacks !== '' && text.includes(terms.lacks)) return `contains ${quoted(terms.lacks)}`;
  return terms.jsonPath === '' ? null : wrongInJson(terms, text);
}

function wrongInJson({ jsonPath, jsonValue }: MonitorTerms, text: string): string | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'its response is not valid JSON';
  }
  const there = valueAt(json, jsonPath);
  if (there === undefined) return `has nothing at ${cutText(jsonPath, namedCharacters)}`;
  const said = typeof there === 'string' ? there : JSON.stringify(there);
  return said === jsonValue ? null : `has not ${quoted(jsonValue)} at ${cutText(jsonPath, namedCharacters)}`;
}

/** A JSON pointer (RFC 6901); undefined if nothing is there. */
function valueAt(json: unknown, pointer: string): unknown {
  let at = json;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

function endingOf({ certificateDays }: MonitorTerms, endsAtMs: number | null, nowMs: number): string | null {
  if (endsAtMs === null || certificateDays === 0 || endsAtMs - nowMs >= certificateDays * dayMs) return null;
  const days = Math.floor((endsAtMs - nowMs) / dayMs);
  return `its certificate expires in ${days} day${days === 1 ? '' : 's'}`;
}

function slowOf({ slowMs }: MonitorTerms, durationMs: number): string | null {
  return slowMs === 0 || durationMs <= slowMs ? null : `took longer than ${slowMs} ms`;
}

function quoted(text: string): string {
  const cut = cutText(text, namedCharacters);
  return `“${cut}${cut === text ? '' : '…'}”`;
}
