// Uptime: the share of the observed time that was up or degraded. Pending, paused, maintenance: not observed.

import { dayMs, minuteMs } from '../../parsing/durations.ts';
import { formatDate } from '../../parsing/timestamps.ts';
import type { MonitorInterval } from '../../store/monitors.ts';

/** The worst state of the day. `none`: not observed. */
type DayState = 'up' | 'degraded' | 'down' | 'maintenance' | 'none';

export type DayView = ReturnType<typeof dayView>;

type Sums = Pick<MonitorInterval, 'watchedMs' | 'downMs' | 'degradedMs' | 'maintenanceMs'>;

/** A day counts as degraded from this much on; a single slow response does not matter. */
const degradedDayMsMin = 15 * minuteMs;
export const uptimeDays = 90;

function sumOf(slices: readonly Sums[]): Sums {
  const sum = { watchedMs: 0, downMs: 0, degradedMs: 0, maintenanceMs: 0 };
  for (const each of slices) {
    sum.watchedMs += each.watchedMs;
    sum.downMs += each.downMs;
    sum.degradedMs += each.degradedMs;
    sum.maintenanceMs += each.maintenanceMs;
  }
  return sum;
}

export function viewUptime(slices: readonly Sums[]) {
  const { watchedMs, downMs, degradedMs } = sumOf(slices);
  return {
    /** 0 to 1; null if nothing was observed. */
    uptime: watchedMs === 0 ? null : 1 - downMs / watchedMs,
    watched_ms: watchedMs,
    down_ms: downMs,
    degraded_ms: degradedMs,
  };
}

export function viewErrorBudget(goal: number, slices: readonly Sums[]) {
  const { watchedMs, downMs } = sumOf(slices);
  const allowed = Math.round((1 - goal) * watchedMs);
  return {
    goal,
    allowed_ms: allowed,
    used_ms: downMs,
    /** Above 1 the budget is exhausted; null if nothing was observed. */
    share:
      watchedMs === 0 ? null : allowed === 0 ? (downMs > 0 ? Number.MAX_SAFE_INTEGER : 0) : downMs / allowed,
  };
}

/** Oldest first, up to today; days without data are `none`. */
export function viewDays(slices: readonly MonitorInterval[], nowMs: number, count: number) {
  const byDay = new Map(slices.map((each) => [each.atMs, each]));
  return lastDays(nowMs, count).map((atMs) => dayView(atMs, byDay.get(atMs) ?? null));
}

function dayView(atMs: number, day: Sums | null) {
  return {
    date: formatDate(atMs),
    state: day === null ? 'none' : stateOfDay(day),
    down_ms: day?.downMs ?? 0,
    degraded_ms: day?.degradedMs ?? 0,
    maintenance_ms: day?.maintenanceMs ?? 0,
  };
}

function stateOfDay({ watchedMs, downMs, degradedMs, maintenanceMs }: Sums): DayState {
  if (downMs > 0) return 'down';
  if (degradedMs >= degradedDayMsMin) return 'degraded';
  if (maintenanceMs > 0) return 'maintenance';
  return watchedMs > 0 ? 'up' : 'none';
}

export function mergeWorstDays(all: ReadonlyArray<readonly MonitorInterval[]>): MonitorInterval[] {
  const worst = new Map<number, MonitorInterval>();
  for (const day of all.flat()) {
    const before = worst.get(day.atMs);
    if (before === undefined || isWorse(day, before)) worst.set(day.atMs, day);
  }
  return [...worst.values()].sort((one, other) => one.atMs - other.atMs);
}

function isWorse(one: MonitorInterval, other: MonitorInterval): boolean {
  if (one.downMs !== other.downMs) return one.downMs > other.downMs;
  if (one.degradedMs !== other.degradedMs) return one.degradedMs > other.degradedMs;
  if (one.maintenanceMs !== other.maintenanceMs) return one.maintenanceMs > other.maintenanceMs;
  return one.watchedMs > other.watchedMs;
}

/** The starts of the last `count` days in UTC, oldest first, the current day last. */
export function lastDays(nowMs: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => startOfDayMs(nowMs) - (count - 1 - at) * dayMs);
}

export function startOfDayMs(atMs: number): number {
  return atMs - (((atMs % dayMs) + dayMs) % dayMs);
}
