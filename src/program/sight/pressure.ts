// How the process stands: memory, the queue of writes, the disk.
import { totalmem } from 'node:os';
import type { Store } from '../../core/store/store.ts';

/** How the process stands. Shares are of what may be, 0 to 1. */
export interface Pressure {
  /** Memory of the process. */
  readonly memoryShare: number;
  /** Writes that wait. */
  readonly queueShare: number;
  /** Null where it cannot be known. */
  readonly diskFreeBytes: number | null;
}

export interface PressureReader {
  read(): Pressure;
  close(): void;
}

/** As often as it is asked how the process stands. */
const diskLookMs = 500;

const leastDefaultBytes = 512 * 1024 * 1024;

/** Reads this process and `store`; `memoryLimitBytes` null is the machine's say. */
export function openPressure(
  store: Pick<Store, 'load' | 'figures'>,
  memoryLimitBytes: number | null,
): PressureReader {
  const limit = memoryLimitBytes ?? defaultMemoryLimit(process.constrainedMemory(), totalmem());
  let diskFreeBytes: number | null = null;
  const lookAtDisk = (): void => {
    store.figures().then(
      ({ freeBytes }) => {
        diskFreeBytes = freeBytes;
      },
      () => {},
    );
  };
  lookAtDisk();
  const timer = setInterval(lookAtDisk, diskLookMs).unref();
  return {
    read: () => ({
      memoryShare: process.memoryUsage.rss() / limit,
      queueShare: store.load().share,
      diskFreeBytes,
    }),
    close: () => clearInterval(timer),
  };
}

/**
 * What a container or a service manager allows, else half of the machine, and 512 MiB at least: memory of the
 * process seldom shrinks, so a limit that a machine does not have would refuse events for ever.
 */
export function defaultMemoryLimit(allowedBytes: number, machineBytes: number): number {
  const isAllowed = allowedBytes > 0 && allowedBytes < machineBytes;
  return isAllowed ? allowedBytes : Math.max(leastDefaultBytes, machineBytes / 2);
}
