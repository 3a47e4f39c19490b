// Putting a file in its place whole or not at all: a temporary name, the disk's word, then the name.
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

/** What was asked for cannot be done, and nothing was changed: said as it is. */
export class UpkeepRefusal extends Error {}

/** What stays free on a disk beside what is written: a server may be filling the same one. */
const spareBytes = 64 * 1024 * 1024;

/** A name beside `target` that nobody else has. */
export function partOf(target: string): string {
  return `${target}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
}

/** Removes a part and what SQLite may have laid beside it. */
export function dropPart(part: string): void {
  for (const tail of ['', '-journal', '-wal', '-shm']) rmSync(`${part}${tail}`, { force: true });
}

/** @throws {UpkeepRefusal} where `bytes` do not fit into the folder of `target`, with room to spare. */
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

/** Bytes as people read them. */
function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Writes a new file for its owner alone, as `writeFileSync` does, and has the disk's word for it. */
export function writeSynced(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  syncPath(path);
}

/** Waits until what was written to a file, or what is named in a folder, is on the disk. */
export function syncPath(path: string): void {
  const open = openSync(path, 'r');
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}

/**
 * Gives a part its name, which nobody may have yet.
 * @throws {UpkeepRefusal} where a file of that name came meanwhile.
 */
export function placeNew(part: string, target: string): void {
  try {
    // Unlike a renaming, a link never takes the place of another file.
    linkSync(part, target);
    rmSync(part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(target)) throw new UpkeepRefusal(`${target} is there already.`);
    // Sticks and shares that know no links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    renameSync(part, target);
  }
  syncPath(dirname(target));
}
