// Worker thread for backup and restore: SQLite's synchronous calls take as long as the file is large.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { createQueries } from '../drivers/sqlite-queries.ts';
import type { CheckedFile, CopyTask, CopyThreadMessage } from './copy-thread.ts';
import { countEntities, readSchema } from './database-facts.ts';

/** A running server holds locks only briefly. */
const lockWaitMsMax = 10_000;
const faultsMax = 10;

const send = (message: CopyThreadMessage): void => parentPort?.postMessage(message);

try {
  const { source, copy, counts } = workerData as CopyTask;
  if (source !== null) {
    copyFile(source, copy);
    send({ kind: 'copied' });
  }
  send({ kind: 'checked', checked: await check(copy, counts) });
} catch (error) {
  const { code, message } = error as { code?: unknown; message?: unknown };
  send({ kind: 'failed', code: String(code ?? ''), message: String(message ?? error) });
}

/** VACUUM INTO reads in one transaction while others write; a backup in steps restarts with each commit. */
function copyFile(source: string, copy: string): void {
  const db = new Database(source, { readonly: true, fileMustExist: true, timeout: lockWaitMsMax });
  try {
    // Of the copy: SQLite would sync it all at its end. `syncInSteps` does it meanwhile; then it is trusted.
    db.pragma('synchronous = OFF');
    db.prepare('VACUUM INTO ?').run(copy);
  } finally {
    db.close();
  }
}

async function check(copy: string, isCounted: boolean): Promise<CheckedFile> {
  const db = new Database(copy, { readonly: true, fileMustExist: true, timeout: lockWaitMsMax });
  try {
    const faults = db.pragma(`quick_check(${faultsMax})`) as Array<{ quick_check: string }>;
    const problems = faults.map((row) => row.quick_check).filter((line) => line !== 'ok');
    const reading = { dbms: 'sqlite' as const, ...createQueries(db) };
    return {
      faults: problems,
      sqliteVersion: String(db.prepare('SELECT sqlite_version()').pluck().get()),
      schema: await readSchema(reading),
      counts: problems.length > 0 || !isCounted ? {} : await countEntities(reading),
    };
  } finally {
    db.close();
  }
}
