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
export class UpkeepRefusal extends Error {}

/** Kept free: a server may be filling the same disk. */
const spareBytes = 64 * 1024 * 1024;

/** A unique temporary name beside `target`. */
export function partOf(target: string): string {
  return `${target}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
}

export function dropPart(part: string): void {
  for (const tail of ['', '-journal', '-wal', '-shm']) rmSync(`${part}${tail}`, { force: true });
}

/** @throws {UpkeepRefusal} where `bytes` and a reserve do not fit on the disk of `target`. */
export async function assertRoom(target: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(target));
  const free = bavail * bsize;
  if (free < bytes + spareBytes) {
    const wanted = megabytes(bytes + spareBytes);
    throw new UpkeepRefusal(
      `${dirname(target)} has ${megabytes(free)} MB free, and ${wanted} MB are needed: make room, or name a place elsewhere.`,
    );
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Writes and syncs a new file with mode 0600. */
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

/** Moves a temporary file to a new name. @throws {UpkeepRefusal} where that file exists. */
export function placeNew(part: string, target: string): void {
  try {
    // Unlike rename, link never replaces an existing file.
    linkSync(part, target);
    rmSync(part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(target)) throw new UpkeepRefusal(`${target} is there already.`);
    // File systems without hard links (USB sticks, network shares).
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    renameSync(part, target);
  }
  syncPath(dirname(target));
}
