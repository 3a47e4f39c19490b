// Incidents by the day they started on, in UTC, without maintenance.

import { dayMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { Incident } from '../../store/incidents.ts';
import { durationMs, isMaintenance } from './incident-views.ts';
import { startOfDayMs } from './uptime.ts';

export interface CalendarDay {
  /** `2026-11-21` */
  readonly date: string;
  readonly trouble_ms: number;
  readonly incidents: number;
  readonly was_down: boolean;
  readonly when: 'past' | 'today' | 'to_come';
}

export interface CalendarMonth {
  /** `2026-11` */
  readonly month: string;
  readonly days: readonly CalendarDay[];
}

export function monthText(atMs: number): string {
  return formatTime(atMs).slice(0, 7);
}

export function monthStartMs(month: string): number | null {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) return null;
  const atMs = Date.parse(`${month}-01T00:00:00Z`);
  return Number.isFinite(atMs) && atMs >= 0 ? atMs : null;
}

/** `count` may be negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, of = 1] = month.split('-').map(Number);
  return monthText(Date.UTC(year, of - 1 + count, 1));
}

export function buildIncidentCalendar(
  incidents: readonly Incident[],
  until: string,
  nowMs: number,
): CalendarMonth[] {
  const byDay = Map.groupBy(
    incidents.filter((each) => !isMaintenance(each)),
    ({ startedAtMs }) => startOfDayMs(startedAtMs),
  );
  return [-2, -1, 0].map((back) => {
    const month = addMonths(until, back);
    const fromMs = monthStartMs(month) ?? 0;
    const toMs = monthStartMs(addMonths(month, 1)) ?? fromMs;
    const days = Array.from({ length: Math.round((toMs - fromMs) / dayMs) }, (_, at) =>
      calendarDay(fromMs + at * dayMs, byDay.get(fromMs + at * dayMs) ?? [], nowMs),
    );
    return { month, days };
  });
}

function calendarDay(atMs: number, began: readonly Incident[], nowMs: number): CalendarDay {
  const today = startOfDayMs(nowMs);
  return {
    date: formatTime(atMs).slice(0, 10),
    trouble_ms: began.reduce((sum, each) => sum + durationMs(each, nowMs), 0),
    incidents: began.length,
    was_down: began.some(({ severity }) => severity === 'critical'),
    when: atMs < today ? 'past' : atMs === today ? 'today' : 'to_come',
  };
}
