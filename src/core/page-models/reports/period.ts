// Weeks and months in UTC. Weeks are those of ISO 8601: from Monday, in the year of their Thursday.

import { dayMs, minuteMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { startOfDayMs } from '../monitoring/uptime.ts';

export interface Period {
  /** `2026-W47` or `2026-11`. */
  readonly id: string;
  readonly kind: 'week' | 'month';
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

const weekMs = 7 * dayMs;

export function parsePeriod(id: string): Period | null {
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(id) ?? [];
  if (year !== undefined && week !== undefined) {
    // ISO 8601: 4 January is always in week 1.
    const fourth = Date.UTC(Number(year), 0, 4);
    const period = weekOf(mondayOf(fourth) + (Number(week) - 1) * weekMs);
    return period.id === id ? period : null;
  }
  const [, of, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(id) ?? [];
  return of === undefined || month === undefined ? null : monthOf(Date.UTC(Number(of), Number(month) - 1, 1));
}

export function weekOf(atMs: number): Period {
  const fromMs = mondayOf(atMs);
  const year = new Date(fromMs + 3 * dayMs).getUTCFullYear();
  const first = mondayOf(Date.UTC(year, 0, 4));
  const week = Math.round((fromMs - first) / weekMs) + 1;
  return { id: `${year}-W${String(week).padStart(2, '0')}`, kind: 'week', fromMs, toMs: fromMs + weekMs };
}

function monthOf(atMs: number): Period {
  const date = new Date(atMs);
  const fromMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const toMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return { id: formatTime(fromMs).slice(0, 7), kind: 'month', fromMs, toMs };
}

export function previousPeriod({ kind, fromMs }: Period): Period {
  return kind === 'week' ? weekOf(fromMs - 1) : monthOf(fromMs - 1);
}

export function nextPeriod({ kind, toMs }: Period): Period {
  return kind === 'week' ? weekOf(toMs) : monthOf(toMs);
}

/** `count` periods up to the current one, newest first. */
export function listLastPeriods(kind: Period['kind'], nowMs: number, count: number): Period[] {
  const periods = [kind === 'week' ? weekOf(nowMs) : monthOf(nowMs)];
  for (let last = periods[0]; periods.length < count && last !== undefined; last = periods.at(-1)) {
    periods.push(previousPeriod(last));
  }
  return periods;
}

export type PeriodView = ReturnType<typeof viewPeriod>;

export function viewPeriod({ id, kind, fromMs, toMs }: Period, nowMs: number) {
  const inAll = Math.round((toMs - fromMs) / dayMs);
  const isPartial = nowMs < toMs;
  const days = isPartial ? Math.round((startOfDayMs(nowMs) - fromMs) / dayMs) + 1 : inAll;
  return {
    id,
    kind,
    from: formatTime(fromMs),
    to: formatTime(toMs),
    is_partial: isPartial,
    /** Days so far, including today. */
    days: Math.max(0, days),
    days_in_all: inAll,
  };
}

/** 1 January 1970 was a Thursday. */
function mondayOf(atMs: number): number {
  const day = startOfDayMs(atMs);
  const weekday = (((day / dayMs + 3) % 7) + 7) % 7;
  return day - weekday * dayMs;
}

/** Hourly counts are kept this long; older periods cannot be counted. */
const hourlyCountsKeptMs = 100 * dayMs;

export function isCountable({ fromMs }: Pick<Period, 'fromMs'>, nowMs: number): boolean {
  return fromMs >= nowMs - hourlyCountsKeptMs;
}

/** Waiting time after the end of a period: other processes still write their counts. */
export const countDelayMs = 5 * minuteMs;
