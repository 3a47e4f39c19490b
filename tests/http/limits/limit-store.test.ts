import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Bucket, ChargeResult, LimitStore } from '../../../src/core/ports/limit-store.ts';
import { createMemoryLimitStore } from '../../../src/http/limits/limit-store.ts';
import { runs } from '../../support/test-level.ts';

const windowMs = 60_000;
let nowMs = 0;
const bucket = (key: string, limit = 10, limiter = 'one'): Bucket => ({ limiter, key, limit, windowMs });

async function take(store: LimitStore, cost: number, ...buckets: Bucket[]): Promise<ChargeResult> {
  const [taken] = await store.take([{ buckets, cost }]);
  if (taken === undefined) throw new Error('no answer');
  return taken;
}

function storeAt(startMs: number, countersMax?: number): LimitStore {
  nowMs = startMs;
  return createMemoryLimitStore(() => nowMs, countersMax);
}

describe('a window', () => {
  it('begins with the first charge', async () => {
    const store = storeAt(5);
    expect(await take(store, 0, bucket('a'))).toEqual({
      admitted: true,
      levels: [{ left: 10, resetMs: windowMs }],
    });
    nowMs = 1_000;
    expect((await take(store, 4, bucket('a'))).levels).toEqual([{ left: 6, resetMs: windowMs }]);
    nowMs = 31_000;
    expect((await take(store, 4, bucket('a'))).levels).toEqual([{ left: 2, resetMs: 30_000 }]);
    nowMs = 61_000;
    expect((await take(store, 0, bucket('a'))).levels).toEqual([{ left: 10, resetMs: windowMs }]);
  });

  it.each([8_001.096, 10_001.37])('that begins at %d ms has its full length', async (startMs) => {
    const store = storeAt(startMs);
    for (let time = 0; time < 2; time += 1) {
      expect((await take(store, 4, bucket('a'))).levels[0]?.resetMs).toBe(windowMs);
    }
  });

  it('is never longer than its length, whatever the clock does', async () => {
    const store = storeAt(10_000_000);
    await take(store, 10, bucket('a'));
    expect((await take(store, 1, bucket('a'))).admitted).toBe(false);
    nowMs -= 3_600_000;
    expect((await take(store, 10, bucket('a'))).admitted).toBe(true);
    nowMs += windowMs;
    expect((await take(store, 1, bucket('a'))).admitted).toBe(true);
  });

  it('says exactly when it resets, and refuses nobody for more than two windows', async () => {
    const costs = fc.array(fc.record({ cost: fc.integer({ min: 1, max: 60 }), afterMs: fc.nat(90_000) }), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(costs, fc.integer({ min: 1, max: 20 }), async (asked, limit) => {
        const store = storeAt(0);
        let refusedSinceMs: number | null = null;
        for (const { cost, afterMs } of asked) {
          nowMs += afterMs;
          const { admitted, levels } = await take(store, cost, bucket('a', limit));
          const { left = -1, resetMs = -1 } = levels[0] ?? {};
          if (admitted) {
            refusedSinceMs = null;
          } else {
            refusedSinceMs ??= nowMs;
            // What it says is when it is free again, and that is within two windows.
            expect([left, resetMs > 0, resetMs <= 2 * windowMs]).toEqual([0, true, true]);
            expect(nowMs - refusedSinceMs).toBeLessThan(2 * windowMs);
            const free = nowMs + resetMs;
            const before = nowMs;
            nowMs = free - 1;
            expect((await take(store, 0, bucket('a', limit))).admitted).toBe(false);
            nowMs = free;
            expect((await take(store, 0, bucket('a', limit))).admitted).toBe(true);
            nowMs = before;
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('several buckets of one request', () => {
  it('are all left uncharged when one refuses', async () => {
    const store = storeAt(0);
    const [small, large] = [bucket('a', 1), bucket('b', 10, 'two')];
    expect((await take(store, 1, small, large)).admitted).toBe(true);
    for (let times = 0; times < 5; times += 1) {
      const refused = await take(store, 1, small, large);
      expect([refused.admitted, refused.levels.map(({ left }) => left)]).toEqual([false, [0, 9]]);
    }
    expect((await take(store, 0, large)).levels[0]?.left).toBe(9);
  });

  it('in separate charges of one call answer independently', async () => {
    const store = storeAt(0);
    await take(store, 10, bucket('full'));
    const [full, free] = await store.take([
      { buckets: [bucket('full')], cost: 1 },
      { buckets: [bucket('free')], cost: 3 },
    ]);
    expect([full?.admitted, free?.admitted, free?.levels[0]?.left]).toEqual([false, true, 7]);
  });

  it('give the last unit to one of a thousand concurrent requests', async () => {
    const store = storeAt(0);
    await take(store, 9, bucket('a'));
    const answers = await Promise.all(Array.from({ length: 1000 }, () => take(store, 1, bucket('a'))));
    expect(answers.filter(({ admitted }) => admitted)).toHaveLength(1);
  });
});

describe('the number of counters', () => {
  it('is bounded for each limiter: the one whose window began first goes', async () => {
    const store = storeAt(0, 3);
    const come = async (key: string, limiter?: string) =>
      (await take(store, 1, bucket(key, 1, limiter))).admitted;
    expect(await come('a')).toBe(true);
    for (const key of ['b', 'c']) expect(await come(key)).toBe(true);
    expect(await come('x', 'another')).toBe(true);
    expect(await come('a')).toBe(false);
    expect(await come('d')).toBe(true);
    expect([await come('b'), await come('c'), await come('d')]).toEqual([false, false, false]);
    expect(await come('a')).toBe(true);
  });

  it('does not grow by zero-cost or refused requests', async () => {
    const store = storeAt(0, 2);
    await take(store, 10, bucket('a'));
    for (let index = 0; index < 100; index += 1) await take(store, 0, bucket(`asks ${index}`));
    for (let index = 0; index < 100; index += 1) await take(store, 1, bucket('a'), bucket(`with a ${index}`));
    expect((await take(store, 1, bucket('a'))).admitted).toBe(false);
  });

  it('a renewed window counts as the newest, also when it begins with a debt', async () => {
    const store = storeAt(0, 2);
    await take(store, 15, bucket('owes'));
    nowMs = 30_000;
    await take(store, 10, bucket('young'));
    nowMs = 60_000;
    expect((await take(store, 1, bucket('owes'))).levels).toEqual([{ left: 4, resetMs: windowMs }]);
    await take(store, 1, bucket('new'));
    expect((await take(store, 0, bucket('owes'))).levels[0]?.left).toBe(4);
    expect((await take(store, 0, bucket('young'))).levels[0]?.left).toBe(10);
  });
});

describe('a share of a bucket', () => {
  const whole = bucket('all', 20);
  const shareOf = (address: string): Bucket => ({ ...bucket(address, 2, 'share'), isShare: true });
  const admitted = async (store: LimitStore, address: string, times: number): Promise<number> => {
    let count = 0;
    for (let time = 0; time < times; time += 1) {
      count += Number((await take(store, 1, whole, shareOf(address))).admitted);
    }
    return count;
  };

  it('applies once three quarters of the bucket are used', async () => {
    const store = storeAt(0);
    expect(await admitted(store, 'a', 20)).toBe(15);
    expect([await admitted(store, 'b', 5), await admitted(store, 'c', 5)]).toEqual([2, 2]);
    // What is refused uses up nothing, and whoever comes first has the last one.
    expect([await admitted(store, 'd', 5), await admitted(store, 'e', 5)]).toEqual([1, 0]);
  });

  it('is shown as used up only when it refuses, and carries no debt over', async () => {
    const store = storeAt(0);
    for (let time = 1; time < 15; time += 1) {
      const { levels } = await take(store, 1, whole, shareOf('a'));
      expect(levels[1]).toEqual({ left: 2, resetMs: windowMs });
    }
    expect((await take(store, 1, whole, shareOf('a'))).admitted).toBe(true);
    nowMs = 10_000;
    expect(await take(store, 1, whole, shareOf('a'))).toEqual({
      admitted: false,
      levels: [
        { left: 5, resetMs: 50_000 },
        { left: 0, resetMs: 50_000 },
      ],
    });
    nowMs = windowMs;
    expect(await admitted(store, 'a', 20)).toBe(15);
  });
});
