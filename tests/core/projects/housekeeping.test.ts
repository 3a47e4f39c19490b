import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import { type CleanupJob, startHousekeeping } from '../../../src/core/projects/housekeeping.ts';

const hourMs = 3_600_000;

describe('housekeeping', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function started(
    sweep: (nowMs: number, isOver?: () => boolean) => Promise<number>,
    others: Record<string, CleanupJob> = {},
  ) {
    const logged: string[] = [];
    const note = (fields: object, message: string): void => {
      logged.push(`${message} ${JSON.stringify(fields)}`);
    };
    const store = { sweep, listEndingProjects: async () => [] };
    const deps = { store, log: { ...silentLog, info: note, warn: note }, now: () => 7 };
    const housekeeping = startHousekeeping(
      deps as unknown as Parameters<typeof startHousekeeping>[0],
      others,
    );
    return { housekeeping, logged };
  }

  it('runs at once and every hour, never twice at a time', async () => {
    const rounds: Array<() => void> = [];
    const { housekeeping } = started(() => new Promise((resolve) => rounds.push(() => resolve(0))));
    await jest.advanceTimersByTimeAsync(0);
    expect(rounds).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(2 * hourMs);
    expect(rounds).toHaveLength(1);
    rounds[0]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(rounds).toHaveLength(2);
    rounds[1]?.();
    await jest.advanceTimersByTimeAsync(0);
    rounds[2]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(rounds).toHaveLength(3);
    await housekeeping.stop();
  });

  it('goes on after a part that failed, and logs what was deleted', async () => {
    const { housekeeping, logged } = started(async () => 3, {
      folders: () => Promise.reject(new Error('no')),
      more: async () => 0,
    });
    await jest.advanceTimersByTimeAsync(0);
    await housekeeping.stop();
    expect(logged).toEqual([
      'could not be cleaned up {"what":"folders","error":"Error: no"}',
      'cleaned up {"what":"rows","removed":3}',
    ]);
  });

  it('stops when asked to, and logs nothing about a closed store', async () => {
    let asked: () => boolean = () => false;
    let fail: (error: Error) => void = () => {};
    const { housekeeping, logged } = started((_nowMs, isOver = () => false) => {
      asked = isOver;
      return new Promise((_resolve, reject) => {
        fail = reject;
      });
    });
    await jest.advanceTimersByTimeAsync(0);
    expect(asked()).toBe(false);
    const ended = housekeeping.stop();
    expect(asked()).toBe(true);
    fail(new Error('The store is closed.'));
    await ended;
    await jest.advanceTimersByTimeAsync(3 * hourMs);
    expect(logged).toEqual([]);
  });
});
