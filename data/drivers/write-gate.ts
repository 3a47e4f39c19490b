// A bounded number of writes at work and a bounded number waiting, for a database that commits them side by
// side.
import { StoreBusy, StoreUnavailable } from '../../src/core/errors.ts';
import type { WriteQueueLimits } from './write-queue.ts';

/** Connections to PostgreSQL of one server, and with them the writes at work at once. */
export const poolConnectionsMax = 10;

export interface WriteGate {
  /**
   * Runs a write when it is its turn. `bytes` is what it holds meanwhile.
   * Rejects with StoreBusy when too much waits, with StoreUnavailable after `close`.
   */
  run<T>(bytes: number, write: () => Promise<T>): Promise<T>;
  /** Writes that wait for their turn, and the bytes that those and the ones at work hold. */
  waiting(): { readonly jobs: number; readonly bytes: number };
  /** Takes no more; resolves when all that was taken is done. */
  close(): Promise<void>;
}

type GateLimits = Pick<WriteQueueLimits, 'waitingJobsMax' | 'waitingBytesMax'>;

/** A gate that lets `atWorkMax` writes work at once and as many wait as `limits` say. */
export function createGate(limits: GateLimits, atWorkMax: number): WriteGate {
  const turns: Array<() => void> = [];
  let atWork = 0;
  let bytesHeld = 0;
  let closed = false;
  let emptied: (() => void) | null = null;

  function leave(bytes: number): void {
    bytesHeld -= bytes;
    const next = turns.shift();
    // The place goes to the one who waits; nobody can slip in between.
    if (next !== undefined) next();
    else atWork -= 1;
    if (atWork === 0) emptied?.();
  }
  return {
    async run(bytes, write) {
      if (closed) throw new StoreUnavailable('The store is closed.');
      const full =
        turns.length >= limits.waitingJobsMax ||
        (bytesHeld > 0 && bytesHeld + bytes > limits.waitingBytesMax);
      if (full) throw new StoreBusy('Too many writes are waiting.');
      bytesHeld += bytes;
      if (atWork < atWorkMax) atWork += 1;
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
