// Where tests put files that are gone at their end.
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from './long-or-short.ts';

const memoryFolder = '/dev/shm';
const roomMin = 1024 * 1_048_576;

interface TemporaryFolder {
  readonly path: string;
  /** Whether nothing in it waits for a disk. */
  readonly isInMemory: boolean;
  remove(): void;
}

/** A folder that is removed by `remove`. */
export function temporaryFolder(): TemporaryFolder {
  const place = quickest();
  const path = mkdtempSync(join(place, 'notifier-test-'));
  return {
    path,
    isInMemory: place === memoryFolder,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/**
 * In memory where the machine has room for that: a database waits for the disk at each commit, and a test of
 * what it holds then waits for nothing else. The long form uses the disk.
 */
function quickest(): string {
  if (isLong) return tmpdir();
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize > roomMin ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
