// One server at a time on a SQLite file. The lock is one of SQLite's own, on a file beside it: the system
// gives it back when the process ends, however it ends, and the database itself stays open to the command
// line.
import { chmodSync, existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { DatabaseFileFault, fileFault, makeFolder } from './sqlite-file.ts';

/** While it lasts no other server takes the file. */
export interface FileHold {
  release(): void;
}

/** Another start writes down who it is for so long at most. */
const waitMsMax = 1_000;

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since_ms: number;
}

/** How often the lock file may be removed by others, who end, while we take it. */
const triesMax = 100;

/**
 * Takes `file` for this server until it ends. Makes the folder where it is not there, and beside the file one
 * for the lock, which goes with `release`.
 * @throws {DatabaseFileFault} `IN_USE` with who has it; and what SQLite says.
 */
export function holdFile(file: string, nowMs: number): FileHold {
  const path = lockFileOf(file);
  for (let tries = 1; ; tries += 1) {
    const lock = new Database(path, { timeout: waitMsMax });
    try {
      if (holds(lock, path, nowMs)) return { release: () => release(lock, path) };
    } catch (error) {
      lock.close();
      throw error;
    }
    lock.close();
    if (tries >= triesMax) throw new DatabaseFileFault('IN_USE', 'processes that come and go');
  }
}

/** Whether the lock is ours; false where its file was removed meanwhile: then it keeps nobody away. */
function holds(lock: Database.Database, path: string, nowMs: number): boolean {
  const file = inodeOf(path);
  if (file === null) return false;
  setMode(path);
  take(lock);
  if (inodeOf(path) !== file) return false;
  // Read by whoever comes second: a transaction that holds the lock does not keep others from reading what
  // was committed before.
  lock.exec(`DROP TABLE IF EXISTS holder;
    CREATE TABLE holder (pid INTEGER NOT NULL, host TEXT NOT NULL, since_ms INTEGER NOT NULL)`);
  lock.prepare('INSERT INTO holder VALUES (?, ?, ?)').run(process.pid, hostname(), nowMs);
  lock.exec('COMMIT');
  take(lock);
  return inodeOf(path) === file;
}

/** Removed while the lock is held: whoever opened it meanwhile finds that it is another file by now. */
function release(lock: Database.Database, path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Where an open file cannot be removed it stays, and is taken by the next.
  }
  lock.close();
}

function inodeOf(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

/** Beside the file itself, however it is called: two links to one file are one database. */
function lockFileOf(file: string): string {
  try {
    makeFolder(dirname(file));
    const real = existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
    return `${real}-server`;
  } catch (error) {
    throw error instanceof DatabaseFileFault ? error : fileFault(error, file);
  }
}

function setMode(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    throw fileFault(error, path);
  }
}

/** Takes the lock without waiting for it: a server has it for hours, or not at all. */
function take(lock: Database.Database): void {
  lock.pragma('busy_timeout = 0');
  try {
    lock.exec('BEGIN IMMEDIATE');
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
    lock.pragma(`busy_timeout = ${waitMsMax}`);
    throw new DatabaseFileFault('IN_USE', holderOf(lock), { cause: error });
  }
  lock.pragma(`busy_timeout = ${waitMsMax}`);
}

/** Who has the file, in words. */
function holderOf(lock: Database.Database): string {
  try {
    const row = lock.prepare('SELECT pid, host, since_ms FROM holder').get() as Holder | undefined;
    if (row === undefined) return 'a process that is about to start';
    return `process ${row.pid} on ${row.host}, since ${new Date(row.since_ms).toISOString()}`;
  } catch {
    return 'a process that is about to start';
  }
}
