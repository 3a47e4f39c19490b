// Standard output for what is shown once: written when `write` returns, or thrown. process.stdout tells of a
// reader that is gone only later, when the keys that it should have shown are kept.
import { writeSync } from 'node:fs';

const stdout = 1;
const patienceMs = 5_000;
const pauseMs = 10;

/** Writes the whole text to standard output. Throws the system's error (EPIPE, ENOSPC …) where it cannot. */
export function writeStandardOutput(text: string): void {
  let rest = Buffer.from(text);
  for (let waitedMs = 0; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(stdout, rest));
    } catch (error) {
      // A terminal that is busy or held; it takes more in a moment.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waitedMs >= patienceMs) throw error;
      waitedMs += pauseMs;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
