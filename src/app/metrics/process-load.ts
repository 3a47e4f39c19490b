import { totalmem } from 'node:os';
import type { Store } from '../../core/store/store.ts';

/** Shares of the limit, 0 to 1. */
export interface ProcessLoad {
  readonly memoryShare: number;
  readonly queueShare: number;
  readonly diskFreeBytes: number | null;
}

const diskCheckMs = 500;

const leastDefaultBytes = 512 * 1024 * 1024;

/** `memoryLimitBytes` null: `defaultMemoryLimit`. */
export function openProcessLoad(store: Pick<Store, 'load' | 'figures'>, memoryLimitBytes: number | null) {
  const limit = memoryLimitBytes ?? defaultMemoryLimit(process.constrainedMemory(), totalmem());
  let diskFreeBytes: number | null = null;
  const checkDisk = (): void => {
    store.figures().then(
      ({ freeBytes }) => {
        diskFreeBytes = freeBytes;
      },
      () => {},
    );
  };
  checkDisk();
  const timer = setInterval(checkDisk, diskCheckMs).unref();
  return {
    read: (): ProcessLoad => ({
      memoryShare: process.memoryUsage.rss() / limit,
      queueShare: store.load().share,
      diskFreeBytes,
    }),
    close: () => clearInterval(timer),
  };
}

/** The limit of the container or service manager, else half of the machine; at least 512 MiB. A process seldom
 * shrinks, so with a limit that is too low events would be refused forever. */
export function defaultMemoryLimit(allowedBytes: number, machineBytes: number): number {
  const isAllowed = allowedBytes > 0 && allowedBytes < machineBytes;
  return isAllowed ? allowedBytes : Math.max(leastDefaultBytes, machineBytes / 2);
}
