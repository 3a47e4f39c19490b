// Whether the files of a database are still those that were opened: a file that was removed or replaced goes
// on being written to by who has it open, and is lost with the process.
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

/** The file itself, what was written and not moved into it yet, and who reads of that how far. */
const suffixes = ['', '-wal', '-shm'] as const;

/** Looks at `path`, which is open, and at the files beside it, every `everyMs`. */
export function watchFile(path: string, everyMs = usualEveryMs): FileWatch {
  const files = suffixes.map((suffix) => watchOne(`${path}${suffix}`));
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    for (const file of files) await file.look();
    isLooking = false;
  }
  const timer = setInterval(() => void look(), everyMs).unref();
  return {
    fault() {
      const at = files.findIndex((file) => file.fault() !== null);
      const fault = files[at]?.fault();
      if (fault == null) return null;
      const name = suffixes[at] === '' ? 'The database file' : `The file ${suffixes[at]} of the database`;
      return new StoreUnavailable(
        `${name} is no longer the one that was opened: ${fault}. Put it back, or restart the server.`,
      );
    },
    close: () => clearInterval(timer),
  };
}

/** One file; what is made later is known from the first look that finds it. */
function watchOne(path: string) {
  let opened = statSync(path, { bigint: true, throwIfNoEntry: false });
  let fault: string | null = null;
  return {
    fault: () => fault,
    async look(): Promise<void> {
      try {
        const found = await stat(path, { bigint: true });
        opened ??= found;
        const isOurs = found.ino === opened.ino && found.dev === opened.dev;
        fault = isOurs ? null : 'another file stands in its place';
      } catch (error) {
        // What cannot be looked at may be there all the same.
        const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (isGone && opened !== undefined) fault = 'it was removed';
      }
    },
  };
}
