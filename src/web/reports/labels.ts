import type { PeriodView } from '../../core/page-models/reports/period.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { formatDay } from '../formatters.ts';
import { monthName } from '../incidents/incident-calendar.ts';

export function periodName({ id, kind }: Pick<PeriodView, 'id' | 'kind'>): string {
  return kind === 'week' ? `Week ${Number(id.slice(6))}` : monthName(id, true);
}

/** `9 to 15 November 2026`, `30 November to 6 December 2026`. */
export function dateRange({ from, to }: Pick<PeriodView, 'from' | 'to'>): string {
  const [first, last] = [new Date(from), new Date(Date.parse(to) - dayMs)];
  const lastWords = `${last.getUTCDate()} ${monthName(last.toISOString().slice(0, 7), true)}`;
  const isOneMonth = first.getUTCMonth() === last.getUTCMonth();
  const isOneYear = first.getUTCFullYear() === last.getUTCFullYear();
  const month = isOneMonth ? '' : ` ${monthName(from.slice(0, 7), !isOneYear)}`;
  return `${first.getUTCDate()}${month} to ${lastWords}`;
}

/** `9 Nov to 15 Nov` */
export function shortDateRange({ from, to }: Pick<PeriodView, 'from' | 'to'>): string {
  return `${formatDay(Date.parse(from))} to ${formatDay(Date.parse(to) - dayMs)}`;
}

export function partialText({ days, days_in_all: all }: Pick<PeriodView, 'days' | 'days_in_all'>): string {
  return `${days} of ${all} days`;
}

/** Difference in percentage points: `0.04 points less`; null if a share is unknown. */
export function pointsText(now: number | null, before: number | null, decimals: number): string | null {
  if (now === null || before === null) return null;
  const points = Math.abs((now - before) * 100);
  const text = points.toFixed(decimals);
  if (Number(text) === 0) return 'as before';
  return `${text} points ${now > before ? 'more' : 'less'}`;
}

/** `+21%`, `−4%` with a true minus; a dash if there was nothing before. */
export function changeText(now: number, before: number | null): string {
  if (before === null || before === 0) return '–';
  const change = Math.round(((now - before) / before) * 100);
  return change === 0 ? '0%' : `${change > 0 ? '+' : '−'}${Math.abs(change)}%`;
}
