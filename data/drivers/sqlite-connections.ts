// Opens the two connections to a SQLite file with settings that are set and read back (D-04).
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { type LogSync, noLogSync, openLogSync, type SyncFile } from './log-sync.ts';
import { DatabaseFileFault, fileFault, makeFolder } from './sqlite-file.ts';

export interface SqliteConnections {
  readonly writer: Database.Database;
  readonly reader: Database.Database;
  /** Of what `writer` commits, which SQLite itself does not wait for. */
  readonly log: LogSync;
  /** Folds the write-ahead log into the file, closes both, and removes a throw-away file. */
  close(): void;
}

/** Older libraries can lose committed transactions when two connections write and checkpoint at once. */
const oldestSqlite = [3, 51, 3] as const;

/**
 * The driver is synchronous: while it waits for a lock nobody is answered. So it waits no longer than this,
 * and the write queue tries again later.
 */
const lockWaitMsMax = 50;

/** SQLite's numbers for `PRAGMA synchronous`, which it answers with when it is read back. */
const synchronousLevels = { OFF: 0, NORMAL: 1 } as const;

/**
 * The log is cut back to this after a checkpoint, so that what grew in a burst, or beside a long reader, does
 * not keep the disk for ever. A log that is folded in as it goes has 4 MiB: nothing is cut in vain.
 */
const walBytesMax = 16 * 1024 * 1024;

/**
 * Opens `file`, made with its folder where it is not there: the folder for its owner alone (0700), the file
 * as well (0600), for events hold personal data. With `onlyOurs` a file that holds the tables of another
 * program is left as it is.
 * @throws {DatabaseFileFault} and what SQLite says.
 */
export function openConnections(
  file: string,
  options: { onlyOurs?: boolean; isUnsynced?: boolean; syncFile?: SyncFile | undefined } = {},
): SqliteConnections {
  const throwAway = file === ':memory:';
  const path = throwAway ? join(temporaryFolder(), 'notifier.db') : file;
  makeFolder(dirname(path));
  const writer = new Database(path, { timeout: lockWaitMsMax });
  try {
    const { onlyOurs = false, isUnsynced = throwAway, syncFile } = options;
    return configured(path, writer, { throwAway, onlyOurs, isUnsynced, syncFile });
  } catch (error) {
    writer.close();
    if (throwAway) rmSync(dirname(path), { recursive: true, force: true });
    throw error;
  }
}

function configured(
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
  const log = options.isUnsynced ? noLogSync : openLogSync(path, options.syncFile);
  return {
    writer,
    reader,
    log,
    close() {
      log.close();
      reader.close();
      if (writer.open) {
        if (!options.throwAway) foldLog(writer);
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
    throw fileFault(error, tmpdir());
  }
}

function setMode(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    throw fileFault(error, path);
  }
}

function tablesOf(connection: Database.Database): unknown[] {
  return connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
}

/**
 * With NORMAL SQLite syncs the log before it is folded in, and the file after that, which keeps both whole;
 * that a commit is on the disk is log-sync.ts's affair. A throw-away file is gone with the process that a
 * crash would end: nothing of it waits for the disk.
 */
function configure(
  connection: Database.Database,
  { synchronous, isNew }: { synchronous: number; isNew: boolean },
): void {
  // Said first: what follows writes the first page of a new file.
  connection.pragma(`synchronous = ${synchronous}`);
  // Takes effect only before the first table is made; later it would only write to a file that may have to
  // stay as it is.
  if (isNew) connection.pragma('auto_vacuum = INCREMENTAL');
  connection.pragma('journal_mode = WAL');
  connection.pragma('foreign_keys = ON');
  connection.pragma(`journal_size_limit = ${walBytesMax}`);
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
    const ours = numbers[index] ?? 0;
    if (ours > oldest) return;
    if (ours < oldest) throw new DatabaseFileFault('OLD_SQLITE', version);
  }
}

/** Folds the log into the file, and cuts it to nothing where nobody reads it. */
export function foldLog(writer: Database.Database): void {
  try {
    writer.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // A full disk must not keep the process from ending: the log is read again at the next start.
  }
}

/**
 * The same, or StoreUnavailable: all that the log holds is in the file then, and synced there.
 */
export function foldWholeLog(writer: Database.Database): void {
  const [folded] = writer.pragma('wal_checkpoint(TRUNCATE)') as Array<{ busy: number }>;
  if (folded?.busy !== 0) throw new StoreUnavailable('The log cannot be folded in while somebody reads.');
}
