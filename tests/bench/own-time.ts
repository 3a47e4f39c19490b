// The clock of this process's main thread without the time that it waited for a processor: others' work on a
// machine is no part of what ours takes.
import { openSync, readSync } from 'node:fs';

/** Linux's count of what the main thread ran and waited, both in nanoseconds; null where there is none. */
const schedule = openedOrNull('/proc/self/schedstat');
const read = Buffer.alloc(128);

/** Milliseconds since the process began, its waiting for a processor left out where the system tells it. */
export function ownMs(): number {
  return untornMs(() => performance.now(), waitedMs);
}

/**
 * What the clock says less what was waited, both of one moment. A thread that has to wait between the two
 * readings would have the wait taken off a time that does not hold it: what it measures then could be less
 * than nothing. So they are read again until nothing was waited between them.
 */
export function untornMs(nowMs: () => number, waitedSoFarMs: () => number): number {
  for (;;) {
    const waited = waitedSoFarMs();
    const now = nowMs();
    if (waitedSoFarMs() === waited) return now - waited;
  }
}

function waitedMs(): number {
  if (schedule === null) return 0;
  const length = readSync(schedule, read, 0, read.length, 0);
  return Number(read.toString('latin1', 0, length).split(' ')[1] ?? 0) / 1e6;
}

function openedOrNull(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}
