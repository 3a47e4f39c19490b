// Hours in which a channel is told nothing: what comes meanwhile waits and leaves together after them.
import { minuteMs } from '../reading/spans.ts';
import { zoneOf } from '../reading/words/clocks.ts';

interface QuietHours {
  /** Minutes of the day; the end may lie before the beginning, over midnight. */
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly zone: string;
}

const form = /^([01]\d|2[0-3]):([0-5]\d) to ([01]\d|2[0-3]):([0-5]\d)(?: ([A-Za-z0-9_+/-]{1,64}))?$/;

/** Reads `22:00 to 07:00`, which is UTC, or `22:00 to 07:00 Europe/Berlin`; null for anything else. */
export function parseQuietHours(text: string): QuietHours | null {
  const found = form.exec(text);
  if (found === null) return null;
  const [, fromHour, from, toHour, to, zone = 'UTC'] = found;
  const fromMinute = Number(fromHour) * 60 + Number(from);
  const toMinute = Number(toHour) * 60 + Number(to);
  return fromMinute === toMinute || zoneOf(zone) === null ? null : { fromMinute, toMinute, zone };
}

/** Whether a channel with these hours is told nothing at this moment; empty hours are none. */
export function isQuiet(text: string, atMs: number): boolean {
  const hours = text === '' ? null : parseQuietHours(text);
  if (hours === null) return false;
  const { fromMinute, toMinute, zone } = hours;
  const minute = minuteOfDay(atMs, zone);
  return fromMinute < toMinute
    ? minute >= fromMinute && minute < toMinute
    : minute >= fromMinute || minute < toMinute;
}

/** How long what waits for a quiet channel is let alone before it is looked at again. */
const lookAgainMs = 5 * minuteMs;

/**
 * When a channel that is quiet now is to be looked at again: at the end of its hours. In steps, because a
 * clock that is put forward brings the end nearer.
 */
export function quietUntil(text: string, atMs: number): number {
  const hours = parseQuietHours(text);
  if (hours === null) return atMs;
  const left = (hours.toMinute - minuteOfDay(atMs, hours.zone) + 24 * 60) % (24 * 60);
  const endMs = atMs - (atMs % minuteMs) + left * minuteMs;
  return Math.min(endMs, atMs + lookAgainMs);
}

function minuteOfDay(atMs: number, zone: string): number {
  if (zone === 'UTC') return Math.floor(atMs / minuteMs) % (24 * 60);
  const form = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const [hour, minute] = form.format(atMs).split(':').map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
}
