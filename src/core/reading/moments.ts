// Dates as SDKs, build servers and test reporters write them: one reader, for milliseconds and for
// microseconds. Pure; no clock, no local time zone.

/** Last moment taken: the end of the year 9999, which is as far as ISO 8601 with four digits goes. */
const momentMsMax = 253_402_300_799_999;

/**
 * A smaller number is seconds since 1970, a larger one milliseconds: as seconds this is the year 5138, as
 * milliseconds March 1973.
 */
const millisecondsFrom = 100_000_000_000;

const isoDate = new RegExp(
  [
    String.raw`^(\d{4})-(\d{2})-(\d{2})`,
    String.raw`(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?`,
    String.raw`(?: ?([Zz]|UTC|[+-]\d{2}(?::?\d{2})?))?)?$`,
  ].join(''),
);

/**
 * Reads a moment, or a day alone as its beginning, into whole milliseconds since 1970; null for anything
 * else. What is taken, here and in `parseTimestamp`: ISO 8601 with four digits of year, `T`, `t` or a blank
 * before the time, seconds and up to nine digits of fraction or neither (sentry-cli writes nine), a zone
 * (`Z`, `UTC`, `+01`, `+0100`, `+01:00`) or none, which is UTC (V8 takes local time); or a number of seconds
 * or milliseconds since 1970, also as text. The calendar is checked (V8 reads 30 February as 2 March); second
 * 60 runs into the next minute; digits that do not fit are cut, never rounded up. Nothing before 1970 or
 * after 9999 (D-96).
 */
export function parseMoment(value: unknown): number | null {
  return readMoment(value)?.epochMs ?? null;
}

/**
 * As `parseMoment`, in whole microseconds. Null also for a day alone, which is no moment, and from June 2255
 * on, where a number no longer holds microseconds exactly.
 */
export function parseTimestamp(value: unknown): number | null {
  const moment = readMoment(value);
  if (moment === null || moment.isDay) return null;
  const micros = moment.epochMs * 1000 + moment.micros;
  return Number.isSafeInteger(micros) ? micros : null;
}

/** ISO 8601 in UTC with milliseconds, as answers carry it; null stays null. */
export function momentText(moment: number): string;
export function momentText(moment: number | null): string | null;
export function momentText(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}

/** RFC 3339 in UTC from microseconds; with six fraction digits where there is a fraction. */
export function formatTimestamp(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const fraction = micros - seconds * 1e6;
  const text = textOfSeconds(seconds);
  return fraction === 0 ? `${text}Z` : `${text}.${String(fraction).padStart(6, '0')}Z`;
}

/** The day that was written last: times of one event mostly share it, and a Date takes ten times as long. */
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
  /** What is beyond the whole millisecond, 0 to 999. */
  readonly micros: number;
  /** True where only a day was said. */
  readonly isDay: boolean;
}

function readMoment(value: unknown): Moment | null {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  return /^\d{1,15}(?:\.\d{1,12})?$/.test(text) ? fromNumber(Number(text)) : fromIso(text);
}

/** Whole part and fraction are kept apart: a double cannot hold all microseconds up to the year 9999. */
function fromNumber(value: number): Moment | null {
  if (!Number.isFinite(value) || value < 0) return null;
  const isSeconds = value < millisecondsFrom;
  const whole = Math.floor(value);
  // Rounded, because a fraction of seconds is hardly ever exact in binary.
  const micros = Math.round((value - whole) * (isSeconds ? 1e6 : 1e3));
  return momentOf(whole * (isSeconds ? 1000 : 1) + Math.floor(micros / 1000), micros % 1000, false);
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

/** Of the calendar that is ours today, in years of March to February: a leap day is the last of its year. */
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

/** Milliseconds since 1970, an integer. */
export type EpochMs = number;
