// Times as SDKs write them: RFC 3339 text or seconds, to the microsecond. No clock here; the time now is handed in.
import type { EventError } from '../../schemas/event.ts';
import { note } from './lenient.ts';

/** An event this far ahead of its arrival has a wrong clock (ingestion.md section 1.2). */
const futureTimestampMsMax = 60_000;
/** Events older than this are dated by their arrival. */
const eventAgeMsMax = 30 * 24 * 3600 * 1000;
/** Envelopes may wait in a queue for a while; only a longer delay is taken for a slow clock. */
const slowClockMsMin = 55 * 60_000;

const secondsMax = 1e11;
const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d{0,20})?\s?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?$/;

/** Microseconds since 1970 from RFC 3339 text (no zone means UTC) or a number of seconds; null for all else. */
export function parseTimestamp(value: unknown): number | null {
  if (typeof value === 'number') return secondsToMicros(value);
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  if (/^\d{1,12}(?:\.\d{1,12})?$/.test(text)) return secondsToMicros(Number(text));
  const match = rfc3339.exec(text);
  return match === null ? null : microsOf(match);
}

function secondsToMicros(seconds: number): number | null {
  return Number.isFinite(seconds) && Math.abs(seconds) < secondsMax ? Math.round(seconds * 1e6) : null;
}

function microsOf(match: RegExpExecArray): number | null {
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const monthDays = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > monthDays) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A leap second is the last one of its minute: no clock of ours can hold 60.
  date.setUTCHours(hour, minute, Math.min(second, 59));
  const micros = Number((match[7] ?? '').padEnd(6, '0').slice(0, 6));
  const zone = zoneMinutes(match[8]);
  return zone === null ? null : (date.getTime() - zone * 60_000) * 1000 + micros;
}

function zoneMinutes(zone: string | undefined): number | null {
  if (zone === undefined || /^(?:z|utc)$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** RFC 3339 in UTC; with six fraction digits where there is a fraction. */
export function formatTimestamp(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const fraction = micros - seconds * 1e6;
  const text = new Date(seconds * 1000).toISOString().slice(0, -5);
  return fraction === 0 ? `${text}Z` : `${text}.${String(fraction).padStart(6, '0')}Z`;
}

export interface ClockReading {
  readonly receivedAtMs: number;
  /** The client's clock when it sent, from the envelope header. */
  readonly sentAtMs?: number | null;
  readonly maxAgeMs?: number;
}

/**
 * The time of an event, RFC 3339 in UTC: as sent, moved by the client's clock drift, or the time of arrival when it is
 * unreadable, more than a minute ahead, or too old. Every correction is noted under `timestamp`.
 */
export function readEventTime(value: unknown, clock: ClockReading, errors: EventError[]): string {
  const receivedMicros = clock.receivedAtMs * 1000;
  if (value === null || value === undefined) return formatTimestamp(receivedMicros);
  const sent = parseTimestamp(value);
  if (sent === null) {
    note(errors, 'invalid_data', 'timestamp', value);
    return formatTimestamp(receivedMicros);
  }
  const drift = clockDriftMs(clock);
  if (drift !== 0) note(errors, 'clock_drift', 'timestamp', value);
  const micros = sent + drift * 1000;
  if (micros > receivedMicros + futureTimestampMsMax * 1000) {
    note(errors, 'future_timestamp', 'timestamp', value);
    return formatTimestamp(receivedMicros);
  }
  if (micros < receivedMicros - (clock.maxAgeMs ?? eventAgeMsMax) * 1000) {
    note(errors, 'past_timestamp', 'timestamp', value);
    return formatTimestamp(receivedMicros);
  }
  return formatTimestamp(micros);
}

function clockDriftMs(clock: ClockReading): number {
  if (clock.sentAtMs === null || clock.sentAtMs === undefined) return 0;
  const drift = clock.receivedAtMs - clock.sentAtMs;
  return drift < -futureTimestampMsMax || drift > slowClockMsMin ? drift : 0;
}
