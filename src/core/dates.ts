// Dates as build servers and test reporters write them, read into milliseconds. Pure; no clock, no local time zone.

/** Last moment taken: the end of the year 9999, which is as far as ISO 8601 with four digits goes. */
const momentMsMax = 253_402_300_799_999;

/** Below this a number is seconds since 1970, from it on milliseconds (it is the year 5138, and March 1973). */
const millisecondsFrom = 100_000_000_000;

const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([Zz]|[+-]\d{2}(?::?\d{2})?))?)?$/;

/**
 * Reads an ISO 8601 date, or a number (also as text) of seconds or milliseconds since 1970; answers integer milliseconds.
 * Null for anything else. The calendar is checked (V8 reads 30 February as 2 March), a time without a zone is UTC (V8 takes
 * local time), up to nine fraction digits are read (sentry-cli writes nine). server-side.md section 1.2.
 */
export function parseMoment(value: unknown): number | null {
  if (typeof value === 'number') {
    return fromNumber(value);
  }
  if (typeof value !== 'string' || value.length > 64) {
    return null;
  }
  const text = value.trim();
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? fromNumber(Number(text)) : fromIso(text);
}

/** ISO 8601 in UTC with milliseconds, as answers carry it; null stays null. */
export function momentText(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}

function fromNumber(value: number): number | null {
  if (!Number.isFinite(value) || value < 0) {
    return null;
  }
  const moment = Math.round(value < millisecondsFrom ? value * 1000 : value);
  return moment <= momentMsMax ? moment : null;
}

function fromIso(text: string): number | null {
  const found = isoDate.exec(text);
  if (found === null) {
    return null;
  }
  const part = (index: number): number => Number(found[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  // Second 60 is a leap second and runs into the next minute.
  if (
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > daysIn(year, month) ||
    hour > 23 ||
    minute > 59 ||
    second > 60
  ) {
    return null;
  }
  const offsetMs = zoneOffsetMs(found[8]);
  if (offsetMs === null) {
    return null;
  }
  const fractionMs = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3));
  const date = new Date(0);
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, fractionMs);
  const moment = date.getTime() - offsetMs;
  return moment >= 0 && moment <= momentMsMax ? moment : null;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

function zoneOffsetMs(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z' || zone === 'z') {
    return 0;
  }
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) {
    return null;
  }
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (hours * 60 + minutes) * 60_000;
}
