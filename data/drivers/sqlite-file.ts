// Checks of a SQLite file before it is opened. src/app/database-errors.ts words the error codes.

import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';

type FileFaultCode = 'EMPTY' | 'NO_FILE' | 'NO_DATABASE' | 'NOT_OURS' | 'SETTING' | 'OLD_SQLITE';

/** The named file cannot be our database; `code` is a `FileFaultCode` or Node's error code, such as EISDIR. */
export class DatabaseFileFault extends Error {
  readonly code: string;
  /** The file or folder; or the setting that does not hold; or the SQLite version that is too old. */
  readonly path: string;

  constructor(code: FileFaultCode | string, path: string, options?: ErrorOptions) {
    super(`${code}: ${path}`, options);
    this.code = code;
    this.path = path;
  }
}

const magic = Buffer.from('SQLite format 3\0', 'latin1');

// Another process may have just created the file and not written its first page yet.
const emptyChecksMax = 20;
const emptyCheckMs = 50;

/** Read-only: opening a foreign file could damage it, a pipe would block. @throws {DatabaseFileFault} */
export async function checkDatabaseFile(file: string): Promise<void> {
  let found = statOrNull(file);
  if (found === null) {
    assertMayWrite(nearestFolder(dirname(file)));
    return;
  }
  if (found.isDirectory()) throw new DatabaseFileFault('EISDIR', file);
  if (!found.isFile()) throw new DatabaseFileFault('NO_FILE', file);
  for (let attempt = 0; found?.size === 0; attempt += 1) {
    if (attempt === emptyChecksMax) throw new DatabaseFileFault('EMPTY', file);
    await sleep(emptyCheckMs);
    found = statOrNull(file);
  }
  assertMayWrite(file);
  assertMayWrite(dirname(file));
  if (!firstBytes(file).equals(magic)) throw new DatabaseFileFault('NO_DATABASE', file);
}

/** Not by `recursive: true`: Node loops forever below /proc. @throws {DatabaseFileFault} */
export function createFolder(folder: string): void {
  if (statOrNull(folder)?.isDirectory() === true) return;
  const above = dirname(folder);
  if (above !== folder) createFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && statOrNull(folder)?.isDirectory() === true) {
      return;
    }
    throw toFileFault(error, folder);
  }
}

export function toFileFault(error: unknown, path: string): DatabaseFileFault {
  return new DatabaseFileFault((error as NodeJS.ErrnoException).code ?? String(error), path, {
    cause: error,
  });
}

function nearestFolder(folder: string): string {
  const found = statOrNull(folder);
  if (found?.isDirectory() === true) return folder;
  if (found !== null) throw new DatabaseFileFault('ENOTDIR', folder);
  return dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw toFileFault(error, path);
  }
}

function assertMayWrite(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw toFileFault(error, path);
  }
}

function firstBytes(file: string): Buffer {
  const bytes = Buffer.alloc(magic.length);
  const open = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(open, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(open);
  }
}

// Copies the database file before migrations, so that an operator can go back to the older version.

/** Kept free for the migrations and the WAL. */
const spareBytes = 128 * 1024 * 1024;

/** `there`: made by an earlier start before the same migration. */
type PreMigrationCopy =
  | { readonly outcome: 'now' | 'there'; readonly copy: string }
  | { readonly outcome: 'no room'; readonly copy: string; readonly needsBytes: number };

/** Copies `file`, WAL included, to `FILE.before-MIGRATION` (0600), atomically. Others may write meanwhile. */
export async function copyBeforeMigration(file: string, migration: string): Promise<PreMigrationCopy> {
  const copy = `${file}.before-${migration}`;
  if (existsSync(copy)) return { outcome: 'there', copy };
  const needsBytes = sizeOf(file) + sizeOf(`${file}-wal`) + spareBytes;
  const { bavail, bsize } = await statfs(dirname(file));
  if (bavail * bsize < needsBytes) return { outcome: 'no room', copy, needsBytes };
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
  return { outcome: 'now', copy };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
