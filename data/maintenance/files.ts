// Writes files atomically: temporary name, fsync, then the final name.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The command cannot be done and nothing was changed; the message is shown as is. */
export class MaintenanceError extends Error {}

/** Kept free: a server may be filling the same disk. */
const spareBytes = 64 * 1024 * 1024;

export function temporaryPathOf(target: string): string {
  return `${target}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
}

export function removeTemporaryFiles(part: string): void {
  for (const tail of ['', '-journal', '-wal', '-shm']) rmSync(`${part}${tail}`, { force: true });
}

/** @throws {MaintenanceError} where `bytes` and a reserve do not fit on the disk of `target`. */
export async function assertDiskSpace(target: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(target));
  const free = bavail * bsize;
  if (free < bytes + spareBytes) {
    const needed = megabytes(bytes + spareBytes);
    throw new MaintenanceError(
      `${dirname(target)} has ${megabytes(free)} MB free, and ${needed} MB are needed: make room, or name a place elsewhere.`,
    );
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

export function writeSynced(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  syncPath(path);
}

export function syncPath(path: string): void {
  const open = openSync(path, 'r');
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}

/** Moves a temporary file to a new name. @throws {MaintenanceError} where that file exists. */
export function moveIntoPlace(part: string, target: string): void {
  try {
    // Unlike rename, link never replaces an existing file.
    linkSync(part, target);
    rmSync(part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(target)) throw new MaintenanceError(`${target} is there already.`);
    // File systems without hard links (USB sticks, network shares).
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    renameSync(part, target);
  }
  syncPath(dirname(target));
}
