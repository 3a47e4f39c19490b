// A run is missed if it did not start within its margin, and timed out if it exceeds its maximum runtime.
import type { EpochMs } from '../../reading/moments.ts';
import { hourMs, minuteMs, spanText } from '../../reading/spans.ts';
import type { CronTerms, JobRuns } from '../../store/monitors/cron.ts';
import type { Standing, WatchedTime } from '../../store/monitors/monitoring.ts';
import type { Check } from '../../store/monitors/monitors.ts';
import type { CheckIn } from './check-ins.ts';
import { nextBeginMs } from './schedule.ts';

export interface JobStanding extends Standing {
  readonly runs: JobRuns;
  readonly lastCheck: Check | null;
}

export interface JobStep {
  readonly standing: Standing;
  readonly runs: JobRuns;
  readonly check: Check | null;
  readonly times: readonly WatchedTime[];
  /** Null: nothing to do before the next check-in. */
  readonly nextCheckAtMs: EpochMs | null;
}

/** Before the first check-in, or after a reset. */
export const noRuns: JobRuns = { expectedAtMs: null, underWay: [], endedIds: [] };

/** Runs in progress per job; beyond this the oldest is dropped. */
const runsMax = 20;
/** Looking later than this means that the server was down and may have missed check-ins. */
const unheardMs = minuteMs;
/** The most time counted in one step; runs may be months apart. */
const countedMsMax = hourMs;
/** Clocks differ, so a run may start this much early. */
const earlyMsMax = minuteMs;

export function afterCheckIn(
  before: JobStanding,
  { id, status, durationMs }: Pick<CheckIn, 'id' | 'status' | 'durationMs'>,
  terms: CronTerms,
  atMs: EpochMs,
): JobStep | null {
  const { underWay, endedIds } = before.runs;
  const isDeaf = before.state === 'paused' || before.state === 'maintenance';
  if (isDeaf || (id !== null && endedIds.includes(id))) return null;
  const run = id === null ? underWay.at(-1) : underWay.find((each) => each.id === id);
  // A repeated in_progress keeps the time of the first.
  if (status === 'in_progress' && id !== null && run !== undefined) return null;
  const begins = run === undefined || status === 'in_progress';
  const expectedAtMs = begins ? expectedAfter(before.runs, terms, atMs) : before.runs.expectedAtMs;
  if (status === 'in_progress') {
    const more = [...underWay, { id, beganAtMs: atMs }].slice(-runsMax);
    return stepOf(before, { ...before.runs, expectedAtMs, underWay: more }, terms);
  }
  const runs: JobRuns = {
    expectedAtMs,
    underWay: underWay.filter((each) => each !== run),
    endedIds: id === null ? endedIds : [...endedIds, id].slice(-runsMax),
  };
  const took = durationMs ?? (run === undefined ? null : atMs - run.beganAtMs);
  const reason = status === 'error' ? 'ended with an error' : '';
  return ran(before, runs, { isGood: status === 'ok', code: status, reason, durationMs: took }, terms, atMs);
}

/** One missed or timed-out run at a time. What was due while the server was down is ignored. */
export function afterTime(before: JobStanding, terms: CronTerms, atMs: EpochMs): JobStep {
  const { expectedAtMs, underWay } = before.runs;
  if (wasUnheard(before, terms, atMs)) return anew(before, terms, atMs);
  const [long] = underWay;
  const longAtMs = long === undefined ? null : long.beganAtMs + terms.runtimeMs;
  if (longAtMs !== null && atMs >= longAtMs) {
    const runs = { ...before.runs, underWay: underWay.slice(1) };
    return ran(before, runs, bad('timeout', `ran longer than ${spanText(terms.runtimeMs)}`), terms, longAtMs);
  }
  const missedAtMs = expectedAtMs === null ? null : expectedAtMs + terms.marginMs;
  if (expectedAtMs === null || missedAtMs === null || atMs < missedAtMs) {
    return stepOf({ ...before, ...counted(before, atMs) }, before.runs, terms, timesOf(before, atMs));
  }
  const runs = { ...before.runs, expectedAtMs: nextBeginMs(terms.schedule, terms.timezone, expectedAtMs) };
  const reason = `did not start within ${spanText(terms.marginMs)} of its schedule`;
  return ran(before, runs, bad('missed', reason), terms, missedAtMs);
}

/** After a change of the schedule; runs in progress go on. */
export function withTerms(runs: JobRuns, terms: CronTerms, atMs: EpochMs): JobRuns {
  if (runs.expectedAtMs === null && runs.endedIds.length === 0 && runs.underWay.length === 0) return runs;
  return { ...runs, expectedAtMs: nextBeginMs(terms.schedule, terms.timezone, atMs) };
}

function expectedAfter(
  { expectedAtMs }: JobRuns,
  { schedule, timezone }: CronTerms,
  atMs: EpochMs,
): EpochMs | null {
  if (schedule.type === 'interval' || expectedAtMs === null || expectedAtMs <= atMs) {
    return nextBeginMs(schedule, timezone, atMs);
  }
  const afterThat = nextBeginMs(schedule, timezone, expectedAtMs);
  const gapMs = afterThat === null ? Number.POSITIVE_INFINITY : afterThat - expectedAtMs;
  return expectedAtMs - atMs <= Math.min(earlyMsMax, gapMs / 2) ? afterThat : expectedAtMs;
}

/** Whether the server was down, or the monitor paused, when something was due. */
function wasUnheard(before: JobStanding, terms: CronTerms, atMs: EpochMs): boolean {
  const { expectedAtMs, underWay } = before.runs;
  const fromMs = pausedToMs(before);
  if (expectedAtMs !== null && expectedAtMs < fromMs) return true;
  if (underWay.some(({ beganAtMs }) => beganAtMs < fromMs)) return true;
  const dueMs = dueAtMs(before, before.runs, terms);
  return dueMs !== null && atMs - dueMs > unheardMs;
}

/** Starts over: what happened before is unknown and its time is not counted. */
function anew(before: JobStanding, terms: CronTerms, atMs: EpochMs): JobStep {
  const { expectedAtMs, underWay } = before.runs;
  const fromMs = Math.max(pausedToMs(before), atMs - terms.runtimeMs + 1);
  const isOver = expectedAtMs !== null && expectedAtMs <= atMs;
  const runs: JobRuns = {
    ...before.runs,
    expectedAtMs: isOver ? nextBeginMs(terms.schedule, terms.timezone, atMs) : expectedAtMs,
    underWay: underWay.filter(({ beganAtMs }) => beganAtMs >= fromMs),
  };
  return stepOf({ ...before, ...counted(before, atMs) }, runs, terms);
}

/** A pending monitor was created or resumed at this time; earlier check-ins were not received. */
function pausedToMs({ state, stateSinceMs }: Standing): EpochMs {
  return state === 'pending' ? stateSinceMs : 0;
}

function dueAtMs(
  standing: Standing,
  { expectedAtMs, underWay }: JobRuns,
  { marginMs, runtimeMs }: CronTerms,
): EpochMs | null {
  const ends = underWay.slice(0, 1).map(({ beganAtMs }) => beganAtMs + runtimeMs);
  if (expectedAtMs !== null) ends.push(expectedAtMs + marginMs);
  if (heldOf(standing) !== null) ends.push(standing.countedToMs + countedMsMax);
  return ends.length === 0 ? null : Math.min(...ends);
}

interface Ran {
  readonly isGood: boolean;
  readonly code: string;
  readonly reason: string;
  readonly durationMs: number | null;
}

function bad(code: string, reason: string): Ran {
  return { isGood: false, code, reason, durationMs: null };
}

function ran(
  before: JobStanding,
  runs: JobRuns,
  { isGood, code, reason, durationMs }: Ran,
  terms: CronTerms,
  atMs: EpochMs,
): JobStep {
  const result = isGood ? 'up' : 'down';
  // Checks are listed by time, so two at the same millisecond need different ones.
  const listedAtMs = Math.max(atMs, (before.lastCheck?.atMs ?? 0) + 1);
  const check: Check = { atMs: listedAtMs, result, code, durationMs, from: '', message: reason };
  const held = heldOf(before);
  const times = wasUnheard(before, terms, atMs) ? [] : timesOf(before, atMs);
  const standing: Standing = { ...standingOf(before), ...counted(before, atMs) };
  if (held === result) {
    const why = isGood ? '' : reason;
    return { ...stepOf({ ...standing, suspicion: null, reason: why }, runs, terms, times), check };
  }
  const suspicion = { state: result, count: 1, sinceMs: atMs } as const;
  const { suspicion: earlier } = standing;
  const so =
    earlier === null ? suspicion : { ...suspicion, count: earlier.count + 1, sinceMs: earlier.sinceMs };
  // One good run is enough to leave `pending`.
  const needed = isGood ? (held === null ? 1 : terms.recoveries) : terms.failures;
  const next: Standing =
    so.count < needed
      ? { ...standing, suspicion: so }
      : { ...standing, state: result, stateSinceMs: atMs, reason, suspicion: null };
  return { ...stepOf(next, runs, terms, times), check };
}

function stepOf(
  before: Standing,
  runs: JobRuns,
  terms: CronTerms,
  times: readonly WatchedTime[] = [],
): JobStep {
  const standing = standingOf(before);
  return { standing, runs, check: null, times, nextCheckAtMs: dueAtMs(standing, runs, terms) };
}

function standingOf({ state, stateSinceMs, reason, suspicion, countedToMs }: Standing): Standing {
  return { state, stateSinceMs, reason, suspicion, countedToMs };
}

function counted({ countedToMs }: Standing, atMs: EpochMs): Pick<Standing, 'countedToMs'> {
  return { countedToMs: Math.max(countedToMs, atMs) };
}

function heldOf({ state }: Standing): 'up' | 'down' | null {
  return state === 'up' || state === 'down' ? state : null;
}

function timesOf(standing: Standing, toMs: EpochMs): readonly WatchedTime[] {
  const state = heldOf(standing);
  const { countedToMs: fromMs } = standing;
  return state === null || toMs <= fromMs ? [] : [{ fromMs, toMs, state }];
}
