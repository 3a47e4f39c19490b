// Times of the day when a channel is not notified; messages wait and are sent together afterwards.
import { minuteMs } from '../parsing/durations.ts';
import { findTimeZone, zoneOffsetMs } from '../parsing/format/time-zones.ts';

const form = /^([01]\d|2[0-3]):([0-5]\d) to ([01]\d|2[0-3]):([0-5]\d)(?: ([A-Za-z0-9_+/-]{1,64}))?$/;

/** `22:00 to 07:00` (UTC) or `22:00 to 07:00 Europe/Berlin`; null if invalid. In minutes of the day: if the end is
 * before the start, the hours go over midnight. */
export function parseQuietHours(text: string) {
  const found = form.exec(text);
  if (found === null) return null;
  const [, fromHour, from, toHour, to, zone = 'UTC'] = found;
  const fromMinute = Number(fromHour) * 60 + Number(from);
  const toMinute = Number(toHour) * 60 + Number(to);
  return fromMinute === toMinute || findTimeZone(zone) === null ? null : { fromMinute, toMinute, zone };
}

export function isInQuietHours(text: string, atMs: number): boolean {
  const hours = text === '' ? null : parseQuietHours(text);
  if (hours === null) return false;
  const { fromMinute, toMinute, zone } = hours;
  const minute = minuteOfDay(atMs, zone);
  return fromMinute < toMinute
    ? minute >= fromMinute && minute < toMinute
    : minute >= fromMinute || minute < toMinute;
}

const recheckMs = 5 * minuteMs;

/** The end of the quiet hours, or five minutes if sooner: daylight saving time can move the end. */
export function nextQuietCheckMs(text: string, atMs: number): number {
  const hours = parseQuietHours(text);
  if (hours === null) return atMs;
  const minutesLeft = (hours.toMinute - minuteOfDay(atMs, hours.zone) + 24 * 60) % (24 * 60);
  const endMs = atMs - (atMs % minuteMs) + minutesLeft * minuteMs;
  return Math.min(endMs, atMs + recheckMs);
}

function minuteOfDay(atMs: number, zone: string): number {
  return Math.floor((atMs + zoneOffsetMs(zone, atMs)) / minuteMs) % (24 * 60);
}
