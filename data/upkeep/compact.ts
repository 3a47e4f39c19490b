// Writing a SQLite file anew without its free pages, so that it gives room back by itself from then on. For a
// database that nobody else has open: nobody could write meanwhile, and the log becomes as large as the file.
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { assertRoom, UpkeepRefusal } from './files.ts';

export interface Compacted {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/** A command that has just ended may still be closing the file. */
const lockWaitMsMax = 2_000;

/**
 * Compacts a database. One transaction: whoever is killed in it leaves the file as it was.
 * @throws {UpkeepRefusal} where there is no database, others have it open, or room is missing; then nothing
 *   has changed.
 */
export async function compact(file: string): Promise<Compacted> {
  if (!existsSync(file)) throw new UpkeepRefusal(`There is no database at ${file}.`);
  const beforeBytes = statSync(file).size;
  // A copy while it is written, and the log that the file is made of.
  await assertRoom(file, 2 * beforeBytes);
  const db = new Database(file, { fileMustExist: true, timeout: lockWaitMsMax });
  try {
    // Said before the first look at the file: SQLite then takes it only where nobody else has it open.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('synchronous = FULL');
    db.exec('BEGIN EXCLUSIVE');
    const isOurs =
      db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get() !== undefined;
    db.exec('COMMIT');
    if (!isOurs) throw new UpkeepRefusal(`${file} is no database of this program.`);
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
    return new UpkeepRefusal(`${file} is in use: stop the server and what else has it open, then try again.`);
  }
  return new UpkeepRefusal(`${file} could not be written anew and is as it was (${code}: ${message}).`);
}
