import { describe, expect, it } from '@jest/globals';
import { batchPerTick, createBatchQueue, type OffloadResult } from '../../src/core/batch-queue.ts';

function aTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('work batched per tick', () => {
  it('runs each stage for the whole batch before the next stage', async () => {
    const done: string[] = [];
    const begin = batchPerTick<number>((number) => {
      void (async () => {
        done.push(`read ${number}`);
        await null;
        done.push(`group ${number}`);
        await null;
        done.push(`file ${number}`);
      })();
    });
    for (const number of [1, 2, 3]) begin(number);
    expect(done).toEqual([]);
    await aTurn();
    expect(done).toEqual(['read', 'group', 'file'].flatMap((stage) => [1, 2, 3].map((n) => `${stage} ${n}`)));
  });

  it('starts what arrives meanwhile in the next tick', async () => {
    const done: number[] = [];
    const begin = batchPerTick<number>((number) => {
      done.push(number);
      if (number < 3) begin(number + 1);
    });
    begin(1);
    await aTurn();
    expect(done).toEqual([1]);
    await aTurn();
    expect(done).toEqual([1, 2]);
  });
});

function comersOf(gate: ReturnType<typeof createBatchQueue>) {
  const done: number[] = [];
  return {
    done,
    come(number: number, weight: number): void {
      void gate.pass(weight).then(() => done.push(number));
    },
  };
}

describe('a batch queue', () => {
  it('passes jobs in order, up to its weight limit for each tick', async () => {
    const gate = createBatchQueue(10);
    const { done, come } = comersOf(gate);
    for (let number = 1; number <= 12; number += 1) come(number, 2);
    await aTurn();
    expect(done).toEqual([1, 2, 3, 4, 5]);
    come(13, 2);
    await aTurn();
    expect(done).toHaveLength(10);
    await aTurn();
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  it('passes an oversized job alone, and reports the waiting weight', async () => {
    const gate = createBatchQueue(10);
    const { done, come } = comersOf(gate);
    come(1, 1_000);
    come(2, 1);
    expect(gate.waiting).toBe(1_001);
    await aTurn();
    expect([done, gate.waiting]).toEqual([[1], 1]);
    await aTurn();
    expect([done, gate.waiting]).toEqual([[1, 2], 0]);
  });

  it('offloads the first waiting job that can be, each time another arrives', async () => {
    const gate = createBatchQueue(30);
    const done: string[] = [];
    let room = 0;
    let asked = 0;
    const come = (name: string, elsewhere?: () => OffloadResult): void =>
      void gate.pass(10, elsewhere).then(() => done.push(name));
    const ifRoom = (): OffloadResult => {
      asked += 1;
      if (room === 0) return 'not now';
      room -= 1;
      return 'gone';
    };
    let neverAsked = 0;
    const never = (): OffloadResult => {
      neverAsked += 1;
      return 'never';
    };
    come('here');
    come('never', never);
    come('first', ifRoom);
    come('second', ifRoom);
    expect([gate.waiting, asked, neverAsked]).toEqual([40, 2, 1]);
    room = 1;
    come('third', ifRoom);
    expect([gate.waiting, asked, neverAsked]).toEqual([40, 3, 1]);
    await null;
    await null;
    expect(done).toEqual(['first']);
    await aTurn();
    await aTurn();
    expect(done).toEqual(['first', 'here', 'never', 'second', 'third']);
    expect(gate.waiting).toBe(0);
  });

  it('passes jobs again after all waiting ones were offloaded', async () => {
    const gate = createBatchQueue(10);
    await gate.pass(10, () => 'gone');
    await aTurn();
    await gate.pass(10);
    expect(gate.waiting).toBe(0);
  });
});
