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
  readonly status: MonitorStatus;
  readonly times: readonly UptimeInterval[];
  /** The next check is to come soon, to confirm this one. */
  readonly needsConfirmation: boolean;
  readonly isEnding: boolean;
}

const levels: readonly Result[] = ['up', 'degraded', 'down'];

export function applyCheck(
  status: MonitorStatus,
  found: CheckFinding,
  atMs: number,
  rules: ConfirmationRules,
): MonitorStep {
  const before = applyGap(status, atMs, rules);
  const { state } = before.status;
  const currentResult = state === 'up' || state === 'degraded' || state === 'down' ? state : null;
  if (currentResult === null && found.result !== 'down')
    return enterState(before, found, atMs, { moved: atMs });
  if (currentResult === found.result) return enterState(before, found, atMs, { moved: null });
  const pendingTransition = updatePendingTransition(
    before.status.pendingTransition,
    currentResult,
    found,
    atMs,
  );
  const { sinceMs } = pendingTransition;
  if (pendingTransition.count >= rules.confirmations) {
    // Up to the first of these checks the old state is counted.
    const countedToMs = Math.max(before.status.countedToMs, sinceMs);
    const until = {
      status: { ...before.status, countedToMs },
      times: countTime(before, currentResult, sinceMs),
    };
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
  const times =
    before.status.pendingTransition === null ? countTime(before, currentResult, atMs) : before.times;
  const countedToMs = before.status.pendingTransition === null ? atMs : before.status.countedToMs;
  return {
    status: { ...before.status, pendingTransition, countedToMs },
    times,
    needsConfirmation: true,
    isEnding: false,
  };
}

interface CountedState {
  readonly status: MonitorStatus;
  readonly times: readonly UptimeInterval[];
}

/** After a long gap the pending transition is dropped and the time is not counted. */
function applyGap(status: MonitorStatus, atMs: number, rules: ConfirmationRules): CountedState {
  const { lastCheckAtMs, watchedMsMax, intervalMs } = rules;
  if (lastCheckAtMs === null || atMs - lastCheckAtMs <= watchedMsMax) return { status, times: [] };
  const { state, countedToMs } = status;
  const toMs = Math.min(atMs, countedToMs + intervalMs);
  const isWatched = (state === 'up' || state === 'degraded' || state === 'down') && toMs > countedToMs;
  return {
    status: { ...status, pendingTransition: null, countedToMs: atMs },
    times: isWatched ? [{ fromMs: countedToMs, toMs, state }] : [],
  };
}

// Counts a check that differs from the state. If those differ among themselves, the one closest to the state counts.
function updatePendingTransition(
  before: PendingTransition | null,
  currentResult: Result | null,
  { result, reason, isEnding }: CheckFinding,
  atMs: number,
): PendingTransition {
  const found = { reason, isEnding };
  const isSameWay =
    before !== null &&
    (currentResult === null || isWorse(before.state, currentResult) === isWorse(result, currentResult));
  if (!isSameWay) return { state: result, count: 1, sinceMs: atMs, found };
  const from = currentResult === null ? 0 : levels.indexOf(currentResult);
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
  { status, times }: CountedState,
  { result, reason, isEnding }: CheckFinding,
  atMs: number,
  { moved }: { readonly moved: number | null },
): MonitorStep {
  const { stateSinceMs, countedToMs } = status;
  const isNew = status.state === 'pending' && result !== 'down';
  const passed = isNew || countedToMs >= atMs ? [] : [{ fromMs: countedToMs, toMs: atMs, state: result }];
  return {
    status: {
      state: result,
      stateSinceMs: moved ?? stateSinceMs,
      reason,
      pendingTransition: null,
      countedToMs: atMs,
    },
    times: [...times, ...passed],
    needsConfirmation: false,
    isEnding,
  };
}

function countTime(
  { status, times }: CountedState,
  currentResult: Result | null,
  atMs: number,
): readonly UptimeInterval[] {
  const { countedToMs } = status;
  return currentResult === null || countedToMs >= atMs
    ? times
    : [...times, { fromMs: countedToMs, toMs: atMs, state: currentResult }];
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
  const reasonText = passiveMonitorTypes.includes(monitor.type) ? reason : `${reason}, ${target}`;
  if (state === 'down') return [turn('monitor.down', reasonText)];
  const length = durationText(stateSinceMs - monitor.stateSinceMs);
  return [
    ...(monitor.state === 'pending' ? [turn('monitor.up', 'after a time without checks', false)] : []),
    ...(monitor.state === 'down' ? [turn('monitor.up', `was down for ${length}`)] : []),
    ...(state === 'degraded' && !isEnding ? [turn('monitor.slow', reasonText)] : []),
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
