import { describe, expect, it } from '@jest/globals';
import { createEvictionCursor } from '../../../src/core/retention/plan.ts';
import { createRemover, nextBatchRows } from '../../../src/core/retention/removal.ts';
import type { Store } from '../../../src/core/store/store.ts';

/** Slices over `events` events of one issue, on a disk that takes so long for each of them. */
async function slicesOver(events: number, msPerRow: (slice: number) => number) {
  const slices: Array<{ rows: number; tookMs: number }> = [];
  let left = events;
  const removeOldest: Store['removeOldest'] = async (_walk, rowsMax, eventsMax) => {
    const rows = Math.min(rowsMax, eventsMax, left);
    left -= rows;
    const tookMs = rows * msPerRow(slices.length);
    slices.push({ rows, tookMs });
    return { events: rows, bytes: rows, rows, done: left === 0, elsewhere: false, tookMs, waitedMs: 0 };
  };
  const remover = createRemover({ removeOldest } as Store, 1, {
    isOver: () => false,
    sleep: async () => {},
    onProgress: () => {},
  });
  const walk = createEvictionCursor({ id: 1, projectId: 1 }, { newest: 0, first: false, releases: false });
  expect(await remover.remove(walk, events)).toEqual({ events, bytes: events });
  return slices;
}

const overlong = (slices: ReadonlyArray<{ tookMs: number }>): number =>
  slices.filter(({ tookMs }) => tookMs > 20).length / slices.length;

describe('slices of retention', () => {
  it.each([0.001, 0.05, 0.5, 3, 18])('stay below 20 ms where a row takes %d ms', async (each) => {
    const slices = await slicesOver(5_000, () => each);
    expect(overlong(slices)).toBeLessThan(0.01);
    // And do not crumble where rows are cheap.
    expect(slices.length).toBeLessThan(5_000 / Math.min(100, Math.max(1, 5 / each)) + 10);
  });

  it('shrink at once when the disk becomes slow, and grow again when it recovers', async () => {
    const slices = await slicesOver(20_000, (slice) => (slice >= 20 && slice < 60 ? 1 : 0.02));
    expect(slices[19]?.rows).toBe(100);
    expect(slices.slice(20).filter(({ tookMs }) => tookMs > 20)).toHaveLength(2);
    expect(slices[59]?.rows).toBeLessThanOrEqual(10);
    expect(slices[66]?.rows).toBe(100);
  });

  it('with few rows do not change the size', () => {
    expect(nextBatchRows(80, { rows: 3, tookMs: 1 })).toBe(80);
    expect(nextBatchRows(80, { rows: 3, tookMs: 40 })).toBe(1);
    expect(nextBatchRows(80, { rows: 80, tookMs: 40 })).toBe(20);
    expect(nextBatchRows(1, { rows: 1, tookMs: 400 })).toBe(1);
  });
});
