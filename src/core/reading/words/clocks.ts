import { invalidParam } from '../../errors.ts';

const nameCharactersMax = 100;

/** The canonical name of a known time zone, or null. */
export function zoneOf(name: unknown): string | null {
  if (typeof name !== 'string' || name.length > nameCharactersMax) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

export function requireZone(name: string): string {
  const zone = zoneOf(name);
  if (zone !== null) return zone;
  throw invalidParam({ timezone: 'timezone must be a time zone, for example Europe/Berlin.' });
}

export function timeOfDay(minute: number): string {
  const [hour, rest] = [Math.floor(minute / 60), minute % 60];
  return `${String(hour).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
