// Long work in short turns: a loop over many things lets other requests run whenever it has worked for some
// milliseconds.
import { setImmediate as immediately } from 'node:timers';
import { setImmediate } from 'node:timers/promises';

/**
 * Makes a function to be awaited between the steps of a piece of work: it lets the event loop turn when the
 * work has had its time, `turnMsMax` milliseconds. Parts of the work that go on side by side share that time:
 * who finds it used up by the others waits for the next turn, in the order of asking.
 */
export function createPace(
  turnMsMax = 5,
  clockMs: () => number = () => performance.now(),
): () => Promise<void> {
  let beganMs = clockMs();
  let isTurning = false;
  const turn = (): void => {
    beganMs = clockMs();
    isTurning = false;
  };
  return async () => {
    while (clockMs() - beganMs >= turnMsMax) {
      if (!isTurning) immediately(turn);
      isTurning = true;
      // Each by itself: what the one before does with its turn is done before the next looks at the clock.
      await setImmediate();
    }
  };
}
