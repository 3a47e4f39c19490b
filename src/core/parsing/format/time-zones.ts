import { createInvalidParamError } from '../../errors.ts';
import { minuteMs } from '../durations.ts';

const nameCharactersMax = 100;

/** The canonical name of a known time zone, or null. */
export function findTimeZone(name: unknown): string | null {
  if (typeof name !== 'string' || name.length > nameCharactersMax) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

export function requireTimeZone(name: string): string {
  const zone = findTimeZone(name);
  if (zone !== null) return zone;
  throw createInvalidParamError({ timezone: 'timezone must be a time zone, for example Europe/Berlin.' });
}

export function formatTimeOfDay(minute: number): string {
  const [hour, rest] = [Math.floor(minute / 60), minute % 60];
  return `${String(hour).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What is added to UTC to get the local time of a zone; whole seconds. */
export function zoneOffsetMs(zone: string, atMs: number): number {
  if (zone === 'UTC') return 0;
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
  clocks.set(zone, clock);
  const fields = new Map(clock.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => fields.get(type) ?? 0;
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(atMs / 1_000) * 1_000;
}

/** The moment at which local clocks show `shownMs`, given as if it were UTC. Skipped times move behind the gap. */
export function momentInZone(zone: string, shownMs: number): number {
  // The offset may differ on the day of a clock change, so it is applied twice.
  const first = shownMs - zoneOffsetMs(zone, shownMs);
  const second = shownMs - zoneOffsetMs(zone, first);
  return zoneOffsetMs(zone, second) === shownMs - second ? second : Math.max(first, second);
}

/** `UTC+01:00`. */
export function formatUtcOffset(zone: string, atMs: number): string {
  const minutes = Math.round(zoneOffsetMs(zone, atMs) / minuteMs);
  return `UTC${minutes < 0 ? '-' : '+'}${formatTimeOfDay(Math.abs(minutes))}`;
}
