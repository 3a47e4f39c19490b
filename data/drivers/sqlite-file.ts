// Checks of a SQLite file before it is opened. src/app/database-errors.ts words the error codes.
import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type FileFaultCode = 'EMPTY' | 'NO_FILE' | 'NO_DATABASE' | 'NOT_OURS' | 'SETTING' | 'OLD_SQLITE';

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
const emptyLooks = 20;
const emptyLookMs = 50;

/** Read-only: opening a foreign file could damage it, a pipe would block. @throws {DatabaseFileFault} */
export async function checkDatabaseFile(file: string): Promise<void> {
  let found = statOrNull(file);
  if (found === null) {
    assertMayWrite(nearestFolder(dirname(file)));
    return;
  }
  if (found.isDirectory()) throw new DatabaseFileFault('EISDIR', file);
  if (!found.isFile()) throw new DatabaseFileFault('NO_FILE', file);
  for (let look = 0; found?.size === 0; look += 1) {
    if (look === emptyLooks) throw new DatabaseFileFault('EMPTY', file);
    await sleep(emptyLookMs);
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
