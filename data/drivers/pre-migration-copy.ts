// Copies the database file before migrations, so that an operator can go back to the older version.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** Kept free for the migrations and the WAL. */
const spareBytes = 128 * 1024 * 1024;

/** `there`: made by an earlier start before the same migration. */
export type PreMigrationCopy =
  | { readonly made: 'now' | 'there'; readonly copy: string }
  | { readonly made: 'no room'; readonly copy: string; readonly needsBytes: number };

/** Copies `file`, WAL included, to `FILE.before-MIGRATION` (0600), atomically. Others may write meanwhile. */
export async function copyBeforeMigration(file: string, migration: string): Promise<PreMigrationCopy> {
  const copy = `${file}.before-${migration}`;
  if (existsSync(copy)) return { made: 'there', copy };
  const needsBytes = sizeOf(file) + sizeOf(`${file}-wal`) + spareBytes;
  const { bavail, bsize } = await statfs(dirname(file));
  if (bavail * bsize < needsBytes) return { made: 'no room', copy, needsBytes };
  // Unique name: two processes may start at once.
  const part = `${copy}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
  const source = new Database(file, { readonly: true });
  try {
    // In one step: a backup in steps restarts with each commit of another process.
    await source.backup(part, { progress: ({ remainingPages }) => remainingPages });
    chmodSync(part, 0o600);
    // A copy made by another process meanwhile is kept: it was begun before any change.
    if (!existsSync(copy)) renameSync(part, copy);
  } finally {
    source.close();
    rmSync(part, { force: true });
  }
  return { made: 'now', copy };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
