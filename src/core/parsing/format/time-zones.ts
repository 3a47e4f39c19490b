import { createInvalidParamError } from '../../errors.ts';

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
