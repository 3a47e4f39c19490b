// How a job on a schedule stands after a check-in, and after a time in which one did not come: pure functions
// of how it stood and of when. A run is missed when it did not begin by its margin, and too long when it did
// not end in its time.
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
  /** Null where no run ended. */
  readonly check: Check | null;
  readonly times: readonly WatchedTime[];
  /** When to look again; null: it waits for a check-in. */
  readonly nextCheckAtMs: EpochMs | null;
}

/** Before its first check-in, and where its runs are to be counted anew. */
export const noRuns: JobRuns = { expectedAtMs: null, underWay: [], endedIds: [] };

/** More of one job at a time than anybody watches; the oldest is forgotten. */
const runsMax = 20;
/** Whoever looks later than that did not hear what was said at its time either. */
const unheardMs = minuteMs;
/** How much of its time is counted at once: between two runs of a job there may be months. */
const countedMsMax = hourMs;
/** How much earlier than its time a run may begin: clocks differ. */
const earlyMsMax = minuteMs;

/** What a check-in changes; null for nothing. */
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
  // The same run that says again that it goes on, goes on from when it began.
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

/**
 * What its time brings: a run that was missed, or one that is too long, one at a look. What fell due while
 * nobody looked is forgotten: what was said then was not heard.
 */
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

/** Of other terms than before: its next run is to begin by them. Runs that are under way go on. */
export function withTerms(runs: JobRuns, terms: CronTerms, atMs: EpochMs): JobRuns {
  if (runs.expectedAtMs === null && runs.endedIds.length === 0 && runs.underWay.length === 0) return runs;
  return { ...runs, expectedAtMs: nextBeginMs(terms.schedule, terms.timezone, atMs) };
}

/** The run that begins now is the one that is awaited, also where it is a little early. */
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

/** Whether nobody looked when something of it was due, or it was paused then. */
function wasUnheard(before: JobStanding, terms: CronTerms, atMs: EpochMs): boolean {
  const { expectedAtMs, underWay } = before.runs;
  const fromMs = pausedToMs(before);
  if (expectedAtMs !== null && expectedAtMs < fromMs) return true;
  if (underWay.some(({ beganAtMs }) => beganAtMs < fromMs)) return true;
  const dueMs = dueAtMs(before, before.runs, terms);
  return dueMs !== null && atMs - dueMs > unheardMs;
}

/** Begins to count anew: what is over by now is not known, and the time is nobody's. */
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

/** Before that nothing was heard of one that is pending: it was made then, or a pause ended. */
function pausedToMs({ state, stateSinceMs }: Standing): EpochMs {
  return state === 'pending' ? stateSinceMs : 0;
}

/** When something of it is over by itself, or its time is to be counted; null where nothing is awaited. */
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

/** A run that is over, well or not. */
function ran(
  before: JobStanding,
  runs: JobRuns,
  { isGood, code, reason, durationMs }: Ran,
  terms: CronTerms,
  atMs: EpochMs,
): JobStep {
  const result = isGood ? 'up' : 'down';
  // Two that are over at the same moment are two.
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
  // The first good one ends `pending`.
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

/** The time since it was last counted, as what it was. */
function timesOf(standing: Standing, toMs: EpochMs): readonly WatchedTime[] {
  const state = heldOf(standing);
  const { countedToMs: fromMs } = standing;
  return state === null || toMs <= fromMs ? [] : [{ fromMs, toMs, state }];
}
