// Reports are sent on the first day after their period, at a local time.

import {
  countDelayMs,
  listLastPeriods,
  nextPeriod,
  type Period,
  previousPeriod,
} from '../page-models/reports/period.ts';
import { minuteMs } from '../parsing/durations.ts';
import { momentInZone } from '../parsing/format/time-zones.ts';
import type { ReportSchedule } from '../store/reports/schedules.ts';

type ScheduleTimes = Pick<ReportSchedule, 'kind' | 'atMinute' | 'zone'>;

/** Not before the period has ended in UTC and is counted, which is later than the local time east of UTC. */
export function reportSendMs(
  period: Period,
  { atMinute, zone }: Pick<ScheduleTimes, 'atMinute' | 'zone'>,
): number {
  return Math.max(momentInZone(zone, period.toMs + atMinute * minuteMs), period.toMs + countDelayMs);
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
