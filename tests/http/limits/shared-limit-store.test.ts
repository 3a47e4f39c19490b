// Counters that threads share: to whoever asks, the same as those of one thread.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { loadConfig } from '../../../src/core/config/config.ts';
import type { LimitStore } from '../../../src/core/ports/limit-store.ts';
import { memoryLimitStore } from '../../../src/http/limits/limit-store.ts';
import { createLimiters } from '../../../src/http/limits/rate-limit.ts';
import { limitBytes, limiterNames, sharedLimitStore } from '../../../src/http/limits/shared-limit-store.ts';
import { runs } from '../../support/test-level.ts';

const windowMs = 1_000;
const seeds = Uint32Array.from([1, 2]);

function twoThreads(now: () => number): LimitStore[] {
  const memory = new SharedArrayBuffer(limitBytes + 64);
  return [0, 1].map(() => sharedLimitStore(memory, 64, seeds, now));
}

describe('a limit of several threads', () => {
  it('admits, owes and ends as that of one', async () => {
    const charge = fc.record({
      thread: fc.nat(1),
      afterMs: fc.constantFrom(0, 1, 400, 1_000, 2_500, -300),
      cost: fc.nat(25),
      keys: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { maxLength: 40 }), async (charges) => {
        let nowMs = 1_790_000_000_000;
        const threads = twoThreads(() => nowMs);
        const one = memoryLimitStore(() => nowMs);
        for (const { thread, afterMs, cost, keys } of charges) {
          nowMs += afterMs;
          const buckets = keys.map((key, index) => ({
            limiter: limiterNames[index] ?? '',
            key,
            limit: 10,
            windowMs,
          }));
          expect(await threads[thread]?.take([{ buckets, cost }])).toEqual(
            await one.take([{ buckets, cost }]),
          );
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('is there for every limiter of the program', async () => {
    const config = loadConfig({}, () => '');
    const asked: string[] = [];
    const store: LimitStore = {
      async take(charges) {
        for (const { buckets } of charges) asked.push(...buckets.map(({ limiter }) => limiter));
        return [];
      },
    };
    const rooms = { of: () => ({ roundMs: 1, bytes: 1 }), askForRound: () => {} };
    const limiters = createLimiters(config.rateLimits, () => 0, { store, rooms });
    const subject = { address: '192.0.2.1', keyId: 1, projectId: 1, resourceId: '1' };
    for (const name of [
      'events',
      'untaken',
      'bytes',
      'untakenBytes',
      'losses',
      'feedback',
      'verify',
      'server',
      'chunks',
      'proofs',
      'checks',
      'open',
      'credentials',
    ] as const) {
      await limiters.consume(name, subject);
    }
    expect(
      new Set([
        ...asked,
        'pages-address',
        'sign-in-address',
        'checks-of-host',
        'checks-of-server',
        'checks-of-project',
      ]),
    ).toEqual(new Set(limiterNames));
    const [thread] = twoThreads(() => 0);
    await expect(
      thread?.take([{ buckets: [{ limiter: 'none', key: '', limit: 1, windowMs }], cost: 1 }]),
    ).rejects.toThrow('There is no limiter called none.');
  });
});
