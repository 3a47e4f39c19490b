// Where tests put files that are gone at their end.
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFull } from './test-level.ts';

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
 * what it holds then waits for nothing else. Where everything runs, the disk is used.
 */
function quickest(): string {
  return isFull ? tmpdir() : inMemory(roomMin);
}

/** A place in memory, or on the disk where memory has less room than so many bytes. */
export function inMemory(bytesMin: number): string {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize > bytesMin ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
