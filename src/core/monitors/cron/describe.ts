import type { CronSchedule } from '../../store/monitors/cron.ts';

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
