// Moments and spans in words, in UTC: one spelling on every page. Pure; the time now is always given.
import { dayMs, hourMs, minuteMs } from '../../core/reading/spans.ts';

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

/** A length in its two largest units: `37 min`, `2 h 10 min`, `3 d 4 h`, `840 ms`. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const units: ReadonlyArray<readonly [string, number]> = [
    ['d', dayMs],
    ['h', hourMs],
    ['min', minuteMs],
    ['s', 1000],
  ];
  const at = units.findIndex(([, length]) => ms >= length);
  const [unit = 's', length = 1000] = units[at] ?? [];
  const [nextUnit, nextLength] = units[at + 1] ?? [null, 1];
  const larger = Math.floor(ms / length);
  const rest = Math.floor((ms - larger * length) / nextLength);
  return nextUnit === null || rest === 0 ? `${larger} ${unit}` : `${larger} ${unit} ${rest} ${nextUnit}`;
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
