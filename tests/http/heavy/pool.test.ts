// Threads that die, hang and lie: whoever waits for one is told, and the next finds a thread again.
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openPool, type Pool, ThreadLost, type Work } from '../../../src/http/threads/pool.ts';

const pools: Pool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

class Refused extends Error {}

/** A pool of threads that do what the task says. */
function open(limits: { waitingMax?: number; taskMsMax?: number } = {}): Pool {
  const code = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ word, bytes }) => {
      if (word === 'echo') parentPort.postMessage({ answer: bytes ? bytes.byteLength : word });
      if (word === 'leave') process.exit(0);
      if (word === 'throw') throw new Error('by itself');
      if (word === 'fill') throw Object.assign(new Error(), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
      if (word === 'spin') for (;;) {}
    });`;
  const { waitingMax = 8, taskMsMax = 20_000 } = limits;
  const pool = openPool({
    threadsMax: 1,
    waitingMax,
    waitMsMax: 20_000,
    taskMsMax,
    start: () => new Worker(code, { eval: true }),
    refusal: () => new Refused(),
  });
  pools.push(pool);
  return pool;
}

const echo = { word: 'echo' };
const task = (words: unknown) => (): Work => ({ task: words, transfer: [] });

describe('G8: threads for heavy bodies', () => {
  it('answer one task after another, and take memory over', async () => {
    const pool = open();
    const bytes = new Uint8Array(1000);
    expect(await pool.run(() => ({ task: { ...echo, bytes }, transfer: [bytes.buffer] }))).toEqual({
      answer: 1000,
    });
    expect(bytes.byteLength).toBe(0);
    expect(await Promise.all([pool.run(task(echo)), pool.run(task(echo))])).toHaveLength(2);
  });

  it.each([
    ['ends without a word', 'leave', 'Error'],
    ['fails', 'throw', 'Error'],
    ['needs too much memory', 'fill', 'ThreadLost'],
  ])('a thread that %s rejects its task alone', async (_name, word, name) => {
    const pool = open();
    const lost = pool.run(task({ word }));
    const next = pool.run(task(echo));
    await expect(lost).rejects.toMatchObject({ name });
    expect(await next).toEqual({ answer: 'echo' });
  });

  it('a task that takes too long costs the thread its life, and nobody else anything', async () => {
    const pool = open({ taskMsMax: 300 });
    const lost = pool.run(task({ word: 'spin' }));
    await expect(lost).rejects.toBeInstanceOf(ThreadLost);
    // On a busy machine the next thread may take too long to begin: then another one does it.
    const echoed = async (): Promise<unknown> => {
      try {
        return await pool.run(task(echo));
      } catch (error) {
        if (error instanceof ThreadLost) return echoed();
        throw error;
      }
    };
    expect(await echoed()).toEqual({ answer: 'echo' });
  });

  it('a task that cannot be posted rejects', async () => {
    const pool = open();
    await expect(pool.run(task({ word: () => null }))).rejects.toThrow();
    expect(await pool.run(task(echo))).toEqual({ answer: 'echo' });
  });

  it('more than may wait are refused', async () => {
    const pool = open({ waitingMax: 1 });
    const taken = [pool.run(task(echo)), pool.run(task(echo))];
    await expect(pool.run(task(echo))).rejects.toBeInstanceOf(Refused);
    expect(await Promise.all(taken)).toHaveLength(2);
  });

  it('whoever waits, or is refused, holds no task yet', async () => {
    const pool = open({ waitingMax: 1 });
    let made = 0;
    const make = (): Work => {
      made += 1;
      return { task: echo, transfer: [] };
    };
    const taken = [pool.run(make), pool.run(make)];
    await expect(pool.run(make)).rejects.toBeInstanceOf(Refused);
    expect(made).toBe(1);
    await Promise.all(taken);
    expect(made).toBe(2);
  });

  it('closing ends what is under way', async () => {
    const pool = open();
    const spinning = pool.run(task({ word: 'spin' }));
    const ended = expect(spinning).rejects.toThrow();
    await pool.close();
    await ended;
    await expect(pool.run(task(echo))).rejects.toBeInstanceOf(Refused);
  });
});
