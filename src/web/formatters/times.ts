// Times of day are in the time zone of the page, calendar days of counts in UTC.
import { dayMs } from '../../core/parsing/durations.ts';
import { formatDuration } from '../../core/parsing/format/numbers.ts';
import { formatUtcOffset, zoneOffsetMs } from '../../core/parsing/format/time-zones.ts';

export { formatDuration as span } from '../../core/parsing/format/numbers.ts';

let zone = 'UTC';

/** Views are synchronous, so no other page is rendered meanwhile. */
export function inTimeZone<Result>(name: string, render: () => Result): Result {
  zone = name;
  try {
    return render();
  } finally {
    zone = 'UTC';
  }
}

export function currentTimeZone(): string {
  return zone;
}

/** Its UTC members are the local ones. */
function localDate(ms: number): Date {
  return new Date(ms + zoneOffsetMs(zone, ms));
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `12 s`, `4 min`, `3 h`, `2 d`. page.js has the same function. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.round(seconds / 60);
  const hours = Math.round(minutes / 60);
  if (seconds < 90) return `${seconds} s`;
  if (minutes < 90) return `${minutes} min`;
  if (hours < 36) return `${hours} h`;
  return `${Math.round(hours / 24)} d`;
}

/** `in 40 s`; `now` once it is due. */
export function dueIn(at: string, nowMs: number, word = 'in'): string {
  const leftMs = Date.parse(at) - nowMs;
  return leftMs < 500 ? 'now' : `${word} ${formatAge(leftMs)}`;
}

/** `21 Nov 2026, 14:34:48 UTC`. */
export function formatDateTime(ms: number): string {
  const date = new Date(ms);
  return `${dayOf(date)} ${date.getUTCFullYear()}, ${timeOf(date)}:${twoDigits(date.getUTCSeconds())} UTC`;
}

/** `21 Nov 2026, 15:34:48`, in UTC with ` UTC`. */
export function formatFullTime(ms: number): string {
  if (zone === 'UTC') return formatDateTime(ms);
  const date = localDate(ms);
  return `${dayOf(date)} ${date.getUTCFullYear()}, ${timeOf(date)}:${twoDigits(date.getUTCSeconds())}`;
}

/** Today `14:26`, this year `16 Nov`, else `16 Nov 2025`. */
export function formatShortTime(ms: number, nowMs: number): string {
  const date = localDate(ms);
  const now = localDate(nowMs);
  if (Math.abs(nowMs - ms) < dayMs && date.getUTCDate() === now.getUTCDate()) return timeOf(date);
  return date.getUTCFullYear() === now.getUTCFullYear()
    ? dayOf(date)
    : `${dayOf(date)} ${date.getUTCFullYear()}`;
}

export function formatDate(ms: number): string {
  const date = new Date(ms);
  return `${dayOf(date)} ${date.getUTCFullYear()}`;
}

/** `2026-11-21 15:35`, as it is typed into fields. */
export function formatLocalMinute(ms: number): string {
  return localDate(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** `Europe/Berlin (UTC+01:00)`. */
export function zoneLabel(name: string, nowMs: number): string {
  return name === 'UTC' ? name : `${name} (${formatUtcOffset(name, nowMs)})`;
}

/** `16 Nov`, of UTC. */
export function formatDay(ms: number): string {
  return dayOf(new Date(ms));
}

export function formatDayAndTime(ms: number): string {
  const date = localDate(ms);
  return `${dayOf(date)}, ${timeOf(date)}`;
}

export function formatTimeOfDay(ms: number): string {
  return timeOf(localDate(ms));
}

/** Time before an event, with a true minus: `−41.2 s`; `0` for the event itself. */
export function formatTimeBefore(ms: number): string {
  if (ms <= 0) return '0';
  return ms < 60_000 ? `−${(ms / 1000).toFixed(1)} s` : `−${formatDuration(ms)}`;
}

function dayOf(date: Date): string {
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

function timeOf(date: Date): string {
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
