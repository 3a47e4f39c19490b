// The disk's word for a large file while it is being written, a few megabytes at a time. Asked for at its
// end, all of it goes to the disk at once, and the commits of a server on the same disk wait behind it: each
// is a turn of its loop (D-233).
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a commit waits behind, at most: 10 ms of a disk that takes 800 MB a second. */
const stepBytes = 8 * 1024 * 1024;
/** Between two looks at how long the file is: a disk takes a step in about this. */
const lookMs = 5;

/** What of an open file is needed here. */
export type Flushable = Pick<FileHandle, 'stat' | 'datasync' | 'sync' | 'close'>;

export interface SteadyFlush {
  /**
   * To be called when nothing more is written: resolves when all of it is on the disk. Rejects where the disk
   * did not take any part of it, now or before; called again it answers the same.
   */
  end(): Promise<void>;
}

/** Has what somebody else writes to the end of a file on the disk in steps, from now on. */
export function flushInSteps(
  path: string,
  openFile: (path: string) => Promise<Flushable> = (name) => open(name, 'r+'),
): SteadyFlush {
  let isWritten = false;
  const steps = async (file: Flushable): Promise<void> => {
    let flushedBytes = 0;
    while (!isWritten) {
      const { size } = await file.stat();
      if (size - flushedBytes < stepBytes) {
        await sleep(lookMs);
        continue;
      }
      await file.datasync();
      flushedBytes = size;
    }
  };
  const all = (async () => {
    const file = await openFile(path);
    try {
      // A system says once that something did not reach the disk, and the next call succeeds: what a step was
      // told ends all of it.
      await steps(file);
      await file.sync();
    } finally {
      await file.close();
    }
  })();
  // Told to whoever calls `end`, which may be much later.
  all.catch(() => {});
  return {
    end() {
      isWritten = true;
      return all;
    },
  };
}
