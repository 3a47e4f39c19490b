import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RestError } from '../../src/core/errors.ts';
import { unwrapReply } from '../../src/workers/error-codec.ts';
import { openPool, type Pool, type Reply, type Work, WorkerLostError } from '../../src/workers/pool.ts';
import { inFull } from '../support/test-level.ts';

const pools: Pool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

class Refused extends Error {}

function open(
  limits: {
    waitingMax?: number;
    taskMsMax?: number;
    aheadMax?: number;
    processorMs?: () => number;
    started?: () => void;
  } = {},
): Pool {
  const code = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ word, bytes }) => {
      if (word === 'echo') parentPort.postMessage({ answer: bytes ? bytes.byteLength : word });
      if (word === 'leave') process.exit(0);
      if (word === 'throw') throw new Error('by itself');
      if (word === 'fill') throw Object.assign(new Error(), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
      if (word === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      if (word === 'wait') parentPort.postMessage({ answer: word });
      if (word === 'spin') for (;;) {}
    });`;
  const { waitingMax = 8, taskMsMax = 20_000, aheadMax = 1, processorMs } = limits;
  const pool = openPool({
    workersMax: 1,
    waitingMax,
    aheadMax,
    waitMsMax: 20_000,
    taskMsMax,
    ...(processorMs === undefined ? {} : { processorMs }),
    start() {
      limits.started?.();
      return new Worker(code, { eval: true });
    },
    refusal: () => new Refused(),
  });
  pools.push(pool);
  return pool;
}

const echo = { word: 'echo' };
const task = (words: unknown) => (): Work => ({ task: words, transfer: [] });

it('an error that is no refusal is told as a fault', async () => {
  const handlers = new URL('../../src/workers/handle-tasks.ts', import.meta.url).href;
  const errors = new URL('../../src/core/errors.ts', import.meta.url).href;
  const code = `
    const { handleTasks } = await import('${handlers}');
    const { RestError } = await import('${errors}');
    handleTasks((task) => { throw task === 'refuse' ? new RestError('a_code', 'No.', 400) : new Error(task); });`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  const replies: object[] = [];
  for (const sent of ['refuse', 'break']) {
    worker.postMessage(sent);
    replies.push((await once(worker, 'message'))[0]);
  }
  await worker.terminate();
  expect(() => unwrapReply(replies[0] as Reply, 'Reading')).toThrow(new RestError('a_code', 'No.', 400));
  expect(() => unwrapReply(replies[1] as Reply, 'Reading')).toThrow('Reading failed: Error: break');
});

describe('G8: workers for large bodies, reports and maps', () => {
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
    ['exited without a result', 'leave', false],
    ['failed', 'throw', false],
    ['needed too much memory', 'fill', true],
  ])('a worker that %s rejects its task alone', async (end, word, isOverLimit) => {
    const pool = open();
    const lost = pool.run(task({ word }));
    const next = pool.run(task(echo));
    await expect(lost).rejects.toMatchObject({
      name: 'WorkerLost',
      message: `it ${end}`,
      isOverLimit,
    });
    expect(await next).toEqual({ answer: 'echo' });
  });

  inFull(it)('a task that takes too long costs the thread its life, and nobody else anything', async () => {
    const pool = open({ taskMsMax: 300 });
    const lost = pool.run(task({ word: 'spin' }));
    await expect(lost).rejects.toBeInstanceOf(WorkerLostError);
    // On a busy machine the next thread may take too long to begin: then another one does it.
    const echoed = async (): Promise<unknown> => {
      try {
        return await pool.run(task(echo));
      } catch (error) {
        if (error instanceof WorkerLostError) return echoed();
        throw error;
      }
    };
    expect(await echoed()).toEqual({ answer: 'echo' });
  });

  inFull(it)('a task on a machine that is busy with something else has four times as long', async () => {
    const looksWith = async (eachMs: number): Promise<number> => {
      let looks = 0;
      const pool = open({ taskMsMax: 50, processorMs: () => looks++ * eachMs });
      await expect(pool.run(task({ word: 'spin' }))).rejects.toBeInstanceOf(WorkerLostError);
      return looks;
    };
    // One look when its time begins, and one when it ends; none where there is no time left to be given.
    expect(await looksWith(30)).toBe(2);
    expect(await looksWith(0)).toBe(7);
  });

  it('a task may have a time limit of its own', async () => {
    const pool = open();
    const lost = pool.run(task({ word: 'spin' }), { taskMsMax: 0 });
    await expect(lost).rejects.toMatchObject({ message: 'it took too long', isOverLimit: true });
    expect(await pool.run(task(echo))).toEqual({ answer: 'echo' });
  });

  it('a task that is no longer wanted when its turn comes is not given to anybody', async () => {
    let started = 0;
    const pool = open({ started: () => started++ });
    const unwanted = (): Work => {
      throw new Refused();
    };
    await expect(pool.run(unwanted)).rejects.toBeInstanceOf(Refused);
    expect(started).toBe(0);
    const [first, second] = [pool.run(task(echo)), pool.run(unwanted)];
    await expect(second).rejects.toBeInstanceOf(Refused);
    expect([await first, started]).toEqual([{ answer: 'echo' }, 1]);
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

describe('a thread that is given several tasks at once', () => {
  it('answers them in their order', async () => {
    const pool = open({ aheadMax: 8 });
    const words = ['a', 'b', 'c', 'd'];
    let made = 0;
    const answers = words.map((word) =>
      pool.run(() => {
        made += 1;
        return { task: { word: 'echo', bytes: new Uint8Array(word.charCodeAt(0)) }, transfer: [] };
      }),
    );
    expect(made).toBe(4);
    expect(await Promise.all(answers)).toEqual(words.map((word) => ({ answer: word.charCodeAt(0) })));
  });

  it('has the time of one task for each, and not for all of them', async () => {
    // The process counts as busy: an idle one gets more time.
    const pool = open({ aheadMax: 8, taskMsMax: 1_000, processorMs: () => performance.now() });
    await pool.run(task(echo));
    const waits = Array.from({ length: 6 }, () => pool.run(task({ word: 'wait' })));
    expect(await Promise.all(waits)).toHaveLength(6);
  });

  inFull(it).each([
    ['ends', 'leave', 20_000],
    ['takes too long', 'spin', 300],
  ])('loses all that it was given when it %s', async (_name, word, taskMsMax) => {
    const pool = open({ aheadMax: 2, taskMsMax });
    const lost = [pool.run(task({ word })), pool.run(task(echo))];
    const ended = await Promise.allSettled(lost);
    expect(ended).toMatchObject([{ reason: { name: 'WorkerLost' } }, { reason: { name: 'WorkerLost' } }]);
  });

  it('and not what waits for its turn', async () => {
    const pool = open({ aheadMax: 2 });
    const lost = [pool.run(task({ word: 'leave' })), pool.run(task(echo))];
    const waiting = pool.run(task(echo));
    await Promise.allSettled(lost);
    expect(await waiting).toEqual({ answer: 'echo' });
  });

  it('goes on when one of them cannot be posted', async () => {
    const pool = open({ aheadMax: 3 });
    const answers = await Promise.allSettled([
      pool.run(task(echo)),
      pool.run(task({ word: () => null })),
      pool.run(task(echo)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
