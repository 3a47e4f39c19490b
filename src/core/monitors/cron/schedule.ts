import { Cron } from 'croner';
import { dayMs, minuteMs } from '../../parsing/durations.ts';
import { zoneOffsetMs } from '../../parsing/format/time-zones.ts';
import type { EpochMs } from '../../parsing/timestamps.ts';
import { type CronSchedule, intervalUnits } from '../../store/monitors.ts';

/** What a local clock shows, as if it were UTC. */
type LocalMs = number;

interface Crontab {
  nextWallMs(wallMs: LocalMs): LocalMs | null;
  /** The minute or hour starts with `*`: such a job follows the local clock. */
  readonly isWildcard: boolean;
}

/** The next run after `afterMs`; null for never. Over a change of the clock wildcard jobs follow the clock; others
 * run once: right after a skipped hour, and in the first of two repeated ones. Throws for an invalid crontab. */
export function nextCrontabRunMs(crontab: string, timezone: string, afterMs: EpochMs): EpochMs | null {
  const read = cachedCrontab(crontab);
  return read.isWildcard
    ? nextWildcardRun(read, timezone, afterMs)
    : nextFixedTimeRun(read, timezone, afterMs);
}

const crontabs = new Map<string, Crontab>();
const crontabsMax = 500;

/** Cached: parsing takes longer than finding a time. */
function cachedCrontab(text: string): Crontab {
  const known = crontabs.get(text);
  if (known !== undefined) return known;
  if (crontabs.size >= crontabsMax) crontabs.clear();
  const read = parseCrontab(text);
  crontabs.set(text, read);
  return read;
}

function parseCrontab(text: string): Crontab {
  const [minute = '', hour = '', day = '', , weekday = ''] = text.trim().split(/\s+/);
  const begins = (field: string): boolean => field.startsWith('*');
  const isWord = text.startsWith('@');
  const cron = new Cron(text, {
    timezone: 'UTC',
    mode: '5-part',
    // `5/15` means 5-59/15, as in cronsim and other current implementations.
    sloppyRanges: true,
    // crontab(5): one matching day field is enough, but if one starts with `*`, both must match.
    domAndDow: begins(day) || begins(weekday),
  });
  return {
    nextWallMs: (wallMs) => cron.nextRun(new Date(wallMs))?.getTime() ?? null,
    // `@hourly` is `0 * * * *`; the other words name a time of the day.
    isWildcard: isWord ? /^@hourly$/i.test(text) : begins(minute) || begins(hour),
  };
}

function nextWildcardRun(crontab: Crontab, zone: string, afterMs: EpochMs): EpochMs | null {
  const offsetMs = zoneOffsetMs(zone, afterMs);
  const changeMs = findOffsetChange(zone, afterMs, afterMs + dayMs);
  let fromWallMs = afterMs + offsetMs;
  let fromMs = afterMs;
  if (changeMs !== null) {
    const before = crontab.nextWallMs(fromWallMs);
    if (before !== null && before - offsetMs < changeMs) return before - offsetMs;
    fromMs = changeMs - 1;
    fromWallMs = fromMs + zoneOffsetMs(zone, changeMs);
  }
  for (let wallMs = crontab.nextWallMs(fromWallMs); wallMs !== null; wallMs = crontab.nextWallMs(wallMs)) {
    const found = momentsOfLocalTime(zone, wallMs).find((each) => each > fromMs);
    if (found !== undefined) return found;
  }
  return null;
}

function nextFixedTimeRun(crontab: Crontab, zone: string, afterMs: EpochMs): EpochMs | null {
  // The latest time shown so far: what the clock shows again after a change back has run already.
  const changeMs = findOffsetChange(zone, afterMs - dayMs, afterMs);
  const beforeChangeMs = changeMs === null ? -Infinity : changeMs - 1 + zoneOffsetMs(zone, changeMs - 1);
  const shownMs = Math.max(afterMs + zoneOffsetMs(zone, afterMs), beforeChangeMs);
  const wallMs = crontab.nextWallMs(shownMs);
  if (wallMs === null) return null;
  const [first] = momentsOfLocalTime(zone, wallMs);
  return first ?? findOffsetChange(zone, wallMs - dayMs, wallMs + dayMs);
}

function momentsOfLocalTime(zone: string, wallMs: LocalMs): EpochMs[] {
  // Offsets are shorter than a day, so these are the ones before and after any change nearby.
  const offsets = new Set([zoneOffsetMs(zone, wallMs - dayMs), zoneOffsetMs(zone, wallMs + dayMs)]);
  return [...offsets]
    .map((offsetMs) => ({ atMs: wallMs - offsetMs, offsetMs }))
    .filter(({ atMs, offsetMs }) => offsets.size === 1 || zoneOffsetMs(zone, atMs) === offsetMs)
    .map(({ atMs }) => atMs)
    .sort((left, right) => left - right);
}

/** The clock's offset, and its next change within about a year. */
export function clockOffsets(
  timezone: string,
  nowMs: EpochMs,
): {
  readonly offsetMs: number;
  readonly change: { readonly atMs: EpochMs; readonly offsetMs: number } | null;
} {
  const offsetMs = zoneOffsetMs(timezone, nowMs);
  for (let days = 0; days < 372; days += 31) {
    const fromMs = nowMs + days * dayMs;
    const atMs = findOffsetChange(timezone, fromMs, fromMs + 31 * dayMs);
    if (atMs !== null) return { offsetMs, change: { atMs, offsetMs: zoneOffsetMs(timezone, atMs) } };
  }
  return { offsetMs, change: null };
}

function findOffsetChange(zone: string, fromMs: EpochMs, toMs: EpochMs): EpochMs | null {
  const before = zoneOffsetMs(zone, fromMs);
  if (zoneOffsetMs(zone, toMs) === before) return null;
  let [unchanged, changed] = [Math.floor(fromMs / 1000), Math.ceil(toMs / 1000)];
  while (changed - unchanged > 1) {
    const middle = Math.floor((unchanged + changed) / 2);
    if (zoneOffsetMs(zone, middle * 1000) === before) unchanged = middle;
    else changed = middle;
  }
  return changed * 1000;
}

const crontabCharactersMax = 100;
const valueMax = 10_000;

/** Five fields or a word such as `@daily`; the library would also accept seconds and years. */
const crontabForm = /^(?:@(?:hourly|daily|midnight|weekly|monthly|yearly|annually)|\S+(?: +\S+){4})$/i;

export function parseSchedule(type: unknown, value: unknown, unit: unknown): CronSchedule | null {
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
    return nextRunMs(schedule, 'UTC', 0) === null ? null : schedule;
  } catch {
    return null;
  }
}

/** Of what `parseSchedule` reads as none: which of the three is wrong, and what is expected of it. */
export function scheduleFault(type: unknown, unit: unknown): string {
  if (type === 'crontab') return 'value must be a crontab that comes, of five fields such as 30 2 * * *.';
  if (type !== 'interval') return 'type must be crontab or interval.';
  return intervalUnits.some((each) => each === unit)
    ? `value must be a whole number from 1 to ${valueMax}.`
    : `unit must be ${intervalUnits.slice(0, -1).join(', ')} or ${intervalUnits.at(-1)}.`;
}

/** Of what somebody wrote: a crontab, or `10 minutes`. Null for what is none. */
export function parseScheduleText(text: string): CronSchedule | null {
  const interval = /^(?:every )?(\d{1,5}) (minute|hour|day|week|month|year)s?$/.exec(text.trim());
  if (interval === null) return parseSchedule('crontab', text, undefined);
  return parseSchedule('interval', Number(interval[1]), interval[2]);
}

export function scheduleText(schedule: CronSchedule): string {
  if (schedule.type === 'crontab') return schedule.value;
  const { value, unit } = schedule;
  return `${value} ${unit}${value === 1 ? '' : 's'}`;
}

export function intervalToNextRunMs(schedule: CronSchedule, timezone: string, afterMs: EpochMs): number {
  const first = nextRunMs(schedule, timezone, afterMs) ?? afterMs;
  return (nextRunMs(schedule, timezone, first) ?? first) - first;
}

export function nextRunMs(schedule: CronSchedule, timezone: string, afterMs: EpochMs): EpochMs | null {
  if (schedule.type === 'interval') return afterInterval(schedule, afterMs);
  return nextCrontabRunMs(schedule.value, timezone, afterMs);
}

const unitMs = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
  week: 7 * 24 * 60 * minuteMs,
} as const;

/** From the last check-in, rounded down to the minute; months and years follow the UTC calendar. */
function afterInterval({ value, unit }: Extract<CronSchedule, { type: 'interval' }>, afterMs: EpochMs) {
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

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const shortWeekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const words: Readonly<Record<string, string>> = {
  '@hourly': 'At the start of every hour',
  '@daily': 'At 00:00, every day',
  '@weekly': 'At 00:00, Sunday',
  '@monthly': 'At 00:00, on day 1 of the month',
  '@yearly': 'At 00:00, on 1 January',
  '@annually': 'At 00:00, on 1 January',
};

/** Null for one that would need a long sentence: its next runs say it better. */
export function describeSchedule(schedule: CronSchedule): string | null {
  if (schedule.type === 'interval') {
    const { value, unit } = schedule;
    return value === 1 ? `Every ${unit}` : `Every ${value} ${unit}s`;
  }
  const word = words[schedule.value.toLowerCase()];
  if (word !== undefined) return word;
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.value.split(' ');
  const time = describeTime(minute, hour);
  const days = month === '*' ? describeDays(day, weekday) : null;
  return time === null || days === null ? null : `${time}${days}`;
}

function describeTime(minute: string, hour: string): string | null {
  const step = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
  if (hour === '*') {
    if (minute === '*') return 'Every minute';
    if (step !== undefined) return step === '1' ? 'Every minute' : `Every ${Number(step)} minutes`;
    return /^\d+$/.test(minute) ? `At minute ${Number(minute)} of every hour` : null;
  }
  if (!/^\d+$/.test(minute) || !/^\d+(?:,\d+){0,3}$/.test(hour)) return null;
  const times = hour.split(',').map((each) => `${each.padStart(2, '0')}:${minute.padStart(2, '0')}`);
  return `At ${joined(times)}`;
}

function describeDays(day: string, weekday: string): string | null {
  if (day === '*' && weekday === '*') return ', every day';
  if (weekday === '*') return /^\d+$/.test(day) ? `, on day ${Number(day)} of the month` : null;
  if (day !== '*') return null;
  const [from, to, ...rest] = weekday.split('-').map(weekdayName);
  if (rest.length === 0 && from && to) return `, ${from} to ${to}`;
  const listed = weekday.split(',').map(weekdayName);
  return listed.every((name) => name !== null) ? `, ${joined(listed)}` : null;
}

function weekdayName(text: string): string | null {
  const at = /^[0-7]$/.test(text) ? Number(text) % 7 : shortWeekdays.indexOf(text.toLowerCase());
  return weekdays[at] ?? null;
}

function joined(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
