// Reports are sent on the first day after their period, at a local time.
import { minuteMs } from '../reading/spans.ts';
import type { ReportSchedule } from '../store/reports/schedules.ts';
import { after, before, lastPeriods, type Period, settleMs } from '../workspace/reports/period.ts';

type Terms = Pick<ReportSchedule, 'kind' | 'atMinute' | 'zone'>;

/** Not before the period has ended in UTC and is counted, which is later than the local time east of UTC. */
export function sendMs(period: Period, { atMinute, zone }: Pick<Terms, 'atMinute' | 'zone'>): number {
  return Math.max(momentIn(zone, period.toMs, atMinute), period.toMs + settleMs);
}

export function nextSendMs(terms: Terms, afterMs: number): number {
  let period = latestSent(terms, afterMs);
  while (sendMs(period, terms) <= afterMs) period = after(period);
  return sendMs(period, terms);
}

export function latestSent(terms: Terms, nowMs: number): Period {
  let [period] = lastPeriods(terms.kind, nowMs, 1) as [Period];
  while (sendMs(period, terms) > nowMs) period = before(period);
  return period;
}

// The moment at which local clocks show this minute of the UTC day. Skipped minutes move behind the gap.
function momentIn(zone: string, dayMs: number, minute: number): number {
  const shown = dayMs + minute * minuteMs;
  // The offset may differ on the day of a clock change, so it is applied twice.
  const first = shown - aheadMs(zone, shown);
  const second = shown - aheadMs(zone, first);
  return aheadMs(zone, second) === shown - second ? second : Math.max(first, second);
}

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
