// When a report is sent: on the first day after its period, at a time by somebody's clocks. Pure.
import { minuteMs } from '../reading/spans.ts';
import type { ReportSchedule } from '../store/reports/schedules.ts';
import { after, before, lastPeriods, type Period, settleMs } from '../workspace/reports/period.ts';

type Terms = Pick<ReportSchedule, 'kind' | 'atMinute' | 'zone'>;

/**
 * When the report of a period is sent. Where the day begins earlier than that of UTC the period may still go
 * on then: it leaves once it is over and counted.
 */
export function sendMs(period: Period, { atMinute, zone }: Pick<Terms, 'atMinute' | 'zone'>): number {
  return Math.max(momentIn(zone, period.toMs, atMinute), period.toMs + settleMs);
}

/** The first time after a moment. */
export function nextSendMs(terms: Terms, afterMs: number): number {
  let period = latestSent(terms, afterMs);
  while (sendMs(period, terms) <= afterMs) period = after(period);
  return sendMs(period, terms);
}

/** The newest period whose time to be sent has come. */
export function latestSent(terms: Terms, nowMs: number): Period {
  let [period] = lastPeriods(terms.kind, nowMs, 1) as [Period];
  while (sendMs(period, terms) > nowMs) period = before(period);
  return period;
}

/**
 * The moment at which clocks of a zone show so many minutes of the day that `dayMs` begins in UTC. Minutes
 * that clocks leap over are those after the leap.
 */
function momentIn(zone: string, dayMs: number, minute: number): number {
  const shown = dayMs + minute * minuteMs;
  // The second look is for a day on which clocks are set.
  const first = shown - aheadMs(zone, shown);
  const second = shown - aheadMs(zone, first);
  return aheadMs(zone, second) === shown - second ? second : Math.max(first, second);
}

/** How far clocks of a zone are ahead of UTC. */
function aheadMs(zone: string, atMs: number): number {
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
