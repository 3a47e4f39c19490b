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
  close(): void;
}

/** Of the log beside `file`, which is there from the first commit on, and stays while the file is open. */
export function openLogSync(file: string): LogSync {
  let log: number | null = null;
  let underWay = 0;
  let isClosed = false;
  const closeUnused = (): void => {
    if (!isClosed || underWay > 0 || log === null) return;
    close(log, () => {});
    log = null;
  };
  return {
    synced: () =>
      new Promise((resolve, reject) => {
        const refuse = (error: Error): void =>
          reject(new StoreUnavailable(`The log of the database is not on its disk.`, { cause: error }));
        try {
          log ??= openSync(`${file}-wal`, 'r+');
        } catch (error) {
          refuse(error as Error);
          return;
        }
        underWay += 1;
        fdatasync(log, (error) => {
          underWay -= 1;
          closeUnused();
          if (error === null) resolve();
          else refuse(error);
        });
      }),
    close() {
      isClosed = true;
      closeUnused();
    },
  };
}

/** Of a file that ends with its process: nobody waits for the disk. */
export const noLogSync: LogSync = { synced: async () => {}, close() {} };
