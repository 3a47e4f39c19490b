// Semaphore for writes, with a bounded queue: PostgreSQL commits several transactions concurrently.
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';
import type { WriteQueueLimits } from './write-queue.ts';

/** Connections of one server, which is also the limit of concurrent writes. */
export const poolConnectionsMax = 10;

export interface WriteSemaphore {
  /** @throws {StoreBusyError} when the queue is full, {StoreUnavailableError} after `close`. `bytes`: memory held. */
  run<T>(bytes: number, write: () => Promise<T>): Promise<T>;
  /** Writes in the queue; `bytes` includes those of running writes. */
  waiting(): { readonly jobs: number; readonly bytes: number };
  close(): Promise<void>;
}

type GateLimits = Pick<WriteQueueLimits, 'waitingJobsMax' | 'waitingBytesMax'>;

export function createWriteSemaphore(limits: GateLimits, concurrencyMax: number): WriteSemaphore {
  const turns: Array<() => void> = [];
  let atWork = 0;
  let bytesHeld = 0;
  let closed = false;
  let emptied: (() => void) | null = null;

  function leave(bytes: number): void {
    bytesHeld -= bytes;
    const next = turns.shift();
    // Hands the slot over directly, so that a new write cannot take it first.
    if (next !== undefined) next();
    else atWork -= 1;
    if (atWork === 0) emptied?.();
  }
  return {
    async run(bytes, write) {
      if (closed) throw new StoreUnavailableError('The store is closed.');
      const full =
        turns.length >= limits.waitingJobsMax ||
        (bytesHeld > 0 && bytesHeld + bytes > limits.waitingBytesMax);
      if (full) throw new StoreBusyError('Too many writes are waiting.');
      bytesHeld += bytes;
      if (atWork < concurrencyMax) atWork += 1;
      else await new Promise<void>((resolve) => turns.push(resolve));
      try {
        return await write();
      } finally {
        leave(bytes);
      }
    },
    waiting: () => ({ jobs: turns.length, bytes: bytesHeld }),
    close() {
      closed = true;
      return new Promise((resolve) => {
        emptied = resolve;
        if (atWork === 0) resolve();
      });
    },
  };
}
