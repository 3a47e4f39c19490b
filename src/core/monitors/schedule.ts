// When a monitor is asked next. Each has its place in its interval, so that many do not come at once. Pure.
import type { EpochMs } from '../reading/moments.ts';

/** The second try of a check that says otherwise than the state. */
const soonPart = 3;
const soonMsMin = 5_000;
/** Multiples of it lie evenly between 0 and 1, however many there are. */
const goldenShare = 0.618_033_988_749_895;

interface Timed {
  readonly id: number;
  readonly intervalMs: number;
}

/** The next of its places behind a check that was sure, half an interval later at least. */
export function nextPlaceMs({ id, intervalMs }: Timed, atMs: EpochMs): EpochMs {
  const offsetMs = Math.floor(((id * goldenShare) % 1) * intervalMs);
  const earliestMs = atMs + intervalMs / 2;
  return Math.ceil((earliestMs - offsetMs) / intervalMs) * intervalMs + offsetMs;
}

/** The second try: after a third of the interval, at least five seconds. */
export function secondTryMs({ intervalMs }: Timed, atMs: EpochMs): EpochMs {
  return atMs + Math.max(soonMsMin, Math.floor(intervalMs / soonPart));
}
