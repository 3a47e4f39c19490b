// A run is missed if it did not start within its margin, and timed out if it exceeds its maximum runtime.

import { formatShortDuration, hourMs, minuteMs } from '../../parsing/durations.ts';
import type { EpochMs } from '../../parsing/timestamps.ts';
import type {
  Check,
  CronJobRuns,
  CronSettings,
  MonitorStatus,
  UptimeInterval,
} from '../../store/monitors.ts';
import type { CheckIn } from './check-ins.ts';
import { nextRunMs } from './schedule.ts';

export interface CronMonitorState extends MonitorStatus {
  readonly runs: CronJobRuns;
  readonly lastCheck: Check | null;
}

export interface CronMonitorStep {
  readonly status: MonitorStatus;
  readonly runs: CronJobRuns;
  readonly check: Check | null;
  readonly times: readonly UptimeInterval[];
  /** Null: nothing to do before the next check-in. */
  readonly nextCheckAtMs: EpochMs | null;
}

/** Before the first check-in, or after a reset. */
export const noRuns: CronJobRuns = { expectedAtMs: null, inProgress: [], endedIds: [] };

/** Runs in progress per job; beyond this the oldest is dropped. */
const runsInProgressMax = 20;
/** Looking later than this means that the server was down and may have missed check-ins. */
const serverDownAfterMs = minuteMs;
/** The most time counted in one step; runs may be months apart. */
const countedMsMax = hourMs;
/** Clocks differ, so a run may start this much early. */
const earlyStartMsMax = minuteMs;

export function applyCheckIn(
  before: CronMonitorState,
  { id, status, durationMs }: Pick<CheckIn, 'id' | 'status' | 'durationMs'>,
  settings: CronSettings,
  atMs: EpochMs,
): CronMonitorStep | null {
  const { inProgress, endedIds } = before.runs;
  const isDeaf = before.state === 'paused' || before.state === 'maintenance';
  if (isDeaf || (id !== null && endedIds.includes(id))) return null;
  const run = id === null ? inProgress.at(-1) : inProgress.find((each) => each.id === id);
  // A repeated in_progress keeps the time of the first.
  if (status === 'in_progress' && id !== null && run !== undefined) return null;
  const begins = run === undefined || status === 'in_progress';
  const expectedAtMs = begins ? nextExpectedAtMs(before.runs, settings, atMs) : before.runs.expectedAtMs;
  if (status === 'in_progress') {
    const more = [...inProgress, { id, beganAtMs: atMs }].slice(-runsInProgressMax);
    return createStep(before, { ...before.runs, expectedAtMs, inProgress: more }, settings);
  }
  const runs: CronJobRuns = {
    expectedAtMs,
    inProgress: inProgress.filter((each) => each !== run),
    endedIds: id === null ? endedIds : [...endedIds, id].slice(-runsInProgressMax),
  };
  const took = durationMs ?? (run === undefined ? null : atMs - run.beganAtMs);
  const reason = status === 'error' ? 'ended with an error' : '';
  return endRun(
    before,
    runs,
    { isGood: status === 'ok', code: status, reason, durationMs: took },
    settings,
    atMs,
  );
}

/** One missed or timed-out run at a time. What was due while the server was down is ignored. */
export function applyTime(before: CronMonitorState, settings: CronSettings, atMs: EpochMs): CronMonitorStep {
  const { expectedAtMs, inProgress } = before.runs;
  if (wasServerDown(before, settings, atMs)) return startOver(before, settings, atMs);
  const [long] = inProgress;
  const longAtMs = long === undefined ? null : long.beganAtMs + settings.runtimeMs;
  if (longAtMs !== null && atMs >= longAtMs) {
    const runs = { ...before.runs, inProgress: inProgress.slice(1) };
    return endRun(
      before,
      runs,
      failedRun('timeout', `ran longer than ${formatShortDuration(settings.runtimeMs)}`),
      settings,
      longAtMs,
    );
  }
  const missedAtMs = expectedAtMs === null ? null : expectedAtMs + settings.marginMs;
  if (expectedAtMs === null || missedAtMs === null || atMs < missedAtMs) {
    return createStep(
      { ...before, ...countedUntil(before, atMs) },
      before.runs,
      settings,
      countedTimes(before, atMs),
    );
  }
  const runs = {
    ...before.runs,
    expectedAtMs: nextRunMs(settings.schedule, settings.timezone, expectedAtMs),
  };
  const reason = `did not start within ${formatShortDuration(settings.marginMs)} of its schedule`;
  return endRun(before, runs, failedRun('missed', reason), settings, missedAtMs);
}

/** After a change of the schedule; runs in progress go on. */
export function withSchedule(runs: CronJobRuns, settings: CronSettings, atMs: EpochMs): CronJobRuns {
  if (runs.expectedAtMs === null && runs.endedIds.length === 0 && runs.inProgress.length === 0) return runs;
  return { ...runs, expectedAtMs: nextRunMs(settings.schedule, settings.timezone, atMs) };
}

function nextExpectedAtMs(
  { expectedAtMs }: CronJobRuns,
  { schedule, timezone }: CronSettings,
  atMs: EpochMs,
): EpochMs | null {
  if (schedule.type === 'interval' || expectedAtMs === null || expectedAtMs <= atMs) {
    return nextRunMs(schedule, timezone, atMs);
  }
  const afterThat = nextRunMs(schedule, timezone, expectedAtMs);
  const gapMs = afterThat === null ? Number.POSITIVE_INFINITY : afterThat - expectedAtMs;
  return expectedAtMs - atMs <= Math.min(earlyStartMsMax, gapMs / 2) ? afterThat : expectedAtMs;
}

/** Whether the server was down, or the monitor paused, when something was due. */
function wasServerDown(before: CronMonitorState, settings: CronSettings, atMs: EpochMs): boolean {
  const { expectedAtMs, inProgress } = before.runs;
  const fromMs = notReceivingUntilMs(before);
  if (expectedAtMs !== null && expectedAtMs < fromMs) return true;
  if (inProgress.some(({ beganAtMs }) => beganAtMs < fromMs)) return true;
  const dueMs = nextTimeoutAtMs(before, before.runs, settings);
  return dueMs !== null && atMs - dueMs > serverDownAfterMs;
}

/** Starts over: what happened before is unknown and its time is not counted. */
function startOver(before: CronMonitorState, settings: CronSettings, atMs: EpochMs): CronMonitorStep {
  const { expectedAtMs, inProgress } = before.runs;
  const fromMs = Math.max(notReceivingUntilMs(before), atMs - settings.runtimeMs + 1);
  const isOver = expectedAtMs !== null && expectedAtMs <= atMs;
  const runs: CronJobRuns = {
    ...before.runs,
    expectedAtMs: isOver ? nextRunMs(settings.schedule, settings.timezone, atMs) : expectedAtMs,
    inProgress: inProgress.filter(({ beganAtMs }) => beganAtMs >= fromMs),
  };
  return createStep({ ...before, ...countedUntil(before, atMs) }, runs, settings);
}

/** A pending monitor was created or resumed at this time; earlier check-ins were not received. */
function notReceivingUntilMs({ state, stateSinceMs }: MonitorStatus): EpochMs {
  return state === 'pending' ? stateSinceMs : 0;
}

function nextTimeoutAtMs(
  status: MonitorStatus,
  { expectedAtMs, inProgress }: CronJobRuns,
  { marginMs, runtimeMs }: CronSettings,
): EpochMs | null {
  const ends = inProgress.slice(0, 1).map(({ beganAtMs }) => beganAtMs + runtimeMs);
  if (expectedAtMs !== null) ends.push(expectedAtMs + marginMs);
  if (confirmedStateOf(status) !== null) ends.push(status.countedToMs + countedMsMax);
  return ends.length === 0 ? null : Math.min(...ends);
}

interface EndedRun {
  readonly isGood: boolean;
  readonly code: string;
  readonly reason: string;
  readonly durationMs: number | null;
}

function failedRun(code: string, reason: string): EndedRun {
  return { isGood: false, code, reason, durationMs: null };
}

function endRun(
  before: CronMonitorState,
  runs: CronJobRuns,
  { isGood, code, reason, durationMs }: EndedRun,
  settings: CronSettings,
  atMs: EpochMs,
): CronMonitorStep {
  const result = isGood ? 'up' : 'down';
  // Checks are listed by time, so two at the same millisecond need different ones.
  const listedAtMs = Math.max(atMs, (before.lastCheck?.atMs ?? 0) + 1);
  const check: Check = { atMs: listedAtMs, result, code, durationMs, from: '', message: reason };
  const currentResult = confirmedStateOf(before);
  const times = wasServerDown(before, settings, atMs) ? [] : countedTimes(before, atMs);
  const status: MonitorStatus = { ...monitorStatusOf(before), ...countedUntil(before, atMs) };
  if (currentResult === result) {
    const shownReason = isGood ? '' : reason;
    return {
      ...createStep({ ...status, pendingTransition: null, reason: shownReason }, runs, settings, times),
      check,
    };
  }
  const pendingTransition = { state: result, count: 1, sinceMs: atMs } as const;
  const { pendingTransition: earlier } = status;
  const pending =
    earlier === null
      ? pendingTransition
      : { ...pendingTransition, count: earlier.count + 1, sinceMs: earlier.sinceMs };
  // One good run is enough to leave `pending`.
  const needed = isGood ? (currentResult === null ? 1 : settings.recoveries) : settings.failures;
  const next: MonitorStatus =
    pending.count < needed
      ? { ...status, pendingTransition: pending }
      : { ...status, state: result, stateSinceMs: atMs, reason, pendingTransition: null };
  return { ...createStep(next, runs, settings, times), check };
}

function createStep(
  before: MonitorStatus,
  runs: CronJobRuns,
  settings: CronSettings,
  times: readonly UptimeInterval[] = [],
): CronMonitorStep {
  const status = monitorStatusOf(before);
  return { status, runs, check: null, times, nextCheckAtMs: nextTimeoutAtMs(status, runs, settings) };
}

function monitorStatusOf({
  state,
  stateSinceMs,
  reason,
  pendingTransition,
  countedToMs,
}: MonitorStatus): MonitorStatus {
  return { state, stateSinceMs, reason, pendingTransition, countedToMs };
}

function countedUntil({ countedToMs }: MonitorStatus, atMs: EpochMs): Pick<MonitorStatus, 'countedToMs'> {
  return { countedToMs: Math.max(countedToMs, atMs) };
}

function confirmedStateOf({ state }: MonitorStatus): 'up' | 'down' | null {
  return state === 'up' || state === 'down' ? state : null;
}

function countedTimes(status: MonitorStatus, toMs: EpochMs): readonly UptimeInterval[] {
  const state = confirmedStateOf(status);
  const { countedToMs: fromMs } = status;
  return state === null || toMs <= fromMs ? [] : [{ fromMs, toMs, state }];
}
