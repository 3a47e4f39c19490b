import { describe, expect, it } from '@jest/globals';
import { type AbortNotice, createConcurrencyLimit } from '../../src/core/concurrency-limit.ts';

const refusal = (): Error => new Error('refused');

function held(): { promise: Promise<void>; end(): void; fail(): void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { promise, end: resolve, fail: () => reject(new Error('failed')) };
}

function leaver(): AbortNotice & { leave(): void; listeners: Set<(reason: Error) => void> } {
  const listeners = new Set<(reason: Error) => void>();
  return {
    listeners,
    onLeave(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    leave() {
      for (const listener of listeners) listener(new Error('gone'));
    },
  };
}

describe('fair-share slots', () => {
  it('are limited at once, given in order of arrival, and free again in the end', async () => {
    const turns = createConcurrencyLimit({ atOnceMax: 2, waitingMax: 10, refusal });
    const order: number[] = [];
    const jobs = [held(), held(), held(), held()];
    const all = jobs.map((job, index) =>
      turns.run(async () => {
        order.push(index);
        await job.promise;
      }),
    );
    expect([turns.running, turns.waiting, order]).toEqual([2, 2, [0, 1]]);
    jobs[1]?.end();
    await all[1];
    expect([turns.running, turns.waiting, order]).toEqual([2, 1, [0, 1, 2]]);
    for (const job of jobs) job.end();
    await Promise.all(all);
    expect([turns.running, turns.waiting, order]).toEqual([0, 0, [0, 1, 2, 3]]);
  });

  it('are released by a job that fails, at once or later', async () => {
    const turns = createConcurrencyLimit({ atOnceMax: 1, waitingMax: 10, refusal });
    const late = held();
    const first = turns.run(() => late.promise);
    const second = turns.run(() => {
      throw new Error('at once');
    });
    late.fail();
    await expect(first).rejects.toThrow('failed');
    await expect(second).rejects.toThrow('at once');
    expect(await turns.run(async () => 'free')).toBe('free');
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });

  it('are refused beyond the queue limit, and after the maximum wait', async () => {
    const turns = createConcurrencyLimit({ atOnceMax: 1, waitingMax: 1, waitMsMax: 5, refusal });
    const job = held();
    const first = turns.run(() => job.promise);
    const second = turns.run(async () => 'never');
    await expect(turns.run(async () => 'never')).rejects.toThrow('refused');
    await expect(second).rejects.toThrow('refused');
    job.end();
    await first;
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });

  it('are not kept for a job aborted while waiting, nor taken from a running one', async () => {
    const turns = createConcurrencyLimit({ atOnceMax: 1, waitingMax: 10, refusal });
    const job = held();
    const [worker, waiter] = [leaver(), leaver()];
    const first = turns.run(() => job.promise, worker);
    const second = turns.run(async () => 'never', waiter);
    const third = turns.run(async () => 'third');
    worker.leave();
    waiter.leave();
    await expect(second).rejects.toThrow('gone');
    expect(turns.waiting).toBe(1);
    job.end();
    await first;
    expect(await third).toBe('third');
    expect([turns.running, turns.waiting, waiter.listeners.size]).toEqual([0, 0, 0]);
  });
});
