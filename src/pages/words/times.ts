// Moments and spans in words, in UTC: one spelling on every page. Pure; the time now is always given.
import { dayMs } from '../../core/reading/spans.ts';
import { span } from '../../core/reading/words/figures.ts';

export { span } from '../../core/reading/words/figures.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** How long ago, or how old: `12 s`, `4 min`, `3 h`, `2 d`. The script of the page says it the same way. */
export function distance(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.round(seconds / 60);
  const hours = Math.round(minutes / 60);
  if (seconds < 90) return `${seconds} s`;
  if (minutes < 90) return `${minutes} min`;
  if (hours < 36) return `${hours} h`;
  return `${Math.round(hours / 24)} d`;
}

/** In full: `21 Nov 2026, 14:34:48 UTC`. */
export function fullMoment(ms: number): string {
  const date = new Date(ms);
  return `${dayOf(date)} ${date.getUTCFullYear()}, ${timeOf(date)}:${two(date.getUTCSeconds())} UTC`;
}

/** As a log says it: today `14:26`, this year `16 Nov`, else `16 Nov 2025`. */
export function shortMoment(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const now = new Date(nowMs);
  if (ms <= nowMs && nowMs - ms < dayMs && date.getUTCDate() === now.getUTCDate()) return timeOf(date);
  return date.getUTCFullYear() === now.getUTCFullYear()
    ? dayOf(date)
    : `${dayOf(date)} ${date.getUTCFullYear()}`;
}

/** The day alone, with its year: `21 Nov 2026`. */
export function dayInFull(ms: number): string {
  const date = new Date(ms);
  return `${dayOf(date)} ${date.getUTCFullYear()}`;
}

/** Day and minute: `21 Nov, 14:34`. */
export function dayAndTime(ms: number): string {
  const date = new Date(ms);
  return `${dayOf(date)}, ${timeOf(date)}`;
}

/** The hour and minute: `14:34`. */
export function timeOfDay(ms: number): string {
  return timeOf(new Date(ms));
}

/** How long before a moment something was, with a true minus: `−41.2 s`; `0` at the moment itself. */
export function timeBefore(ms: number): string {
  if (ms <= 0) return '0';
  return ms < 60_000 ? `−${(ms / 1000).toFixed(1)} s` : `−${span(ms)}`;
}

function dayOf(date: Date): string {
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

function timeOf(date: Date): string {
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
