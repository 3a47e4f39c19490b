import { expect, it } from '@jest/globals';
import { ownMs, untornMs } from './own-time.ts';

/** A clock and a count of waits, where the thread waits 40 ms before the readings of these numbers. */
function machineThatWaits(before: readonly number[]): { now: () => number; waited: () => number } {
  let readings = 0;
  let nowMs = 1_000;
  let waitedMs = 0;
  const turn = (): void => {
    if (before.includes(readings)) {
      nowMs += 40;
      waitedMs += 40;
    }
    readings += 1;
    nowMs += 1;
  };
  return {
    now: () => {
      turn();
      return nowMs;
    },
    waited: () => {
      turn();
      return waitedMs;
    },
  };
}

it('a wait between two readings is neither time of our own nor time that we got back', () => {
  const calm = machineThatWaits([]);
  expect(untornMs(calm.now, calm.waited)).toBe(1_002);
  for (const before of [[0], [1], [2], [0, 1, 2], [2, 4]]) {
    const { now, waited } = machineThatWaits(before);
    const ownSoFarMs = untornMs(now, waited);
    // One for each reading: all that the thread itself took.
    expect([1_002, 1_005, 1_008]).toContain(ownSoFarMs);
  }
});

it('is a clock that goes on', () => {
  const begunMs = ownMs();
  JSON.parse(JSON.stringify(Array.from({ length: 100_000 }, (_none, at) => at)));
  expect(ownMs()).toBeGreaterThan(begunMs);
});
