import { createConcurrencyLimit } from '../../src/core/concurrency-limit.ts';
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';
import type { Transaction } from '../db.ts';

export interface WriteQueueLimits {
  readonly waitingJobsMax: number;
  readonly waitingBytesMax: number;
  readonly batchJobsMax: number;
  readonly batchBytesMax: number;
  /** No job is started in a commit that has run this long, so that the event loop is not blocked. */
  readonly batchMsMax: number;
  /** Jobs that waited longer than this for a locked database are refused with StoreBusyError. */
  readonly waitMsMax: number;
}

/** docs/durability.md, "Group commit". While another process writes, clients are answered within 2 s. */
export const writeQueueLimits: WriteQueueLimits = {
  waitingJobsMax: 4096,
  waitingBytesMax: 32 * 1024 * 1024,
  batchJobsMax: 256,
  batchBytesMax: 4 * 1024 * 1024,
  batchMsMax: 12,
  waitMsMax: 1500,
};

/** `resolve` or `reject` is called after the commit or its failure. */
export interface WaitingJob {
  readonly job: (tx: Transaction) => Promise<unknown>;
  readonly bytes: number;
  readonly enqueuedAtMs: number;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
}

export interface WriteQueue {
  readonly length: number;
  readonly bytes: number;
  /** @throws {StoreBusyError} when the queue is full, {StoreUnavailableError} when it is closed. */
  add(waiting: WaitingJob): void;
  takeBatch(): WaitingJob[];
  putBack(batch: readonly WaitingJob[]): void;
  close(): void;
}

export function createWriteQueue(limits: WriteQueueLimits): WriteQueue {
  let jobs: WaitingJob[] = [];
  let bytes = 0;
  let closed = false;
  return {
    get length() {
      return jobs.length;
    },
    get bytes() {
      return bytes;
    },
    add(waiting) {
      if (closed) throw new StoreUnavailableError('The store is closed.');
      // An empty queue accepts a job of any size, so that large events can be stored.
      const full =
        jobs.length >= limits.waitingJobsMax ||
        (jobs.length > 0 && bytes + waiting.bytes > limits.waitingBytesMax);
      if (full) throw new StoreBusyError('Too many writes are waiting.');
      jobs.push(waiting);
      bytes += waiting.bytes;
    },
    takeBatch() {
      let count = 0;
      let batchBytes = 0;
      for (const waiting of jobs) {
        if (
          count >= limits.batchJobsMax ||
          (count > 0 && batchBytes + waiting.bytes > limits.batchBytesMax)
        ) {
          break;
        }
        count += 1;
        batchBytes += waiting.bytes;
      }
      bytes -= batchBytes;
      const batch = jobs.slice(0, count);
      jobs = jobs.slice(count);
      return batch;
    },
    putBack(batch) {
      jobs = [...batch, ...jobs];
      for (const waiting of batch) bytes += waiting.bytes;
    },
    close() {
      closed = true;
    },
  };
}

// Semaphore for writes, with a bounded queue: PostgreSQL commits several transactions concurrently.

/** Connections of one server, which is also the limit of concurrent writes. */
export const poolConnectionsMax = 10;

interface WriteSemaphore {
  /** @throws {StoreBusyError} when the queue is full, {StoreUnavailableError} after `close`. `bytes`: memory held. */
  run<T>(bytes: number, write: () => Promise<T>): Promise<T>;
  /** Writes in the queue; `bytes` includes those of running writes. */
  waiting(): { readonly jobs: number; readonly bytes: number };
  close(): Promise<void>;
}

type GateLimits = Pick<WriteQueueLimits, 'waitingJobsMax' | 'waitingBytesMax'>;

export function createWriteSemaphore(limits: GateLimits, concurrencyMax: number): WriteSemaphore {
  const refusal = () => new StoreBusyError('Too many writes are waiting.');
  const writes = createConcurrencyLimit({
    atOnceMax: concurrencyMax,
    waitingMax: limits.waitingJobsMax,
    refusal,
  });
  let bytesHeld = 0;
  let closed = false;
  let emptied: (() => void) | null = null;
  return {
    async run(bytes, write) {
      if (closed) throw new StoreUnavailableError('The store is closed.');
      if (bytesHeld > 0 && bytesHeld + bytes > limits.waitingBytesMax) throw refusal();
      bytesHeld += bytes;
      try {
        return await writes.run(write);
      } finally {
        bytesHeld -= bytes;
        if (writes.running === 0) emptied?.();
      }
    },
    waiting: () => ({ jobs: writes.waiting, bytes: bytesHeld }),
    close() {
      closed = true;
      return new Promise((resolve) => {
        emptied = resolve;
        if (writes.running === 0) resolve();
      });
    },
  };
}
