// The queue of waiting writes: bounded in number and in bytes, emptied batch by batch by whoever commits.
// No SQL here.
import { StoreBusy, StoreUnavailable } from '../../src/core/errors.ts';
import type { Transaction } from '../db.ts';

/** How much may wait, and how much one commit takes. */
export interface WriteQueueLimits {
  /** Jobs that may wait; one more is refused with StoreBusy. */
  readonly waitingJobsMax: number;
  /** Bytes that waiting jobs may hold together. */
  readonly waitingBytesMax: number;
  /** Jobs that share one commit. */
  readonly batchJobsMax: number;
  /** Bytes that share one commit. */
  readonly batchBytesMax: number;
  /** No further job joins a commit that has run this long: the process must answer in between. */
  readonly batchMsMax: number;
  /** A job that waited longer for a locked database is refused with StoreBusy. */
  readonly waitMsMax: number;
}

/** docs/durability.md, "Group commit". While another process writes, an answer comes within two seconds. */
export const writeQueueLimits: WriteQueueLimits = {
  waitingJobsMax: 4096,
  waitingBytesMax: 32 * 1024 * 1024,
  batchJobsMax: 256,
  batchBytesMax: 4 * 1024 * 1024,
  batchMsMax: 12,
  waitMsMax: 1500,
};

/** A write that waits. `resolve` and `reject` are called after the commit, or when there will be none. */
export interface WaitingJob {
  readonly job: (tx: Transaction) => Promise<unknown>;
  readonly bytes: number;
  readonly enqueuedAtMs: number;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
}

export interface WriteQueue {
  readonly length: number;
  /** What those that wait hold. */
  readonly bytes: number;
  /**
   * Adds a job at the end.
   * @throws {StoreBusy} when the queue is full, {StoreUnavailable} when it is closed.
   */
  add(waiting: WaitingJob): void;
  /** Takes the oldest jobs, as many as may share one commit. */
  takeBatch(): WaitingJob[];
  /** Puts a batch back at the front, in its order. */
  putBack(batch: readonly WaitingJob[]): void;
  /** Takes no more jobs from now on. */
  close(): void;
}

/** An empty queue within `limits`. */
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
      if (closed) throw new StoreUnavailable('The store is closed.');
      // A single job is always taken: a limit in bytes must not make a big event impossible.
      const full =
        jobs.length >= limits.waitingJobsMax ||
        (jobs.length > 0 && bytes + waiting.bytes > limits.waitingBytesMax);
      if (full) throw new StoreBusy('Too many writes are waiting.');
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
