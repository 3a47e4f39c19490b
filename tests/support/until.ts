// Waiting for what a test cannot be told of: looks every few milliseconds, and leaves the processor to who is
// waited for.
import { setTimeout as sleep } from 'node:timers/promises';

const lookMs = 5;
/** What is waited for has four fifths of the processor at least, however much a look takes. */
const restsOfLook = 4;
/** Long enough for any machine, and less than Jest's own limit: what never comes is named. */
const limitMs = 120_000;

/**
 * Resolves once it is so. Where it never is, rejects with the text of the question.
 * @param seen what there is instead, for the message.
 */
export async function until(isSo: () => boolean | Promise<boolean>, seen?: () => unknown): Promise<void> {
  const lastMs = performance.now() + limitMs;
  for (;;) {
    const begunMs = performance.now();
    if (await isSo()) return;
    if (begunMs > lastMs) {
      const there = seen === undefined ? '' : `; there is ${JSON.stringify(seen())}`;
      throw new Error(`waited ${limitMs / 1000} s for ${isSo}${there}`);
    }
    await sleep(Math.max(lookMs, restsOfLook * (performance.now() - begunMs)));
  }
}
