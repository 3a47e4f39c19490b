// Waiting for what a test cannot be told of: looks every few milliseconds, and leaves the processor to who is
// waited for.
import { setTimeout as sleep } from 'node:timers/promises';

const lookMs = 5;
/** What is waited for has four fifths of the processor at least, however much a look takes. */
const restsOfLook = 4;

/** Resolves once it is so; where it never is, the test's own time limit ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (;;) {
    const begunMs = performance.now();
    if (await isSo()) return;
    await sleep(Math.max(lookMs, restsOfLook * (performance.now() - begunMs)));
  }
}
