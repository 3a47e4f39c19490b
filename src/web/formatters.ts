import { dayMs } from '../core/parsing/durations.ts';
import { formatCount, formatDuration } from '../core/parsing/format/numbers.ts';
import { formatUtcOffset, zoneOffsetMs } from '../core/parsing/format/time-zones.ts';
import { html, type VNode } from './el.ts';

export {
  formatCount as count,
  formatCountWithNoun as counted,
  formatDuration as span,
  formatPercent as percent,
} from '../core/parsing/format/numbers.ts';

export function formatCountOrDash(value: number): string {
  return value === 0 ? '–' : formatCount(value);
}

/** `12k`, `3.4k`, `1.2M`. */
export function formatShortCount(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [unit, size] = value < 999_500 ? ['k', 1000] : value < 999_500_000 ? ['M', 1e6] : ['G', 1e9];
  const scaled = value / size;
  return `${scaled < 10 ? Number(scaled.toFixed(1)) : Math.round(scaled)}${unit}`;
}

/** Decimal units: `812 B`, `3.1 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const unitIndex = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const scaled = bytes / 1000 ** unitIndex;
  return `${unitIndex === 0 || scaled >= 100 ? Math.round(scaled) : Number(scaled.toFixed(1))} ${units[unitIndex]}`;
}

/** `12% more than the 7 before`; null if `before` is 0. */
export function formatDifference(now: number, before: number, thanWhat: string): string | null {
  if (before === 0) return null;
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return `as many as ${thanWhat}`;
  return `${formatCount(Math.abs(change))}% ${change > 0 ? 'more' : 'less'} than ${thanWhat}`;
}

// Times of day are in the time zone of the page, calendar days of counts in UTC.

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
function formatFullTime(ms: number): string {
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

export function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

export function untrustedText(text: string): VNode {
  return html`<bdi>${replaceInvisible(text)}</bdi>`;
}

export function untrustedCode(text: string, className?: string): VNode {
  return html`<code class=${className}>${untrustedText(text)}</code>`;
}

/** Control characters become Unicode control pictures or `\x85`. Tabs and newlines stay; CRLF becomes LF. */
export function replaceInvisible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, symbolOf)
    .toWellFormed();
}

function symbolOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x7f) return '␡';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\x${code.toString(16)}`;
}

/** `4 min ago`, updated every minute by page.js. `at` is ISO 8601. */
export function timeAgo(at: string, nowMs: number): VNode {
  const atMs = Date.parse(at);
  return timeElement(at, `${formatAge(nowMs - atMs)} ago`, true);
}

/** `14:26`, `16 Nov`, `16 Nov 2025`. */
export function shortTime(at: string, nowMs: number): VNode {
  return timeElement(at, formatShortTime(Date.parse(at), nowMs), false);
}

/** `21 Nov 2026, 14:34:48 UTC`. */
export function fullTime(at: string): VNode {
  return timeElement(at, formatFullTime(Date.parse(at)), false);
}

export function timeElement(at: string, text: string, isAgo: boolean): VNode {
  return html`<time datetime=${at} title=${formatDateTime(Date.parse(at))} data-ago=${isAgo}>${text}</time>`;
}
