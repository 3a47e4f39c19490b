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
      let taken = 0;
      let takenBytes = 0;
      for (const waiting of jobs) {
        if (
          taken >= limits.batchJobsMax ||
          (taken > 0 && takenBytes + waiting.bytes > limits.batchBytesMax)
        ) {
          break;
        }
        taken += 1;
        takenBytes += waiting.bytes;
      }
      bytes -= takenBytes;
      const batch = jobs.slice(0, taken);
      jobs = jobs.slice(taken);
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
