// What can be known of a SQLite file before it is opened, and making the folder it stands in. Nothing is
// written but that folder; what is wrong is said by a word that the sentences of
// src/program/database-failure.ts are made from.
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

/** What can be wrong that the system itself has no code for: with a file, or with the library on it. */
export type FileFault = 'EMPTY' | 'NO_FILE' | 'NO_DATABASE' | 'NOT_OURS' | 'SETTING' | 'OLD_SQLITE';

/**
 * The file that is named cannot be our database: `code` is a word of `FileFault` or the system's, such as
 * EISDIR.
 */
export class DatabaseFileFault extends Error {
  readonly code: string;
  /** The file or folder that is meant; the setting that does not hold; the version that is too old. */
  readonly path: string;

  constructor(code: FileFault | string, path: string, options?: ErrorOptions) {
    super(`${code}: ${path}`, options);
    this.code = code;
    this.path = path;
  }
}

/** Every SQLite database begins with these 16 bytes. */
const magic = Buffer.from('SQLite format 3\0', 'latin1');

/** Another start may have made the file a moment ago and be about to write its first page. */
const emptyLooks = 20;
const emptyLookMs = 50;

/**
 * Looks at the file of a database that is to be opened and at its folder, and changes neither: a file of
 * another kind could be spoilt by opening it, a pipe would be waited for without end. Nothing there at all is
 * fine where it can be made.
 * @throws {DatabaseFileFault}
 */
export async function lookAtFile(file: string): Promise<void> {
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
  // The write-ahead log is made beside the file.
  assertMayWrite(dirname(file));
  if (!firstBytes(file).equals(magic)) throw new DatabaseFileFault('NO_DATABASE', file);
}

/**
 * Makes a folder and what is missing above it, for its owner alone. One by one: told to make all of them,
 * Node tries for ever below /proc, where a folder is never there and can never be made.
 * @throws {DatabaseFileFault}
 */
export function makeFolder(folder: string): void {
  if (statOrNull(folder)?.isDirectory() === true) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another start was faster.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && statOrNull(folder)?.isDirectory() === true) {
      return;
    }
    throw fileFault(error, folder);
  }
}

/** The system's error on a path, by its code. */
export function fileFault(error: unknown, path: string): DatabaseFileFault {
  return new DatabaseFileFault((error as NodeJS.ErrnoException).code ?? String(error), path, {
    cause: error,
  });
}

/** Of a folder that may not be there, the nearest above it that is. */
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
    throw fileFault(error, path);
  }
}

function assertMayWrite(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw fileFault(error, path);
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
