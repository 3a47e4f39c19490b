// The copy of a database file that is made before a newer program changes its schema, so that an operator
// can go back.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** What stays free beside a copy, for the migrations themselves and the log. */
const spareBytes = 128 * 1024 * 1024;

/** What became of it: `there` is one that an earlier start made before the same migration. */
export type FileCopy =
  | { readonly made: 'now' | 'there'; readonly copy: string }
  | { readonly made: 'no room'; readonly copy: string; readonly needsBytes: number };

/**
 * Copies `file`, what stands in its log included, to `FILE.before-MIGRATION` beside it, for its owner alone:
 * whole under that name or not at all. Others may go on writing meanwhile.
 */
export async function copyFileBefore(file: string, migration: string): Promise<FileCopy> {
  const copy = `${file}.before-${migration}`;
  if (existsSync(copy)) return { made: 'there', copy };
  const needsBytes = sizeOf(file) + sizeOf(`${file}-wal`) + spareBytes;
  const { bavail, bsize } = await statfs(dirname(file));
  if (bavail * bsize < needsBytes) return { made: 'no room', copy, needsBytes };
  // Two that start at once may both be here.
  const part = `${copy}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
  const source = new Database(file, { readonly: true });
  try {
    // All that is left in one step: in small ones it begins anew with each commit of another process.
    await source.backup(part, { progress: ({ remainingPages }) => remainingPages });
    chmodSync(part, 0o600);
    // The first one's stays: it was begun when nothing was changed yet.
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
