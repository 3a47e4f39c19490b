import { createInvalidParamError } from '../errors.ts';

const momentMsMax = 253_402_300_799_999;

/** Smaller numbers are seconds (up to the year 5138), larger ones milliseconds (from March 1973). */
const millisecondsFrom = 100_000_000_000;

const isoDate = new RegExp(
  [
    String.raw`^(\d{4})-(\d{2})-(\d{2})`,
    String.raw`(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?`,
    String.raw`(?: ?([Zz]|UTC|[+-]\d{2}(?::?\d{2})?))?)?$`,
  ].join(''),
);

/** ISO 8601 (up to nine fraction digits, default UTC) or seconds or milliseconds since 1970, also as text; null if
 * invalid or not in 1970 to 9999. Unlike V8 it refuses 30 February; second 60 is the next minute. */
export function parseTime(value: unknown): number | null {
  return readMoment(value)?.epochMs ?? null;
}

/** Null where nothing is given. Throws 400 for what is no date. */
export function readDateParam(field: string, text: string | null | undefined): number | null {
  if (text == null || text === '') return null;
  const atMs = parseTime(text);
  if (atMs !== null) return atMs;
  throw createInvalidParamError({ [field]: `${field} must be a date, for example 2026-12-01T08:00:00Z.` });
}

/** The end of a pause, or null. Throws 400 for a time that is not in the future, or beside `paused: false`. */
export function readPauseEnd(
  {
    paused,
    paused_until: until,
  }: { paused?: boolean | null | undefined; paused_until?: string | null | undefined },
  nowMs: number,
): number | null {
  const untilMs = readDateParam('paused_until', until);
  if (untilMs === null || (paused !== false && untilMs > nowMs)) return untilMs;
  throw createInvalidParamError({ paused_until: 'paused_until must be in the future, and requires paused.' });
}

/** In microseconds. Null for a date without a time, and from June 2255 on (beyond safe integers). */
export function parseMicroseconds(value: unknown): number | null {
  const moment = readMoment(value);
  if (moment === null || moment.isDay) return null;
  const micros = moment.epochMs * 1000 + moment.micros;
  return Number.isSafeInteger(micros) ? micros : null;
}

export function formatTime(moment: number): string;
export function formatTime(moment: number | null): string | null;
export function formatTime(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}

/** `2026-11-21`, in UTC. */
export function formatDate(moment: number): string {
  return formatTime(moment).slice(0, 10);
}

/** RFC 3339 in UTC; six fraction digits if there is a fraction. */
export function formatMicroseconds(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const fraction = micros - seconds * 1e6;
  const text = textOfSeconds(seconds);
  return fraction === 0 ? `${text}Z` : `${text}.${String(fraction).padStart(6, '0')}Z`;
}

/** Cache of the last day: times of an event mostly share it, and `Date` takes ten times as long. */
let lastDay = -1;
let lastDayText = '';

function textOfSeconds(seconds: number): string {
  const day = Math.floor(seconds / daySeconds);
  if (day !== lastDay) {
    lastDayText = new Date(day * daySeconds * 1000).toISOString().slice(0, -13);
    lastDay = day;
  }
  const second = seconds - day * daySeconds;
  const minute = Math.floor(second / 60);
  return `${lastDayText}${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:${twoDigits[second % 60]}`;
}

const daySeconds = 86_400;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

interface Moment {
  readonly epochMs: number;
  readonly micros: number;
  readonly isDay: boolean;
}

function readMoment(value: unknown): Moment | null {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  return /^\d{1,15}(?:\.\d{1,12})?$/.test(text) ? fromNumber(Number(text)) : fromIso(text);
}

/** Split, because a double cannot hold all microseconds up to the year 9999. */
function fromNumber(value: number): Moment | null {
  if (!Number.isFinite(value) || value < 0) return null;
  const isSeconds = value < millisecondsFrom;
  const integerPart = Math.floor(value);
  // Rounded, because decimal fractions are not exact in binary.
  const micros = Math.round((value - integerPart) * (isSeconds ? 1e6 : 1e3));
  return momentOf(integerPart * (isSeconds ? 1000 : 1) + Math.floor(micros / 1000), micros % 1000, false);
}

function fromIso(text: string): Moment | null {
  const found = isoDate.exec(text);
  if (found === null) return null;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const [hour, minute, second] = [Number(found[4] ?? 0), Number(found[5] ?? 0), Number(found[6] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const offsetMs = zoneOffsetMs(found[8]);
  if (offsetMs === null) return null;
  const micros = found[7] === undefined ? 0 : Number(found[7].padEnd(6, '0').slice(0, 6));
  const seconds = daysSince1970(year, month, day) * daySeconds + hour * 3600 + minute * 60 + second;
  const epochMs = seconds * 1000 + Math.floor(micros / 1000);
  return momentOf(epochMs - offsetMs, micros % 1000, found[4] === undefined);
}

/** Gregorian calendar, with years from March to February so that the leap day is the last. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * marchMonth + 2) / 5) + day - 719_469;
}

function momentOf(epochMs: number, micros: number, isDay: boolean): Moment | null {
  return epochMs >= 0 && epochMs <= momentMsMax ? { epochMs, micros, isDay } : null;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (monthDays[month - 1] ?? 0);
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function zoneOffsetMs(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z' || /^(?:z|utc)$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

export type EpochMs = number;
