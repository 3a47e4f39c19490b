import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { cachePerTick } from '../../../src/core/parsing/per-tick-cache.ts';

describe('a query that is made once per tick', () => {
  it('is made once for each id, and answered from the cache in the same tick', async () => {
    const asked: number[] = [];
    const answer = cachePerTick(async (id) => {
      asked.push(id);
      return id * 10;
    });
    expect(await Promise.all([answer(1), answer(1), answer(2)])).toEqual([10, 10, 20]);
    expect(answer(1)).toBe(10);
    expect(asked).toEqual([1, 2]);
  });

  it('is made again in the next tick', async () => {
    let version = 1;
    const answer = cachePerTick(async () => version);
    expect(await answer(0)).toBe(1);
    version = 2;
    expect(await answer(0)).toBe(1);
    await setImmediate();
    expect(await answer(0)).toBe(2);
  });

  it('is made again after it failed', async () => {
    let isThere = false;
    const answer = cachePerTick(async () => {
      if (!isThere) throw new Error('no database');
      return true;
    });
    await expect(answer(0)).rejects.toThrow('no database');
    isThere = true;
    await setImmediate();
    expect(await answer(0)).toBe(true);
  });
});
