import { chmodSync, close, fdatasync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StoreUnavailableError } from '../../src/core/errors.ts';
import { createFolder, DatabaseFileFault, toFileFault } from './sqlite-file.ts';

export interface SqliteConnections {
  readonly writer: Database.Database;
  readonly reader: Database.Database;
  readonly log: WalSync;
  /** Checkpoints the write-ahead log, closes both connections, and removes a temporary file. */
  close(): void;
}

/** Older versions can lose commits when two connections write and checkpoint at once. */
const oldestSqlite = [3, 51, 3] as const;

// better-sqlite3 blocks the event loop while it waits for a lock; the write queue retries later instead.
const lockWaitMsMax = 50;

const synchronousLevels = { OFF: 0, NORMAL: 1 } as const;

// The WAL is truncated to this after a checkpoint. Normally it stays at 4 MiB, so this only cuts bursts.
const walBytesMax = 16 * 1024 * 1024;

// Of each connection. More is no faster, since the system caches the file too; better-sqlite3 takes 16 MB.
const pageCacheKiB = 4096;

/** Opens or creates `file` (0600) in its folder (0700). `onlyOurs` refuses a file with other tables. */
export function openConnections(
  file: string,
  options: { onlyOurs?: boolean; isUnsynced?: boolean; syncFile?: SyncFile | undefined } = {},
): SqliteConnections {
  const throwAway = file === ':memory:';
  const path = throwAway ? join(temporaryFolder(), 'notifier.db') : file;
  createFolder(dirname(path));
  const writer = new Database(path, { timeout: lockWaitMsMax });
  try {
    const { onlyOurs = false, isUnsynced = throwAway, syncFile } = options;
    return openConfigured(path, writer, { throwAway, onlyOurs, isUnsynced, syncFile });
  } catch (error) {
    writer.close();
    if (throwAway) rmSync(dirname(path), { recursive: true, force: true });
    throw error;
  }
}

function openConfigured(
  path: string,
  writer: Database.Database,
  options: { throwAway: boolean; onlyOurs: boolean; isUnsynced: boolean; syncFile: SyncFile | undefined },
): SqliteConnections {
  const tables = tablesOf(writer);
  if (options.onlyOurs && tables.length > 0 && !tables.includes('schema_migrations')) {
    throw new DatabaseFileFault('NOT_OURS', path);
  }
  setMode(path);
  assertVersion(writer);
  const synchronous = options.isUnsynced ? synchronousLevels.OFF : synchronousLevels.NORMAL;
  configure(writer, { synchronous, isNew: tables.length === 0 });
  const reader = new Database(path, { timeout: lockWaitMsMax });
  configure(reader, { synchronous, isNew: false });
  reader.pragma('query_only = ON');
  const log = options.isUnsynced ? noWalSync : openWalSync(path, options.syncFile);
  return {
    writer,
    reader,
    log,
    close() {
      log.close();
      reader.close();
      if (writer.open) {
        if (!options.throwAway) checkpointWal(writer);
        writer.close();
      }
      if (options.throwAway) rmSync(dirname(path), { recursive: true, force: true });
    },
  };
}

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'notifier-'));
  } catch (error) {
    throw toFileFault(error, tmpdir());
  }
}

function setMode(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    throw toFileFault(error, path);
  }
}

function tablesOf(connection: Database.Database): unknown[] {
  return connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
}

// With NORMAL, SQLite syncs only around checkpoints; openWalSync makes commits durable. A temporary file is not synced.
function configure(
  connection: Database.Database,
  { synchronous, isNew }: { synchronous: number; isNew: boolean },
): void {
  // First, because the following pragmas write the first page of a new file.
  connection.pragma(`synchronous = ${synchronous}`);
  // Has no effect once a table exists; and a file that may be refused must not be written.
  if (isNew) connection.pragma('auto_vacuum = INCREMENTAL');
  connection.pragma('journal_mode = WAL');
  connection.pragma('foreign_keys = ON');
  // What is erased is overwritten, also in pages that become free (docs/personal-data.md).
  connection.pragma('secure_delete = ON');
  connection.pragma(`journal_size_limit = ${walBytesMax}`);
  connection.pragma(`cache_size = -${pageCacheKiB}`);
  assertSetting(connection, 'journal_mode', 'wal');
  assertSetting(connection, 'synchronous', synchronous);
}

function assertSetting(connection: Database.Database, name: string, expected: unknown): void {
  const actual = connection.pragma(name, { simple: true });
  if (actual !== expected) {
    throw new DatabaseFileFault('SETTING', `${name}=${String(expected)}`);
  }
}

function assertVersion(connection: Database.Database): void {
  const version = String(connection.prepare('SELECT sqlite_version()').pluck().get());
  const numbers = version.split('.').map(Number);
  for (const [index, oldest] of oldestSqlite.entries()) {
    const actual = numbers[index] ?? 0;
    if (actual > oldest) return;
    if (actual < oldest) throw new DatabaseFileFault('OLD_SQLITE', version);
  }
}

export function checkpointWal(writer: Database.Database): void {
  try {
    writer.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // A full disk must not prevent shutdown: the WAL is read at the next start.
  }
}

/** Runs a full checkpoint with sync. @throws {StoreUnavailableError} while a reader prevents it. */
export function checkpointWalFully(writer: Database.Database): void {
  const [folded] = writer.pragma('wal_checkpoint(TRUNCATE)') as Array<{ busy: number }>;
  if (folded?.busy !== 0)
    throw new StoreUnavailableError('The write-ahead log cannot be checkpointed while a reader is active.');
}

// Syncs the WAL of a SQLite file (fdatasync) in libuv's thread pool, so that the event loop does not wait.

export interface WalSync {
  /** Resolves when all earlier commits are on disk. @throws {StoreUnavailableError} when the sync fails. */
  synced(): Promise<void>;
  /** A sync failed since `clearFailure`. The next may succeed although data was lost: an error is reported once. */
  hasFailed(): boolean;
  /** Clears the doubt, after a checkpoint with successful syncs. */
  clearFailure(): void;
  close(): void;
}

export type SyncFile = (file: number, done: (error: Error | null) => void) => void;

/** Both connections keep the log open, and SQLite holds no POSIX locks on it that closing would drop. */
function openWalSync(file: string, sync: SyncFile = fdatasync): WalSync {
  const log = openSync(`${file}-wal`, 'r+');
  let pending = 0;
  let hasFailed = false;
  let isClosed = false;
  const closeUnused = (): void => {
    if (isClosed && pending === 0) close(log, () => {});
  };
  return {
    synced: () =>
      new Promise((resolve, reject) => {
        pending += 1;
        sync(log, (error) => {
          pending -= 1;
          closeUnused();
          if (error === null) return resolve();
          hasFailed = true;
          reject(
            new StoreUnavailableError('The database log could not be synced to disk.', { cause: error }),
          );
        });
      }),
    hasFailed: () => hasFailed,
    clearFailure() {
      hasFailed = false;
    },
    close() {
      isClosed = true;
      closeUnused();
    },
  };
}

const noWalSync: WalSync = {
  synced: async () => {},
  hasFailed: () => false,
  clearFailure() {},
  close() {},
};
