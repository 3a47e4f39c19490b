import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { level } from './test-level.ts';

const memoryFolder = '/dev/shm';
const roomMin = 1024 * 1_048_576;

interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(quickest(), 'notifier-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** On tmpfs if there is space, since SQLite syncs each commit; `test:full` uses the disk. */
function quickest(): string {
  return level === 'short' ? inMemory(roomMin) : tmpdir();
}

export function inMemory(bytesMin: number): string {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize > bytesMin ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
