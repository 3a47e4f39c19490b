// How a monitor stands after a check: a pure function of how it stood, of what the check found and of when.
// A state changes when checks one after the other agree that it is over; its time is counted from the first
// of them.
import type { FoundState, Standing, Suspicion, WatchedTime } from '../store/monitors/monitoring.ts';
import type { Check } from '../store/monitors/monitors.ts';

type Result = Check['result'];

export interface Found extends FoundState {
  readonly result: Result;
}

interface Manner {
  /** Checks one after the other that must agree. */
  readonly confirmations: number;
  /** Longer without a check, and nobody watched. */
  readonly watchedMsMax: number;
  /** What is counted as watched where nobody did: the time for which the last check was good. */
  readonly intervalMs: number;
  readonly lastCheckAtMs: number | null;
}

export interface Step {
  readonly standing: Standing;
  readonly times: readonly WatchedTime[];
  /** Whether the next check is to come soon, to confirm what this one found. */
  readonly isInDoubt: boolean;
  /** Whether it is good but for a certificate that ends soon. */
  readonly isEnding: boolean;
}

const levels: readonly Result[] = ['up', 'degraded', 'down'];

/** What a check changes. A monitor that is paused, or at planned work, is not asked. */
export function after(standing: Standing, found: Found, atMs: number, manner: Manner): Step {
  const before = afterGap(standing, atMs, manner);
  const { state } = before.standing;
  const held = state === 'up' || state === 'degraded' || state === 'down' ? state : null;
  if (held === null && found.result !== 'down') return settled(before, found, atMs, { moved: atMs });
  if (held === found.result) return settled(before, found, atMs, { moved: null });
  const suspicion = moreSuspicious(before.standing.suspicion, held, found, atMs);
  const { sinceMs } = suspicion;
  if (suspicion.count >= manner.confirmations) {
    // Up to the first of them it was what it was.
    const countedToMs = Math.max(before.standing.countedToMs, sinceMs);
    const until = { standing: { ...before.standing, countedToMs }, times: counted(before, held, sinceMs) };
    return settled(until, { ...found, ...suspicion.found, result: suspicion.state }, atMs, {
      moved: sinceMs,
    });
  }
  // What the time since was is not known before the next check.
  const times = before.standing.suspicion === null ? counted(before, held, atMs) : before.times;
  const countedToMs = before.standing.suspicion === null ? atMs : before.standing.countedToMs;
  return {
    standing: { ...before.standing, suspicion, countedToMs },
    times,
    isInDoubt: true,
    isEnding: false,
  };
}

interface Before {
  readonly standing: Standing;
  readonly times: readonly WatchedTime[];
}

/** Where nobody watched for long, what was suspected is void, and the time is nobody's. */
function afterGap(standing: Standing, atMs: number, manner: Manner): Before {
  const { lastCheckAtMs, watchedMsMax, intervalMs } = manner;
  if (lastCheckAtMs === null || atMs - lastCheckAtMs <= watchedMsMax) return { standing, times: [] };
  const { state, countedToMs } = standing;
  const toMs = Math.min(atMs, countedToMs + intervalMs);
  const isWatched = (state === 'up' || state === 'degraded' || state === 'down') && toMs > countedToMs;
  return {
    standing: { ...standing, suspicion: null, countedToMs: atMs },
    times: isWatched ? [{ fromMs: countedToMs, toMs, state }] : [],
  };
}

/**
 * One more that says otherwise. Of several that do not say the same, the one nearest to the state is
 * believed: all of them say at least that much.
 */
function moreSuspicious(
  before: Suspicion | null,
  held: Result | null,
  { result, reason, isEnding }: Found,
  atMs: number,
): Suspicion {
  const found = { reason, isEnding };
  const isSameWay =
    before !== null && (held === null || isWorse(before.state, held) === isWorse(result, held));
  if (!isSameWay) return { state: result, count: 1, sinceMs: atMs, found };
  const from = held === null ? 0 : levels.indexOf(held);
  const distance = (of: Result): number => Math.abs(levels.indexOf(of) - from);
  const isNearest = distance(result) <= distance(before.state);
  const believed = isNearest ? { state: result, found } : before;
  return { ...before, ...believed, count: before.count + 1 };
}

function isWorse(result: Result, than: Result): boolean {
  return levels.indexOf(result) > levels.indexOf(than);
}

/** The state is what the check says; `moved` is since when, where it was another before. */
function settled(
  { standing, times }: Before,
  { result, reason, isEnding }: Found,
  atMs: number,
  { moved }: { readonly moved: number | null },
): Step {
  const { stateSinceMs, countedToMs } = standing;
  const isNew = standing.state === 'pending' && result !== 'down';
  const passed = isNew || countedToMs >= atMs ? [] : [{ fromMs: countedToMs, toMs: atMs, state: result }];
  return {
    standing: {
      state: result,
      stateSinceMs: moved ?? stateSinceMs,
      reason,
      suspicion: null,
      countedToMs: atMs,
    },
    times: [...times, ...passed],
    isInDoubt: false,
    isEnding,
  };
}

function counted({ standing, times }: Before, held: Result | null, atMs: number): readonly WatchedTime[] {
  const { countedToMs } = standing;
  return held === null || countedToMs >= atMs
    ? times
    : [...times, { fromMs: countedToMs, toMs: atMs, state: held }];
}
