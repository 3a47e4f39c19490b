// Waiting for what a test cannot be told of: looks every few milliseconds, and leaves the processor to who is
// waited for.
import { setTimeout as sleep } from 'node:timers/promises';

const lookMs = 5;

/** Resolves once it is so; where it never is, the test's own time limit ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(lookMs);
}
