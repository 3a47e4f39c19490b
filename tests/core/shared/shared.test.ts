// Counts and turns in memory that threads share. Two views of one memory stand for two threads here; one test
// has real ones.
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sharedTurn } from '../../../src/core/shared/lock.ts';
import { hashName } from '../../../src/core/shared/names.ts';
import { localPlaces, placesOfKind, placesWords, sharedPlaces } from '../../../src/core/shared/places.ts';
import { sharedSum } from '../../../src/core/shared/sum.ts';
import { runs } from '../../support/test-level.ts';

const seeds = Uint32Array.from([12_345, 67_890]);
const words = (count: number) => new Int32Array(new SharedArrayBuffer(count * 4));

describe('places', () => {
  it('are the same for two threads as for one', () => {
    const act = fc.record({
      thread: fc.nat(1),
      name: fc.constantFrom('a', 'b', 'ab', ''),
      takes: fc.boolean(),
      most: fc.constantFrom(1, 3, undefined),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const memory = words(placesWords(4));
        const threads = [sharedPlaces(memory, seeds), sharedPlaces(memory, seeds)];
        const one = localPlaces();
        for (const { thread, name, takes, most } of acts) {
          const shared = threads[thread] as (typeof threads)[number];
          if (takes) {
            expect(shared.take(name, most)).toEqual(one.take(name, most));
          } else if (one.held(name) > 0) {
            shared.leave(name);
            one.leave(name);
          }
          for (const each of ['a', 'b', 'ab', '']) expect(shared.held(each)).toBe(one.held(each));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('let a name in uncounted whose row is full, and count the others on', () => {
    const places = sharedPlaces(words(placesWords(1)), seeds);
    const names = Array.from({ length: 20 }, (_, index) => `name ${index}`);
    for (const name of names) expect(places.take(name)).toEqual({ taken: true, held: 1 });
    expect(names.filter((name) => places.held(name) === 1)).toEqual(names.slice(0, 16));
    for (const name of names) places.leave(name);
    expect(names.map((name) => places.held(name))).toEqual(names.map(() => 0));
  });

  it('of two kinds have nothing to do with each other', () => {
    const places = localPlaces();
    const [live, demo] = [placesOfKind(places, 'live'), placesOfKind(places, 'demo')];
    live.take('x');
    expect([live.held('x'), demo.held('x')]).toEqual([1, 0]);
  });
});

describe('names', () => {
  it('that differ little are different numbers, and never none', () => {
    const all = Array.from({ length: 20_000 }, (_, index) => `10.${index >> 8}.${index & 255}.1`);
    const hashes = all.map((name) => hashName(name, seeds));
    expect(new Set(hashes.map(({ high, low }) => `${high} ${low}`)).size).toBe(all.length);
    expect(hashes.every(({ low }) => low > 0)).toBe(true);
    // Spread over rows: the fullest of 1,000 rows has not five times its share of 20.
    const rows = Map.groupBy(hashes, ({ high }) => high % 1_000);
    expect(Math.max(...[...rows.values()].map(({ length }) => length))).toBeLessThan(100);
  });
});

describe('a turn', () => {
  it('is taken at once where it is free, and by one at a time', async () => {
    const memory = words(2);
    const [first, second] = [sharedTurn(memory, 0), sharedTurn(memory, 0)];
    expect(first.take()).toBe(null);
    const said: string[] = [];
    const waiting = second.take()?.then(() => said.push('second'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual([]);
    first.leave();
    await waiting;
    expect(said).toEqual(['second']);
    second.leave();
    expect(first.take()).toBe(null);
  });

  it('goes to one who has waited for long before it goes to one who comes anew', async () => {
    const memory = words(2);
    const [first, second] = [sharedTurn(memory, 0), sharedTurn(memory, 0)];
    expect(first.take()).toBe(null);
    const waiting = second.take();
    // The second is tired from its first wait on that was too long.
    while (Atomics.load(memory, 1) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    first.leave();
    const again = first.take();
    expect(again).not.toBe(null);
    await waiting;
    second.leave();
    await again;
    expect(Atomics.load(memory, 1)).toBe(0);
  });

  it('keeps threads from each other, and sums of theirs lose nothing', async () => {
    const memory = words(4);
    const lock = new URL('../../../src/core/shared/lock.ts', import.meta.url).href;
    const program = `
      const { workerData: memory } = require('node:worker_threads');
      import(${JSON.stringify(lock)}).then(async ({ sharedTurn }) => {
        const turn = sharedTurn(memory, 0);
        for (let round = 0; round < 300; round += 1) {
          const awaited = turn.take();
          if (awaited !== null) await awaited;
          const before = memory[2];
          await null;
          memory[2] = before + 1;
          turn.leave();
          Atomics.add(memory, 3, 2);
        }
      });`;
    const threads = Array.from({ length: 3 }, () => new Worker(program, { eval: true, workerData: memory }));
    const codes = threads.map((thread) => new Promise((resolve) => thread.once('exit', resolve)));
    expect(await Promise.all(codes)).toEqual([0, 0, 0]);
    expect([memory[2], sharedSum(memory, 3).value()]).toEqual([900, 1_800]);
  });
});
