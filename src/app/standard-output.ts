// Synchronous standard output for secrets shown once: process.stdout reports EPIPE after they were saved.
import { writeSync } from 'node:fs';

const stdout = 1;
const retryMs = 5_000;
const pauseMs = 10;

/** @throws the system's error (EPIPE, ENOSPC …) */
export function writeStandardOutput(text: string): void {
  let rest = Buffer.from(text);
  for (let waitedMs = 0; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(stdout, rest));
    } catch (error) {
      // A slow terminal; retry.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waitedMs >= retryMs) throw error;
      waitedMs += pauseMs;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
