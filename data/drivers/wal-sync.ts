// Syncs the WAL of a SQLite file (fdatasync) in libuv's thread pool, so that the event loop does not wait.
import { close, fdatasync, openSync } from 'node:fs';
import { StoreUnavailableError } from '../../src/core/errors.ts';

export interface WalSync {
  /** Resolves when all earlier commits are on disk. @throws {StoreUnavailableError} when the sync fails. */
  synced(): Promise<void>;
  /** A sync failed since `trust`. The next may succeed although data was lost: an error is reported once. */
  isInDoubt(): boolean;
  /** Clears the doubt, after a checkpoint with successful syncs. */
  trust(): void;
  close(): void;
}

export type SyncFile = (file: number, done: (error: Error | null) => void) => void;

/** Both connections keep the log open, and SQLite holds no POSIX locks on it that closing would drop. */
export function openWalSync(file: string, sync: SyncFile = fdatasync): WalSync {
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
          reject(new StoreUnavailableError('The log of the database is not on its disk.', { cause: error }));
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

export const noWalSync: WalSync = {
  synced: async () => {},
  isInDoubt: () => false,
  trust() {},
  close() {},
};
