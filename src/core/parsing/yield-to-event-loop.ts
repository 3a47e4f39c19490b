import { setImmediate as immediately } from 'node:timers';
import { setImmediate } from 'node:timers/promises';

/** Await the returned function between steps; it yields after `busyMsMax` ms. Concurrent parts take turns. */
export function createYielder(
  busyMsMax = 5,
  clockMs: () => number = () => performance.now(),
): () => Promise<void> {
  let beganMs = clockMs();
  let isTurning = false;
  const turn = (): void => {
    beganMs = clockMs();
    isTurning = false;
  };
  return async () => {
    while (clockMs() - beganMs >= busyMsMax) {
      if (!isTurning) immediately(turn);
      isTurning = true;
      // One tick each, so that the next one sees the time that the previous one used.
      await setImmediate();
    }
  };
}
