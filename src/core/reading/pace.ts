// Long work in short turns: whoever goes through many things asks between two of them whether others have
// waited enough.
import { setImmediate } from 'node:timers/promises';

/** Work of one piece that may go on in one turn of the loop, in milliseconds. */
const turnMsMax = 5;

/**
 * A pace for one piece of work: to be awaited between its steps, it lets the loop turn when the time is up.
 */
export function createPace(clockMs: () => number = () => performance.now()): () => Promise<void> {
  let beganMs = clockMs();
  return async () => {
    if (clockMs() - beganMs < turnMsMax) return;
    await setImmediate();
    beganMs = clockMs();
  };
}
