// Dates as WordPress's REST API reads them (`rest_parse_date`).

const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2})(?::(\d{2}))?)?\n?$/;

/**
 * The Unix time in seconds of an RFC 3339 date, or null where WordPress says it is none. Without a zone it is
 * UTC. As PHP reads it, days and months that do not exist roll over (31 February, month 00), 24 o'clock and
 * second 60 pass, fractions are dropped (the limits of each field were measured on PHP 8.2).
 * @param forceUtc takes the zone for +00:00
 */
export function parseDate(text: string, forceUtc = false): number | null {
  const match = dateTime.exec(forceUtc ? text.replace(/[+-]\d+:?\d+\n?$/, '+00:00') : text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, sign, zoneHour, zoneMinute] = match.map(Number);
  const inRange = isAtMost(month, 12) && isAtMost(day, 31) && isAtMost(hour, 24) && isAtMost(minute, 59);
  if (!inRange || !isAtMost(second, 60)) return null;
  const hasZoneMinute = match[9] !== undefined;
  if (hasZoneMinute && !(isAtMost(zoneHour, 24) && isAtMost(zoneMinute, 59))) return null;
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 for the twentieth century.
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day ?? 0);
  date.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0);
  if (Number.isNaN(sign) && match[7] === undefined) return date.getTime() / 1_000;
  const offset = (zoneHour ?? 0) * 3_600 + (hasZoneMinute ? (zoneMinute ?? 0) * 60 : 0);
  return date.getTime() / 1_000 + (match[7] === '-' ? offset : -offset);
}

function isAtMost(field: number | undefined, most: number): boolean {
  return field !== undefined && field <= most;
}
