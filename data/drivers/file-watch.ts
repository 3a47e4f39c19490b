// Whether a database file is still the one that was opened: a file that was removed or replaced goes on being
// written to by who has it open, and is lost with the process.
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { StoreUnavailable } from '../../src/core/errors.ts';

export interface FileWatch {
  /** From when the path was seen to name another file, or none, until it names ours again; else null. */
  fault(): StoreUnavailable | null;
  close(): void;
}

/** With the look itself this is noticed within two seconds. */
const usualEveryMs = 1_000;

/** Looks at `path`, which is open, every `everyMs`. */
export function watchFile(path: string, everyMs = usualEveryMs): FileWatch {
  const opened = statSync(path, { bigint: true });
  let fault: string | null = null;
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const { ino, dev } = await stat(path, { bigint: true });
      const isOurs = ino === opened.ino && dev === opened.dev;
      fault = isOurs ? null : 'another file stands in its place';
    } catch (error) {
      // What cannot be looked at may be there all the same.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') fault = 'it was removed';
    } finally {
      isLooking = false;
    }
  }
  const timer = setInterval(() => void look(), everyMs).unref();
  return {
    fault() {
      if (fault === null) return null;
      return new StoreUnavailable(
        `The database file is no longer the one that was opened: ${fault}. Put it back, or restart the server.`,
      );
    },
    close: () => clearInterval(timer),
  };
}
