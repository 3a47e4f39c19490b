// Long work in short turns: a loop over many things lets other requests run whenever it has worked for some
// milliseconds.
import { setImmediate } from 'node:timers/promises';

/** How long a piece of work may keep the event loop to itself, in milliseconds. */
const turnMsMax = 5;

/**
 * Makes a function to be awaited between the steps of a piece of work: it lets the event loop turn when the
 * work has had its time.
 */
export function createPace(clockMs: () => number = () => performance.now()): () => Promise<void> {
  let beganMs = clockMs();
  return async () => {
    if (clockMs() - beganMs < turnMsMax) return;
    await setImmediate();
    beganMs = clockMs();
  };
}
