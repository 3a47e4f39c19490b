// One worker thread with a queue before it. A task that takes too long costs the thread its life, never ours.
import { Worker } from 'node:worker_threads';
import { MapRefused } from './map-refused.ts';
import type { Reply, Task } from './tasks.ts';

/** Heap of a worker; maps live in buffers outside of it. What was just made needs little (D-238). */
const heapLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 };
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
  const channel: Channel = {
    startWorker,
    waiting: [],
    worker: null,
    running: null,
    lastId: 0,
    closed: false,
  };
  return {
    run(task, timeoutMs, { transfer = [], isStillWanted = () => true } = {}) {
      if (channel.closed || channel.waiting.length >= waitingMax) {
        return Promise.reject(new WorkerBusy('too many tasks wait'));
      }
      return new Promise((resolve, reject) => {
        channel.waiting.push({ task, timeoutMs, transfer, isStillWanted, resolve, reject });
        next(channel);
      });
    },
    async close() {
      channel.closed = true;
      for (const job of channel.waiting.splice(0)) job.reject(new WorkerBusy('closing'));
      const old = channel.worker;
      lose(channel, new WorkerLost('closing'));
      await old?.terminate();
    },
  };
}

interface Channel {
  readonly startWorker: () => Worker;
  readonly waiting: Job[];
  worker: Worker | null;
  running: { readonly id: number; readonly job: Job; readonly timer: NodeJS.Timeout } | null;
  lastId: number;
  closed: boolean;
}

function next(channel: Channel): void {
  while (channel.running === null && !channel.closed) {
    const job = channel.waiting.shift();
    if (job === undefined) {
      channel.worker?.unref();
      return;
    }
    if (job.isStillWanted()) begin(channel, job);
    else job.reject(new WorkerBusy('no longer wanted'));
  }
}

function begin(channel: Channel, job: Job): void {
  channel.worker ??= start(channel);
  channel.worker.ref();
  channel.lastId += 1;
  const id = channel.lastId;
  const timer = setTimeout(() => lose(channel, new WorkerLost('it took too long')), job.timeoutMs);
  channel.running = { id, job, timer };
  channel.worker.postMessage({ id, task: job.task }, [...job.transfer]);
}

function start(channel: Channel): Worker {
  const started = channel.startWorker();
  started.on('message', (reply: Reply) => finish(channel, reply));
  started.on('error', () => {
    if (channel.worker === started) lose(channel, new WorkerLost('it needed too much memory'));
  });
  // A thread can end without an error: whoever waits for its answer must not wait for ever.
  started.on('exit', () => {
    if (channel.worker === started) lose(channel, new WorkerLost('it ended without an answer'));
  });
  return started;
}

function finish(channel: Channel, reply: Reply): void {
  if (channel.running?.id !== reply.id) return;
  const { job, timer } = channel.running;
  clearTimeout(timer);
  channel.running = null;
  if ('answer' in reply) job.resolve(reply.answer);
  else job.reject('refusal' in reply ? new MapRefused(reply.refusal) : new Error(reply.fault));
  next(channel);
}

function lose(channel: Channel, error: Error): void {
  const { running: lost, worker: old } = channel;
  channel.running = null;
  channel.worker = null;
  void old?.terminate();
  if (lost !== null) {
    clearTimeout(lost.timer);
    lost.job.reject(error);
  }
  next(channel);
}

function startThread(): Worker {
  const url = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
  return new Worker(url, { resourceLimits: heapLimits });
}
