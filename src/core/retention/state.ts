// Retention waits before the first removal, and stops when much would go while the clock jumped or a limit fell.
import { dayMs } from '../parsing/durations.ts';
import type { ProjectPlan, RetentionLimits } from './plan.ts';

export type HeldBackReason = 'first' | 'clock' | 'limits';

export interface RetentionState {
  /** When removal began; null while it waits for the first time. */
  readonly begunMs: number | null;
  /** How long it has waited so far. Gaps between runs count for two days at most. */
  readonly waitedMs: number;
  /** The last run whose clock was trusted. */
  readonly roundMs: number;
  readonly limits: RetentionLimits;
  readonly heldBack: HeldBackReason | null;
  readonly plans: readonly ProjectPlan[];
}

export const firstRemovalWaitMs = 7 * dayMs;
/** After a longer gap since the last run the clock may be wrong. */
const trustedClockGapMs = 2 * dayMs;
/** Share of the stored events that may be removed at once in a doubtful case. */
const doubtfulShareMax = 0.05;
const plansKept = 1_000;

/** The new state after a plan was made. `isConfirmed`: an operator confirmed the removal. */
export function nextRetentionState(
  before: RetentionState | null,
  plans: readonly ProjectPlan[],
  limits: RetentionLimits,
  nowMs: number,
  isConfirmed: boolean,
): RetentionState {
  const removals = plans.filter((plan) => countEventsToRemove([plan]) > 0).slice(0, plansKept);
  const due = countEventsToRemove(plans);
  const run = {
    begunMs: before?.begunMs ?? nowMs,
    waitedMs: 0,
    roundMs: nowMs,
    limits,
    heldBack: null,
    plans: removals,
  };
  if (isConfirmed) return run;
  if (before === null) {
    return due === 0 ? run : { ...run, begunMs: null, heldBack: 'first' };
  }
  const gapMs = nowMs - before.roundMs;
  const isMuch = due > doubtfulShareMax * plans.reduce((sum, plan) => sum + plan.stored, 0);
  if (isMuch && gapMs > trustedClockGapMs) return { ...before, heldBack: 'clock', plans: removals };
  const isTighter = isTighterThan(limits, before.limits);
  if (before.begunMs === null && due > 0) {
    const waitedMs = isTighter ? 0 : before.waitedMs + Math.min(Math.max(0, gapMs), trustedClockGapMs);
    if (waitedMs < firstRemovalWaitMs) return { ...run, begunMs: null, waitedMs, heldBack: 'first' };
    return run;
  }
  if (isMuch && isTighter) return { ...before, heldBack: 'limits', plans: removals };
  return run;
}

export function startsAtMs(state: RetentionState): number | null {
  return state.heldBack === 'first' ? state.roundMs + firstRemovalWaitMs - state.waitedMs : null;
}

export function countEventsToRemove(plans: readonly ProjectPlan[]): number {
  return plans.reduce((sum, { byAge, byQuota }) => sum + byAge + byQuota, 0);
}

export function parseRetentionState(text: string | null): RetentionState | null {
  if (text === null) return null;
  try {
    const state = JSON.parse(text) as RetentionState | null;
    return typeof state?.roundMs === 'number' ? state : null;
  } catch {
    return null;
  }
}

function isTighterThan(limits: RetentionLimits, before: RetentionLimits): boolean {
  const isLess = (now: number, then: number): boolean => now > 0 && (then === 0 || now < then);
  return (
    isLess(limits.days, before.days) ||
    isLess(limits.events, before.events) ||
    isLess(limits.bytes, before.bytes)
  );
}
