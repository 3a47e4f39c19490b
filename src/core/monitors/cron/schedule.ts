// When a job is to begin next: a crontab or an interval, by the clock of a time zone. Pure.

import { Cron } from 'croner';
import type { EpochMs } from '../../reading/moments.ts';
import { dayMs, minuteMs } from '../../reading/spans.ts';
import { type CronSchedule, intervalUnits } from '../../store/monitors/cron.ts';

/** What a clock on the wall shows, in milliseconds as if it were UTC. */
type WallMs = number;

/** The times at which a clock that never changes shows what a crontab asks for. */
interface Crontab {
  /** The first such time after `wallMs`; null for never. */
  nextWallMs(wallMs: WallMs): WallMs | null;
  /** True where the minute or the hour begins with `*`: such a job goes by what the clock shows. */
  readonly isWildcard: boolean;
}

/** Offsets of one time zone. */
interface Zone {
  offsetMs(atMs: EpochMs): number;
}

/**
 * The first moment after `afterMs` at which the crontab runs by the clock of `timezone`; null for never.
 * A wildcard job runs whenever the clock shows its time: not in a skipped hour, twice in a repeated one. Any
 * other job runs once for each of its times: right after an hour that is skipped, and in the first of two
 * that are the same. Throws for a text that is no crontab.
 */
export function nextCrontabMs(crontab: string, timezone: string, afterMs: EpochMs): EpochMs | null {
  const read = crontabOf(crontab);
  const zone = zoneOffsets(timezone);
  return read.isWildcard ? nextByClock(read, zone, afterMs) : nextOfFixedTime(read, zone, afterMs);
}

const crontabs = new Map<string, Crontab>();
const crontabsMax = 500;

/** Reading the fields takes longer than finding a time. */
function crontabOf(text: string): Crontab {
  const known = crontabs.get(text);
  if (known !== undefined) return known;
  if (crontabs.size >= crontabsMax) crontabs.clear();
  const read = readCrontab(text);
  crontabs.set(text, read);
  return read;
}

function readCrontab(text: string): Crontab {
  const [minute = '', hour = '', day = '', , weekday = ''] = text.trim().split(/\s+/);
  const begins = (field: string): boolean => field.startsWith('*');
  const isWord = text.startsWith('@');
  const cron = new Cron(text, {
    timezone: 'UTC',
    mode: '5-part',
    // `5/15` is 5-59/15, as cronsim and other crons of today have it.
    sloppyRanges: true,
    // crontab(5): either day field is enough, unless one of them begins with `*`; then both have to match.
    domAndDow: begins(day) || begins(weekday),
  });
  return {
    nextWallMs: (wallMs) => cron.nextRun(new Date(wallMs))?.getTime() ?? null,
    // `@hourly` is `0 * * * *`; the other words name a time of the day.
    isWildcard: isWord ? /^@hourly$/i.test(text) : begins(minute) || begins(hour),
  };
}

function nextByClock(crontab: Crontab, zone: Zone, afterMs: EpochMs): EpochMs | null {
  const offsetMs = zone.offsetMs(afterMs);
  const changeMs = changeBetween(zone, afterMs, afterMs + dayMs);
  let fromWallMs = afterMs + offsetMs;
  let fromMs = afterMs;
  if (changeMs !== null) {
    const before = crontab.nextWallMs(fromWallMs);
    if (before !== null && before - offsetMs < changeMs) return before - offsetMs;
    fromMs = changeMs - 1;
    fromWallMs = fromMs + zone.offsetMs(changeMs);
  }
  for (let wallMs = crontab.nextWallMs(fromWallMs); wallMs !== null; wallMs = crontab.nextWallMs(wallMs)) {
    const found = momentsOf(zone, wallMs).find((each) => each > fromMs);
    if (found !== undefined) return found;
  }
  return null;
}

function nextOfFixedTime(crontab: Crontab, zone: Zone, afterMs: EpochMs): EpochMs | null {
  // The latest time that the clock has shown: what it shows again after being put back is over already.
  const changeMs = changeBetween(zone, afterMs - dayMs, afterMs);
  const beforeChangeMs = changeMs === null ? -Infinity : changeMs - 1 + zone.offsetMs(changeMs - 1);
  const shownMs = Math.max(afterMs + zone.offsetMs(afterMs), beforeChangeMs);
  const wallMs = crontab.nextWallMs(shownMs);
  if (wallMs === null) return null;
  const [first] = momentsOf(zone, wallMs);
  return first ?? changeBetween(zone, wallMs - dayMs, wallMs + dayMs);
}

/** The moments at which the clock shows a time: one, two where it is put back, none where it skips. */
function momentsOf(zone: Zone, wallMs: WallMs): EpochMs[] {
  // No offset is a day, so that these are the offsets before and after any change near the time.
  const offsets = new Set([zone.offsetMs(wallMs - dayMs), zone.offsetMs(wallMs + dayMs)]);
  return [...offsets]
    .map((offsetMs) => ({ atMs: wallMs - offsetMs, offsetMs }))
    .filter(({ atMs, offsetMs }) => offsets.size === 1 || zone.offsetMs(atMs) === offsetMs)
    .map(({ atMs }) => atMs)
    .sort((left, right) => left - right);
}

/** The moment at which the clock is put on or back after `fromMs` and up to `toMs`; null where it is not. */
function changeBetween(zone: Zone, fromMs: EpochMs, toMs: EpochMs): EpochMs | null {
  const before = zone.offsetMs(fromMs);
  if (zone.offsetMs(toMs) === before) return null;
  let [still, changed] = [Math.floor(fromMs / 1000), Math.ceil(toMs / 1000)];
  while (changed - still > 1) {
    const middle = Math.floor((still + changed) / 2);
    if (zone.offsetMs(middle * 1000) === before) still = middle;
    else changed = middle;
  }
  return changed * 1000;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

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
 * does to a crontab is in `schedule.ts`.
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

/** Offsets of a zone from UTC, by the time zone database that Node brings. */
function zoneOffsets(timezone: string): Zone {
  const clock =
    clocks.get(timezone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  clocks.set(timezone, clock);
  return {
    offsetMs(atMs) {
      if (timezone === 'UTC') return 0;
      const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] =
        clock.format(atMs).match(/\d+/g)?.map(Number) ?? [];
      return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
    },
  };
}
