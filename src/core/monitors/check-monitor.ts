import type { DnsRecordType } from '../../../schemas/monitors.ts';
import { cutText } from '../parsing/cut-text.ts';
import { dayMs, hourMs, minuteMs } from '../parsing/durations.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type {
  CertificateCheck,
  HttpCheckResponse,
  MonitorCheckClient,
  MonitorCheckResult,
} from '../ports/monitor-check-client.ts';
import type {
  Check,
  CheckOutcome,
  MaintenanceWindow,
  MonitorRecord,
  MonitorSettings,
  MonitorStatus,
  UptimeInterval,
} from '../store/monitors.ts';
import { applyTime } from './cron/state.ts';
import { applyHeartbeatTimeout, heartbeatOutcome } from './heartbeat.ts';
import { maintenanceUntilMs } from './maintenance-windows/advance.ts';
import { cronMonitorOutcome, isCronMonitor } from './receive-check-in.ts';
import { recordsMatch, statusMatches } from './settings.ts';
import { applyCheck, findTransitions } from './state.ts';

export interface CheckJudgement {
  readonly result: Check['result'];
  readonly code: string;
  /** Without a full stop; empty for a good result. */
  readonly reason: string;
  readonly durationMs: number | null;
  readonly certificateEndsAtMs: number | null;
  readonly isEnding: boolean;
}

const namedCharacters = 60;

export function judgeHttp(
  settings: MonitorSettings,
  answer: MonitorCheckResult<HttpCheckResponse>,
  nowMs: number,
): CheckJudgement {
  if (!answer.ok) return downJudgement(answer.message);
  const { found, durationMs } = answer;
  const { status, certificateEndsAtMs } = found;
  const common = { code: String(status), durationMs, certificateEndsAtMs, isEnding: false };
  const problem = findHttpFault(settings, found);
  if (problem !== null) return { ...common, result: 'down', reason: problem };
  const ending = describeExpiry(settings, certificateEndsAtMs, nowMs);
  return { ...common, ...upOrDegraded(describeSlowness(settings, durationMs), ending) };
}

export function judgeTcp(settings: MonitorSettings, answer: MonitorCheckResult<null>): CheckJudgement {
  if (!answer.ok) return downJudgement(answer.message);
  const { durationMs } = answer;
  return {
    code: '',
    durationMs,
    certificateEndsAtMs: null,
    ...upOrDegraded(describeSlowness(settings, durationMs), null),
  };
}

export function judgeDns(
  settings: MonitorSettings,
  kind: DnsRecordType,
  answer: MonitorCheckResult<readonly string[]>,
): CheckJudgement {
  if (!answer.ok) return downJudgement(answer.message);
  const { found, durationMs } = answer;
  const common = { code: '', durationMs, certificateEndsAtMs: null, isEnding: false };
  if (settings.answers !== '' && !recordsMatch(kind, found, settings.answers.split('\n'))) {
    return { ...common, result: 'down', reason: 'does not have the expected records' };
  }
  return { ...common, ...upOrDegraded(describeSlowness(settings, durationMs), null) };
}

const certificateFaults = {
  early: 'its certificate is not valid yet',
  name: 'its certificate is for another hostname',
  chain: 'its certificate is not trusted',
} as const;

const countedMsMax = hourMs;

/** A result that differs from the state is confirmed after a third of the interval. */
const confirmationIntervalPart = 3;
const confirmationDelayMsMin = 5_000;
/** The golden ratio spreads any number of monitors evenly over their interval. */
const goldenRatio = 0.618_033_988_749_895;

/** Heartbeats and cron jobs are only checked for being late; nothing is checked in maintenance. */
export async function checkMonitor(
  { checker, now }: { readonly checker: MonitorCheckClient; now(): number },
  monitor: MonitorRecord,
  windows: readonly MaintenanceWindow[] = [],
): Promise<CheckOutcome> {
  const atMs = now();
  const resting = maintenanceOutcome(monitor, windows, atMs);
  if (resting !== null) return resting;
  if (monitor.type === 'heartbeat') return heartbeatOutcome(monitor, applyHeartbeatTimeout(monitor, atMs));
  if (isCronMonitor(monitor))
    return cronMonitorOutcome(monitor, applyTime(monitor, monitor.settings.cron, atMs));
  const judged = await runCheck(checker, monitor, atMs);
  return judged === null ? refusedOutcome(monitor, atMs) : toCheckOutcome(monitor, judged, atMs);
}

/** The SSRF protection refused the address, which says nothing about the monitored service. */
export const refusedReason = 'not checked: a private address that is not in NOTIFIER_FETCH_ALLOW';

/** Neither up nor down: no notification, and the time is not counted. */
function refusedOutcome(monitor: MonitorRecord, atMs: number): CheckOutcome {
  const { state, stateSinceMs, reason, countedToMs, certificateEndsAtMs } = monitor;
  const isSame = state === 'pending' && reason === refusedReason;
  return {
    monitor,
    check: null,
    status: {
      state: 'pending',
      stateSinceMs: isSame ? stateSinceMs : atMs,
      reason: refusedReason,
      pendingTransition: null,
      countedToMs: Math.max(countedToMs, atMs),
    },
    times: [],
    turns: [],
    certificateEndsAtMs,
    nextCheckAtMs: nextRegularCheckMs(monitor, atMs),
    runs: null,
  };
}

/** Null if the SSRF protection refused the address. */
export async function runCheck(
  checker: MonitorCheckClient,
  monitor: Pick<MonitorRecord, 'type' | 'settings' | 'timeoutMs'>,
  atMs: number,
): Promise<CheckJudgement | null> {
  const { type, settings, timeoutMs } = monitor;
  const { url, method, headers, body, host, port, record, contains, lacks, jsonPath, redirect } = settings;
  if (type === 'tcp') {
    const answer = await checker.port({ host, port, timeoutMs });
    return isRefusedBySsrf(answer) ? null : judgeTcp(settings, answer);
  }
  if (type === 'tls') {
    const answer = await checker.certificate({ host, port, timeoutMs });
    return isRefusedBySsrf(answer) ? null : judgeTls(settings, answer, atMs);
  }
  if (record !== '') {
    const answer = await checker.records({ name: host, kind: record, timeoutMs });
    return isRefusedBySsrf(answer) ? null : judgeDns(settings, record, answer);
  }
  const reads = contains !== '' || lacks !== '' || jsonPath !== '';
  const request = { method, headers, body };
  const answer = await checker.page({ url, request, timeoutMs, follows: redirect === '', reads });
  return isRefusedBySsrf(answer) ? null : judgeHttp(settings, answer, atMs);
}

function isRefusedBySsrf(answer: MonitorCheckResult<unknown>): boolean {
  return !answer.ok && answer.isOurRefusal === true;
}

function toCheckOutcome(monitor: MonitorRecord, judged: CheckJudgement, atMs: number): CheckOutcome {
  const { intervalMs, timeoutMs, lastCheck } = monitor;
  const { result, code, reason, durationMs } = judged;
  const { status, times, needsConfirmation, isEnding } = applyCheck(monitor, judged, atMs, {
    confirmations: monitor.settings.confirmations,
    watchedMsMax: 2 * intervalMs + timeoutMs,
    intervalMs,
    lastCheckAtMs: lastCheck?.atMs ?? null,
  });
  return {
    monitor,
    check: { atMs, result, code, durationMs, from: '', message: reason },
    status,
    times,
    turns: findTransitions(monitor, status, { isEnding }),
    // A host that is down keeps the certificate seen before.
    certificateEndsAtMs:
      judged.certificateEndsAtMs ?? (result === 'down' ? monitor.certificateEndsAtMs : null),
    nextCheckAtMs: needsConfirmation ? nextConfirmationMs(monitor, atMs) : nextRegularCheckMs(monitor, atMs),
    runs: null,
  };
}

interface Timed {
  readonly id: number;
  readonly intervalMs: number;
}

/** The monitor's next fixed offset in the interval, at least half an interval away. */
export function nextRegularCheckMs({ id, intervalMs }: Timed, atMs: EpochMs): EpochMs {
  const offsetMs = Math.floor(((id * goldenRatio) % 1) * intervalMs);
  const earliestMs = atMs + intervalMs / 2;
  return Math.ceil((earliestMs - offsetMs) / intervalMs) * intervalMs + offsetMs;
}

export function nextConfirmationMs({ intervalMs }: Timed, atMs: EpochMs): EpochMs {
  return atMs + Math.max(confirmationDelayMsMin, Math.floor(intervalMs / confirmationIntervalPart));
}

export function maintenanceOutcome(
  monitor: MonitorRecord,
  windows: readonly MaintenanceWindow[],
  atMs: number,
): CheckOutcome | null {
  const untilMs = maintenanceUntilMs(windows, monitor, atMs);
  const isAtRest = monitor.state === 'maintenance';
  if (untilMs === null && !isAtRest) return null;
  const { countedToMs, stateSinceMs, certificateEndsAtMs, runs } = monitor;
  const common = {
    monitor,
    check: null,
    times: countedTimes(monitor, atMs),
    turns: [],
    certificateEndsAtMs,
    runs,
  };
  const counted = { pendingTransition: null, countedToMs: Math.max(countedToMs, atMs) };
  if (untilMs === null) {
    const status: MonitorStatus = { ...counted, state: 'pending', stateSinceMs: atMs, reason: '' };
    return { ...common, status, nextCheckAtMs: atMs };
  }
  const sinceMs = isAtRest ? stateSinceMs : atMs;
  const status: MonitorStatus = {
    ...counted,
    state: 'maintenance',
    stateSinceMs: sinceMs,
    reason: 'scheduled maintenance',
  };
  const nextCheckAtMs = Math.min(untilMs, atMs + countedMsMax);
  return { ...common, status, nextCheckAtMs, stateUntilMs: untilMs };
}

/** Time since it was last counted, in the current state; none after a long gap. */
function countedTimes(monitor: MonitorRecord, toMs: number): readonly UptimeInterval[] {
  const { state, countedToMs: fromMs, type, intervalMs, timeoutMs, settings } = monitor;
  const isCounted = state !== 'pending' && state !== 'paused' && toMs > fromMs;
  if (!isCounted) return [];
  const isHourly = state === 'maintenance' || type === 'cron';
  const watchedMsMax = isHourly ? countedMsMax + minuteMs : 2 * intervalMs + timeoutMs + settings.graceMs;
  return toMs - fromMs > watchedMsMax ? [] : [{ fromMs, toMs, state }];
}

export function judgeTls(
  settings: MonitorSettings,
  answer: MonitorCheckResult<CertificateCheck>,
  nowMs: number,
): CheckJudgement {
  if (!answer.ok) return downJudgement(answer.message);
  const { found, durationMs } = answer;
  const { fault, endsAtMs } = found;
  const common = { code: '', durationMs, certificateEndsAtMs: endsAtMs, isEnding: false };
  if (fault === 'ended') return { ...common, result: 'down', reason: describeExpired(endsAtMs, nowMs) };
  if (fault !== null) return { ...common, result: 'down', reason: certificateFaults[fault] };
  return {
    ...common,
    ...upOrDegraded(describeSlowness(settings, durationMs), describeExpiry(settings, endsAtMs, nowMs)),
  };
}

function upOrDegraded(
  slow: string | null,
  ending: string | null,
): Pick<CheckJudgement, 'result' | 'reason' | 'isEnding'> {
  const poor = ending ?? slow;
  return {
    result: poor === null ? 'up' : 'degraded',
    reason: poor ?? '',
    isEnding: ending !== null && slow === null,
  };
}

function describeExpired(endsAtMs: number | null, nowMs: number): string {
  const days = endsAtMs === null ? 0 : Math.floor((nowMs - endsAtMs) / dayMs);
  // With an expired intermediate certificate, the end of the leaf can still lie ahead.
  return days < 1
    ? 'its certificate expired'
    : `its certificate expired ${days} day${days === 1 ? '' : 's'} ago`;
}

function downJudgement(reason: string): CheckJudgement {
  return { result: 'down', code: '', reason, durationMs: null, certificateEndsAtMs: null, isEnding: false };
}

function findHttpFault(settings: MonitorSettings, { status, location, text }: HttpCheckResponse) {
  if (settings.redirect !== '') {
    if (location === null) return `returns status ${status} without a redirect`;
    return location === settings.redirect ? null : 'redirects to another URL';
  }
  if (!statusMatches(settings.status, status)) return `returns status ${status}`;
  if (settings.contains !== '' && !text.includes(settings.contains)) {
    return `does not contain ${quoted(settings.contains)}`;
  }
  if (settings.lacks !== '' && text.includes(settings.lacks)) return `contains ${quoted(settings.lacks)}`;
  return settings.jsonPath === '' ? null : findJsonFault(settings, text);
}

function findJsonFault({ jsonPath, jsonValue }: MonitorSettings, text: string): string | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'its response is not valid JSON';
  }
  const found = valueAt(json, jsonPath);
  if (found === undefined) return `has nothing at ${cutText(jsonPath, namedCharacters)}`;
  const value = typeof found === 'string' ? found : JSON.stringify(found);
  return value === jsonValue ? null : `has not ${quoted(jsonValue)} at ${cutText(jsonPath, namedCharacters)}`;
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

function describeExpiry({ certificateDays }: MonitorSettings, endsAtMs: number | null, nowMs: number) {
  if (endsAtMs === null || certificateDays === 0 || endsAtMs - nowMs >= certificateDays * dayMs) return null;
  const days = Math.floor((endsAtMs - nowMs) / dayMs);
  return `its certificate expires in ${days} day${days === 1 ? '' : 's'}`;
}

function describeSlowness({ slowMs }: MonitorSettings, durationMs: number): string | null {
  return slowMs === 0 || durationMs <= slowMs ? null : `took longer than ${slowMs} ms`;
}

function quoted(text: string): string {
  const cut = cutText(text, namedCharacters);
  return `“${cut}${cut === text ? '' : '…'}”`;
}
