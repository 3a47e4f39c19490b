// The state changes when enough checks in a row agree; the new state is counted from the first of them.

import { hourMs, minuteMs } from '../parsing/durations.ts';
import {
  type Check,
  type FoundState,
  type MonitorRecord,
  type MonitorStatus,
  type MonitorTransition,
  type PendingTransition,
  passiveMonitorTypes,
  type UptimeInterval,
} from '../store/monitors.ts';

type Result = Check['result'];

interface CheckFinding extends FoundState {
  readonly result: Result;
}

interface ConfirmationRules {
  readonly confirmations: number;
  /** After a longer time without a check, the time in between is not counted. */
  readonly watchedMsMax: number;
  /** After such a gap, this much is still counted in the old state. */
  readonly intervalMs: number;
  readonly lastCheckAtMs: number | null;
}

interface MonitorStep {
  readonly standing: MonitorStatus;
  readonly times: readonly UptimeInterval[];
  /** The next check is to come soon, to confirm this one. */
  readonly isInDoubt: boolean;
  readonly isEnding: boolean;
}

const levels: readonly Result[] = ['up', 'degraded', 'down'];

export function applyCheck(
  standing: MonitorStatus,
  found: CheckFinding,
  atMs: number,
  rules: ConfirmationRules,
): MonitorStep {
  const before = applyGap(standing, atMs, rules);
  const { state } = before.standing;
  const held = state === 'up' || state === 'degraded' || state === 'down' ? state : null;
  if (held === null && found.result !== 'down') return enterState(before, found, atMs, { moved: atMs });
  if (held === found.result) return enterState(before, found, atMs, { moved: null });
  const pendingTransition = updatePendingTransition(before.standing.pendingTransition, held, found, atMs);
  const { sinceMs } = pendingTransition;
  if (pendingTransition.count >= rules.confirmations) {
    // Up to the first of these checks the old state is counted.
    const countedToMs = Math.max(before.standing.countedToMs, sinceMs);
    const until = { standing: { ...before.standing, countedToMs }, times: countTime(before, held, sinceMs) };
    return enterState(
      until,
      { ...found, ...pendingTransition.found, result: pendingTransition.state },
      atMs,
      {
        moved: sinceMs,
      },
    );
  }
  // The time since is only counted once the next check has confirmed or refuted it.
  const times = before.standing.pendingTransition === null ? countTime(before, held, atMs) : before.times;
  const countedToMs = before.standing.pendingTransition === null ? atMs : before.standing.countedToMs;
  return {
    standing: { ...before.standing, pendingTransition, countedToMs },
    times,
    isInDoubt: true,
    isEnding: false,
  };
}

interface CountedState {
  readonly standing: MonitorStatus;
  readonly times: readonly UptimeInterval[];
}

/** After a long gap the pending transition is dropped and the time is not counted. */
function applyGap(standing: MonitorStatus, atMs: number, manner: ConfirmationRules): CountedState {
  const { lastCheckAtMs, watchedMsMax, intervalMs } = manner;
  if (lastCheckAtMs === null || atMs - lastCheckAtMs <= watchedMsMax) return { standing, times: [] };
  const { state, countedToMs } = standing;
  const toMs = Math.min(atMs, countedToMs + intervalMs);
  const isWatched = (state === 'up' || state === 'degraded' || state === 'down') && toMs > countedToMs;
  return {
    standing: { ...standing, pendingTransition: null, countedToMs: atMs },
    times: isWatched ? [{ fromMs: countedToMs, toMs, state }] : [],
  };
}

// Counts a check that differs from the state. If those differ among themselves, the one closest to the state counts.
function updatePendingTransition(
  before: PendingTransition | null,
  held: Result | null,
  { result, reason, isEnding }: CheckFinding,
  atMs: number,
): PendingTransition {
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

/** `moved` is the start of the new state; null if the state stays. */
function enterState(
  { standing, times }: CountedState,
  { result, reason, isEnding }: CheckFinding,
  atMs: number,
  { moved }: { readonly moved: number | null },
): MonitorStep {
  const { stateSinceMs, countedToMs } = standing;
  const isNew = standing.state === 'pending' && result !== 'down';
  const passed = isNew || countedToMs >= atMs ? [] : [{ fromMs: countedToMs, toMs: atMs, state: result }];
  return {
    standing: {
      state: result,
      stateSinceMs: moved ?? stateSinceMs,
      reason,
      pendingTransition: null,
      countedToMs: atMs,
    },
    times: [...times, ...passed],
    isInDoubt: false,
    isEnding,
  };
}

function countTime(
  { standing, times }: CountedState,
  held: Result | null,
  atMs: number,
): readonly UptimeInterval[] {
  const { countedToMs } = standing;
  return held === null || countedToMs >= atMs
    ? times
    : [...times, { fromMs: countedToMs, toMs: atMs, state: held }];
}

/** The first good check is no news, but it ends alerts from before a pause. */
export function findTransitions(
  monitor: Pick<MonitorRecord, 'name' | 'slug' | 'type' | 'target' | 'state' | 'stateSinceMs'>,
  { state, stateSinceMs, reason }: Pick<MonitorStatus, 'state' | 'stateSinceMs' | 'reason'>,
  { isEnding }: { readonly isEnding: boolean },
): MonitorTransition[] {
  const { name: title, slug, target } = monitor;
  if (state === monitor.state) return [];
  const turn = (kind: MonitorTransition['kind'], detail: string, isNews = true): MonitorTransition => ({
    kind,
    isNews,
    sinceMs: stateSinceMs,
    summary: { title, detail, path: `/monitors/${slug}` },
  });
  // Heartbeats and cron jobs have no target.
  const why = passiveMonitorTypes.includes(monitor.type) ? reason : `${reason}, ${target}`;
  if (state === 'down') return [turn('monitor.down', why)];
  const length = durationText(stateSinceMs - monitor.stateSinceMs);
  return [
    ...(monitor.state === 'pending' ? [turn('monitor.up', 'after a time without checks', false)] : []),
    ...(monitor.state === 'down' ? [turn('monitor.up', `was down for ${length}`)] : []),
    ...(state === 'degraded' && !isEnding ? [turn('monitor.slow', why)] : []),
  ];
}

function durationText(ms: number): string {
  const units = [
    ['hour', hourMs],
    ['minute', minuteMs],
  ] as const;
  const [word, size] = units.find(([, unitMs]) => ms >= 2 * unitMs) ?? (['second', 1_000] as const);
  const count = Math.round(ms / size);
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
