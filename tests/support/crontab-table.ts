// `node tests/support/crontab-table.ts` generates tests/fixtures/crontab/runs.json: run times over two years
// in several time zones, from the rules of crontab(5) and cron(8) of Vixie cron, independently of src.
// - If day of month and day of week are both restricted (do not begin with `*`), either may match.
// - When clocks go forward, jobs of the skipped interval run at once; when they go back, repeated jobs do not
//   run again. Jobs with `*` in minute or hour just follow the new time.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const minuteMs = 60_000;
const fromMs = Date.UTC(2026, 0, 1);
const toMs = Date.UTC(2028, 0, 1);

/** Daylight saving changes at night, at midnight, by 30 minutes or 2 hours; or none. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Asia/Kolkata',
];

const crontabs = [
  '30 2 * * *',
  '0 2,14 * * *',
  '0 1-3 * * *',
  '0 0-6 * * *',
  '30 1-2 * * *',
  '0 1-23/2 * * *',
  '15 1 * * *',
  '45 1 * * *',
  '0,30 0,23 * * *',
  '5-59/20 0-3 * * *',
  '30 0 * * sun',
  '15 23 * * 4,6',
  // Wildcards.
  '0 * * * *',
  '30 */2 * * *',
  '*/15 2 * * *',
  '*/20 0-3 * * *',
  '*/30 23 * * *',
  // Days.
  '0 0 */2 * 1',
  '0 4 8-14 * */7',
  '0 4 1-7 * *',
  '0 0 13 * 5',
  '0 0 1,15 * 3',
  '0 12 * * 1-5',
  '0 0 1-31 * 1',
  '0 0 29 2 *',
  '0 9 *,1 3-10/7 mon',
  '10 3 */10 * */3',
];

interface Field {
  readonly beginsWithStar: boolean;
  readonly values: ReadonlySet<number>;
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function fieldOf(text: string, min: number, max: number): Field {
  const numberOf = (word: string): number =>
    weekdays.includes(word) ? weekdays.indexOf(word) : Number.parseInt(word, 10);
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [first = '', last = first] = range.split('-');
    const [low, high] = range === '*' ? [min, max] : [numberOf(first), numberOf(last)];
    for (let value = low; value <= high; value += Number(step)) values.add(value);
  }
  return { beginsWithStar: text.startsWith('*'), values };
}

function jobOf(crontab: string) {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = crontab.split(' ');
  const of = {
    minute: fieldOf(minute, 0, 59),
    hour: fieldOf(hour, 0, 23),
    day: fieldOf(day, 1, 31),
    month: fieldOf(month, 1, 12),
    weekday: fieldOf(weekday, 0, 7),
  };
  return {
    isWildcard: of.minute.beginsWithStar || of.hour.beginsWithStar,
    /** `shown`: local time in minutes since 1970. */
    matches(shown: number): boolean {
      const at = new Date(shown * minuteMs);
      const isDay = of.day.values.has(at.getUTCDate());
      const weekdayOf = at.getUTCDay();
      const isWeekday = of.weekday.values.has(weekdayOf) || (weekdayOf === 0 && of.weekday.values.has(7));
      const both = of.day.beginsWithStar || of.weekday.beginsWithStar;
      return (
        of.minute.values.has(at.getUTCMinutes()) &&
        of.hour.values.has(at.getUTCHours()) &&
        of.month.values.has(at.getUTCMonth() + 1) &&
        (both ? isDay && isWeekday : isDay || isWeekday)
      );
    },
  };
}

/** Local time in each minute of the two years, as minutes since 1970. */
function shownMinutes(zone: string): Int32Array {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const shown = new Int32Array((toMs - fromMs) / minuteMs);
  for (let index = 0; index < shown.length; index += 1) {
    const text = clock.format(fromMs + index * minuteMs);
    shown[index] = Date.parse(`${text.replace(' ', 'T')}Z`) / minuteMs;
  }
  return shown;
}

/** Like cron's main loop: compares local time with that of the previous minute. */
function runsOf(crontab: string, shown: Int32Array): number[] {
  const job = jobOf(crontab);
  const runs: number[] = [];
  let latest = (shown[0] ?? 0) - 1;
  for (const [index, now] of shown.entries()) {
    const moved = now - latest;
    let isRun = job.isWildcard && job.matches(now);
    if (!job.isWildcard && moved > 0) {
      for (let minute = latest + 1; minute <= now; minute += 1) isRun ||= job.matches(minute);
    }
    latest = Math.max(latest, now);
    if (isRun) runs.push(fromMs + index * minuteMs);
  }
  return runs;
}

const textOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 16);

function tableOf(zone: string) {
  const shown = shownMinutes(zone);
  const changes: number[] = [];
  for (let index = 1; index < shown.length; index += 1) {
    if ((shown[index] ?? 0) - (shown[index - 1] ?? 0) !== 1) changes.push(fromMs + index * minuteMs);
  }
  const near = (atMs: number): boolean => changes.some((each) => Math.abs(each - atMs) <= 12 * 60 * minuteMs);
  return {
    zone,
    changes: changes.map(textOf),
    crontabs: crontabs.map((crontab) => {
      const runs = runsOf(crontab, shown);
      return {
        crontab,
        count: runs.length,
        sha256: createHash('sha256').update(runs.map(textOf).join('\n')).digest('hex'),
        near_changes: runs.filter(near).map(textOf),
      };
    }),
  };
}

const folder = join(import.meta.dirname, '../fixtures/crontab');
mkdirSync(folder, { recursive: true });
const table = { from: textOf(fromMs), to: textOf(toMs), zones: zones.map(tableOf) };
const lines = JSON.stringify(table, null, 1).replaceAll(
  /\[\s+([^[\]{}]*?)\s+\]/g,
  (_all, inner: string) => `[${inner.replaceAll(/\s+/g, ' ')}]`,
);
writeFileSync(join(folder, 'runs.json'), `${lines}\n`);
