// Whether retention may remove anything by itself: it waits where there never was any, and stops where much
// would go at once and the clock or a setting may be wrong. Pure; the state stands in the database as JSON.
import { dayMs } from '../reading/spans.ts';
import type { ProjectPlan, RetentionLimits } from './plan.ts';

/** Why nothing is removed although something would go. */
export type HeldBack = 'first' | 'clock' | 'limits';

export interface RetentionState {
  /** When it began to remove; null while it waits for the first time. */
  readonly begunMs: number | null;
  /** How long it was seen to wait, by rounds that lie near to each other. */
  readonly waitedMs: number;
  /** The last round that the clock was believed in. */
  readonly roundMs: number;
  /** With which limits that was. */
  readonly limits: RetentionLimits;
  readonly heldBack: HeldBack | null;
  /** What would go, of those projects of which something would. */
  readonly plans: readonly ProjectPlan[];
}

/** How long a database that never had retention is let alone. */
export const firstWaitMs = 7 * dayMs;
/** A clock that went further since the last round was set, or nobody looked for days. */
const trustedGapMs = 2 * dayMs;
/** Of what is stored: no more goes at once where something may be wrong. */
const shareMax = 0.05;
const plansKept = 1_000;

/** What follows from a look at what would go. `isAsked`: somebody said yes to it. */
export function decide(
  before: RetentionState | null,
  plans: readonly ProjectPlan[],
  limits: RetentionLimits,
  nowMs: number,
  isAsked: boolean,
): RetentionState {
  const going = plans.filter((plan) => dueOf([plan]) > 0).slice(0, plansKept);
  const due = dueOf(plans);
  const run = {
    begunMs: before?.begunMs ?? nowMs,
    waitedMs: 0,
    roundMs: nowMs,
    limits,
    heldBack: null,
    plans: going,
  };
  if (isAsked) return run;
  if (before === null) {
    return due === 0 ? run : { ...run, begunMs: null, heldBack: 'first' };
  }
  const gapMs = nowMs - before.roundMs;
  const isMuch = due > shareMax * plans.reduce((sum, plan) => sum + plan.stored, 0);
  if (isMuch && gapMs > trustedGapMs) return { ...before, heldBack: 'clock', plans: going };
  const isTighter = isTighterThan(limits, before.limits);
  if (before.begunMs === null && due > 0) {
    const waitedMs = isTighter ? 0 : before.waitedMs + Math.min(Math.max(0, gapMs), trustedGapMs);
    if (waitedMs < firstWaitMs) return { ...run, begunMs: null, waitedMs, heldBack: 'first' };
    return run;
  }
  if (isMuch && isTighter) return { ...before, heldBack: 'limits', plans: going };
  return run;
}

/** When a first round begins by itself, where it still waits; null otherwise. */
export function beginsAtOf(state: RetentionState): number | null {
  return state.heldBack === 'first' ? state.roundMs + firstWaitMs - state.waitedMs : null;
}

/** How many events would go. */
export function dueOf(plans: readonly ProjectPlan[]): number {
  return plans.reduce((sum, { byAge, byQuota }) => sum + byAge + byQuota, 0);
}

/** The state as it was written; null where there is none, or none that can be read. */
export function parseState(text: string | null): RetentionState | null {
  if (text === null) return null;
  try {
    const state = JSON.parse(text) as RetentionState | null;
    return typeof state?.roundMs === 'number' ? state : null;
  } catch {
    return null;
  }
}

/** Whether some limit leaves less room than before. */
function isTighterThan(limits: RetentionLimits, before: RetentionLimits): boolean {
  const isLess = (now: number, then: number): boolean => now > 0 && (then === 0 || now < then);
  return (
    isLess(limits.days, before.days) ||
    isLess(limits.events, before.events) ||
    isLess(limits.bytes, before.bytes)
  );
}
