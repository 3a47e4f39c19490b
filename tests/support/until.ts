import { setTimeout as sleep } from 'node:timers/promises';

const lookMs = 5;
/** Sleeps four times as long as a check takes, and a tenth of the time that it waited. */
const restsOfLook = 4;
const restOfWait = 0.1;
/** Below Jest's timeout, so that the message says what was missing. */
const limitMs = 120_000;

/** Rejects with the source text of `isSo`. @param seen the actual state, for the message */
export async function until(isSo: () => boolean | Promise<boolean>, seen?: () => unknown): Promise<void> {
  const firstMs = performance.now();
  const lastMs = firstMs + limitMs;
  for (;;) {
    const begunMs = performance.now();
    if (await isSo()) return;
    if (begunMs > lastMs) {
      const there = seen === undefined ? '' : `; there is ${JSON.stringify(seen())}`;
      throw new Error(`waited ${limitMs / 1000} s for ${isSo}${there}`);
    }
    const nowMs = performance.now();
    await sleep(Math.max(lookMs, restsOfLook * (nowMs - begunMs), restOfWait * (nowMs - firstMs)));
  }
}
