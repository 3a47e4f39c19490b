// VACUUMs a SQLite file that nobody else has open. The WAL becomes as large as the file.
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { assertDiskSpace, MaintenanceError } from './files.ts';

/** Another command may still be closing the file. */
const lockWaitMsMax = 2_000;

/** @throws {MaintenanceError} if there is no database, it is in use, or disk space is missing. */
export async function compact(file: string) {
  if (!existsSync(file)) throw new MaintenanceError(`There is no database at ${file}.`);
  const beforeBytes = statSync(file).size;
  // Space for VACUUM's copy and for the WAL.
  await assertDiskSpace(file, 2 * beforeBytes);
  const db = new Database(file, { fileMustExist: true, timeout: lockWaitMsMax });
  try {
    // Before the first read: SQLite then opens it only if nobody else has it open.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('synchronous = FULL');
    db.exec('BEGIN EXCLUSIVE');
    const isOurs =
      db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get() !== undefined;
    db.exec('COMMIT');
    if (!isOurs) throw new MaintenanceError(`${file} is no database of this program.`);
    db.pragma('auto_vacuum = INCREMENTAL');
    db.exec('VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw refusalOf(error, file);
  } finally {
    db.close();
  }
  return { beforeBytes, afterBytes: statSync(file).size };
}

function refusalOf(error: unknown, file: string): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new MaintenanceError(
      `${file} is in use: stop the server and what else has it open, then try again.`,
    );
  }
  return new MaintenanceError(`${file} could not be written anew and is as it was (${code}: ${message}).`);
}
