// Has the write-ahead log of a SQLite file on the disk before an answer, beside the thread that wrote it
// (DECISIONS.md D-235). It is SQLite that writes; here the disk is only asked for its word.
import { close, fdatasync, openSync } from 'node:fs';
import { StoreUnavailable } from '../../src/core/errors.ts';

export interface LogSync {
  /**
   * Resolves when all that was committed before the call is on the disk.
   * @throws {StoreUnavailable} when the disk does not say so: then nobody knows what is.
   */
  synced(): Promise<void>;
  /**
   * Whether the disk has refused its word since `trust`: a system says so once, and the next call succeeds,
   * whatever became of what was written before.
   */
  isInDoubt(): boolean;
  /** Says that the log was folded into the file, with syncs that succeeded. */
  trust(): void;
  close(): void;
}

/** How a file descriptor is synced; Node's own, but where a test has a disk that fails. */
export type SyncFile = (file: number, done: (error: Error | null) => void) => void;

/**
 * Of the log beside `file`, which two connections have open: it stays while they do, and nobody holds a lock
 * on it that closing a descriptor would break.
 */
export function openLogSync(file: string, sync: SyncFile = fdatasync): LogSync {
  const log = openSync(`${file}-wal`, 'r+');
  let underWay = 0;
  let inDoubt = false;
  let isClosed = false;
  const closeUnused = (): void => {
    if (isClosed && underWay === 0) close(log, () => {});
  };
  return {
    synced: () =>
      new Promise((resolve, reject) => {
        underWay += 1;
        sync(log, (error) => {
          underWay -= 1;
          closeUnused();
          if (error === null) return resolve();
          inDoubt = true;
          reject(new StoreUnavailable('The log of the database is not on its disk.', { cause: error }));
        });
      }),
    isInDoubt: () => inDoubt,
    trust() {
      inDoubt = false;
    },
    close() {
      isClosed = true;
      closeUnused();
    },
  };
}

/** Of a file that ends with its process: nobody waits for the disk. */
export const noLogSync: LogSync = {
  synced: async () => {},
  isInDoubt: () => false,
  trust() {},
  close() {},
};
