// Reports are sent on the first day after their period, at a local time.

import {
  countDelayMs,
  listLastPeriods,
  nextPeriod,
  type Period,
  previousPeriod,
} from '../page-models/reports/period.ts';
import { minuteMs } from '../parsing/durations.ts';
import type { ReportSchedule } from '../store/reports/schedules.ts';

type ScheduleTimes = Pick<ReportSchedule, 'kind' | 'atMinute' | 'zone'>;

/** Not before the period has ended in UTC and is counted, which is later than the local time east of UTC. */
export function reportSendMs(
  period: Period,
  { atMinute, zone }: Pick<ScheduleTimes, 'atMinute' | 'zone'>,
): number {
  return Math.max(momentInZone(zone, period.toMs, atMinute), period.toMs + countDelayMs);
}

export function nextReportSendMs(terms: ScheduleTimes, afterMs: number): number {
  let period = latestDuePeriod(terms, afterMs);
  while (reportSendMs(period, terms) <= afterMs) period = nextPeriod(period);
  return reportSendMs(period, terms);
}

export function latestDuePeriod(terms: ScheduleTimes, nowMs: number): Period {
  let [period] = listLastPeriods(terms.kind, nowMs, 1) as [Period];
  while (reportSendMs(period, terms) > nowMs) period = previousPeriod(period);
  return period;
}

// The moment at which local clocks show this minute of the UTC day. Skipped minutes move behind the gap.
function momentInZone(zone: string, dayMs: number, minute: number): number {
  const shown = dayMs + minute * minuteMs;
  // The offset may differ on the day of a clock change, so it is applied twice.
  const first = shown - zoneOffsetMs(zone, shown);
  const second = shown - zoneOffsetMs(zone, first);
  return zoneOffsetMs(zone, second) === shown - second ? second : Math.max(first, second);
}

function zoneOffsetMs(zone: string, atMs: number): number {
  const form = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const parts = new Map(form.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(atMs / 1_000) * 1_000;
}
