// One worker thread with a queue before it. A task that takes too long costs the thread its life, never ours.
import { Worker } from 'node:worker_threads';
import { MapRefused } from './map-refused.ts';
import type { Reply, Task } from './tasks.ts';

/** Heap of a worker; maps live in buffers outside of it. */
const heapMegabytesMax = 128;
const waitingMax = 200;

/** The task took longer than it may, or the worker died of it. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}
/** Too many tasks wait already, or this one waited longer than its caller does. */
export class WorkerBusy extends Error {
  override readonly name = 'WorkerBusy';
}

interface Job {
  readonly task: Task;
  readonly timeoutMs: number;
  readonly transfer: readonly ArrayBuffer[];
  readonly isStillWanted: () => boolean;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export interface WorkerChannel {
  /** Runs a task in its turn. Rejects with MapRefused, WorkerLost, WorkerBusy or the worker's own fault. */
  run(
    task: Task,
    timeoutMs: number,
    options?: { transfer?: readonly ArrayBuffer[]; isStillWanted?: () => boolean },
  ): Promise<unknown>;
  close(): Promise<void>;
}

/** A channel whose thread starts with the first task and is started anew when it was lost. */
export function openChannel(startWorker: () => Worker = startThread): WorkerChannel {
  const waiting: Job[] = [];
  let worker: Worker | null = null;
  let running: { id: number; job: Job; timer: NodeJS.Timeout } | null = null;
  let lastId = 0;
  let closed = false;

  function next(): void {
    while (running === null && !closed) {
      const job = waiting.shift();
      if (job === undefined) {
        worker?.unref();
        return;
      }
      if (job.isStillWanted()) begin(job);
      else job.reject(new WorkerBusy('no longer wanted'));
    }
  }

  function begin(job: Job): void {
    worker ??= start();
    worker.ref();
    lastId += 1;
    const timer = setTimeout(() => lose(new WorkerLost('it took too long')), job.timeoutMs);
    running = { id: lastId, job, timer };
    worker.postMessage({ id: lastId, task: job.task }, [...job.transfer]);
  }

  function start(): Worker {
    const started = startWorker();
    started.on('message', (reply: Reply) => finish(reply));
    started.on('error', () => {
      if (worker === started) lose(new WorkerLost('it needed too much memory'));
    });
    // A thread can end without an error: whoever waits for its answer must not wait for ever.
    started.on('exit', () => {
      if (worker === started) lose(new WorkerLost('it ended without an answer'));
    });
    return started;
  }

  function finish(reply: Reply): void {
    if (running?.id !== reply.id) return;
    const { job, timer } = running;
    clearTimeout(timer);
    running = null;
    if ('answer' in reply) job.resolve(reply.answer);
    else job.reject('refusal' in reply ? new MapRefused(reply.refusal) : new Error(reply.fault));
    next();
  }

  function lose(error: Error): void {
    const lost = running;
    const old = worker;
    running = null;
    worker = null;
    void old?.terminate();
    if (lost !== null) {
      clearTimeout(lost.timer);
      lost.job.reject(error);
    }
    next();
  }

  return {
    run(task, timeoutMs, { transfer = [], isStillWanted = () => true } = {}) {
      if (closed || waiting.length >= waitingMax)
        return Promise.reject(new WorkerBusy('too many tasks wait'));
      return new Promise((resolve, reject) => {
        waiting.push({ task, timeoutMs, transfer, isStillWanted, resolve, reject });
        next();
      });
    },
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new WorkerBusy('closing'));
      const old = worker;
      lose(new WorkerLost('closing'));
      await old?.terminate();
    },
  };
}

function startThread(): Worker {
  const url = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
  return new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax } });
}
