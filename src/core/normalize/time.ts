// The time of an event: as its client says it, unless that clock is wrong. No clock here; the time now is
// handed in.
import type { Fields } from '../reading/fields.ts';
import { noText } from '../reading/lenient.ts';
import { formatTimestamp, parseTimestamp } from '../reading/moments.ts';
import { dayMs, minuteMs } from '../reading/spans.ts';

/** An event this far ahead of its arrival has a wrong clock: docs/events.md, "Times". */
const futureTimestampMsMax = minuteMs;
/** Events older than this are dated by their arrival. */
const eventAgeMsMax = 30 * dayMs;
/** Envelopes may wait in a queue for a while; only a longer delay is taken for a slow clock. */
const slowClockMsMin = 55 * minuteMs;

interface ClockReading {
  readonly receivedAtMs: number;
  /** The client's clock when it sent, from the envelope header. */
  readonly sentAtMs?: number | null;
  readonly maxAgeMs?: number;
}

/**
 * The time of an event, RFC 3339 in UTC: as sent, moved by the client's clock drift, or the time of arrival
 * when it is unreadable, more than a minute ahead, or too old. Every correction is noted.
 */
export function readEventTime(event: Fields, name: string, clock: ClockReading): string {
  const receivedMicros = clock.receivedAtMs * 1000;
  const value = event.sent(name);
  if (noText(value)) return formatTimestamp(receivedMicros);
  const sent = parseTimestamp(value);
  if (sent === null) {
    event.note('invalid_data', name, value);
    return formatTimestamp(receivedMicros);
  }
  const drift = clockDriftMs(clock);
  if (drift !== 0) event.note('clock_drift', name, value);
  const micros = sent + drift * 1000;
  if (micros > receivedMicros + futureTimestampMsMax * 1000) {
    event.note('future_timestamp', name, value);
    return formatTimestamp(receivedMicros);
  }
  if (micros < receivedMicros - (clock.maxAgeMs ?? eventAgeMsMax) * 1000) {
    event.note('past_timestamp', name, value);
    return formatTimestamp(receivedMicros);
  }
  return formatTimestamp(micros);
}

function clockDriftMs(clock: ClockReading): number {
  if (clock.sentAtMs === null || clock.sentAtMs === undefined) return 0;
  const drift = clock.receivedAtMs - clock.sentAtMs;
  return drift < -futureTimestampMsMax || drift > slowClockMsMin ? drift : 0;
}
