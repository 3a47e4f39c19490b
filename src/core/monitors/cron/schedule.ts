// When a job is to begin next: a crontab or an interval, by the clock of a time zone. Pure.
import type { EpochMs } from '../../reading/moments.ts';
import { minuteMs } from '../../reading/spans.ts';
import { type CronSchedule, intervalUnits } from '../../store/monitors/cron.ts';
import { nextCrontabMs } from './crontab.ts';

const crontabCharactersMax = 100;
const valueMax = 10_000;

/** Five fields, or a word such as `@daily`: seconds, years and what else a library knows are not cron's. */
const crontabForm = /^(?:@(?:hourly|daily|midnight|weekly|monthly|yearly|annually)|\S+(?: +\S+){4})$/i;

/** The schedule as it is kept, or null for what is none, or never comes. */
export function scheduleOf(type: unknown, value: unknown, unit: unknown): CronSchedule | null {
  if (type === 'interval') {
    const known = intervalUnits.find((each) => each === unit);
    const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= valueMax;
    return known === undefined || !isCount ? null : { type, value, unit: known };
  }
  if (type !== 'crontab' || typeof value !== 'string' || value.length > crontabCharactersMax) return null;
  const plain = value
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^@midnight$/i, '@daily');
  if (!crontabForm.test(plain)) return null;
  const schedule: CronSchedule = { type, value: plain };
  try {
    return nextBeginMs(schedule, 'UTC', 0) === null ? null : schedule;
  } catch {
    return null;
  }
}

/** Of what somebody wrote: a crontab, or `10 minutes`. Null for what is none. */
export function scheduleOfText(text: string): CronSchedule | null {
  const interval = /^(?:every )?(\d{1,5}) (minute|hour|day|week|month|year)s?$/.exec(text.trim());
  if (interval === null) return scheduleOf('crontab', text, undefined);
  return scheduleOf('interval', Number(interval[1]), interval[2]);
}

/** As it is written: the crontab, or `10 minutes`. */
export function scheduleText(schedule: CronSchedule): string {
  if (schedule.type === 'crontab') return schedule.value;
  const { value, unit } = schedule;
  return `${value} ${unit}${value === 1 ? '' : 's'}`;
}

/** How long it is from the next run to the one after it. */
export function gapMs(schedule: CronSchedule, timezone: string, afterMs: EpochMs): number {
  const first = nextBeginMs(schedule, timezone, afterMs) ?? afterMs;
  return (nextBeginMs(schedule, timezone, first) ?? first) - first;
}

/**
 * The first moment after `afterMs` at which the job is to begin; null for never. What a change of the clock
 * does to a crontab is in `crontab.ts`.
 */
export function nextBeginMs(schedule: CronSchedule, timezone: string, afterMs: EpochMs): EpochMs | null {
  if (schedule.type === 'interval') return afterInterval(schedule, afterMs);
  return nextCrontabMs(schedule.value, timezone, afterMs);
}

const unitMs = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
  week: 7 * 24 * 60 * minuteMs,
} as const;

/** Counted from the last check-in, to the whole minute; months and years by the calendar of UTC. */
function afterInterval(
  { value, unit }: Extract<CronSchedule, { type: 'interval' }>,
  afterMs: EpochMs,
): EpochMs {
  const fromMs = afterMs - (afterMs % minuteMs);
  if (unit !== 'month' && unit !== 'year') return fromMs + value * unitMs[unit];
  const from = new Date(fromMs);
  const months = value * (unit === 'year' ? 12 : 1);
  const day = from.getUTCDate();
  const then = new Date(fromMs);
  then.setUTCDate(1);
  then.setUTCMonth(then.getUTCMonth() + months);
  const last = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(day, last));
  return then.getTime();
}
