// The thread of a backup or a restore: SQLite's calls last as long as the file is large, and who waits for
// them is told how far they are.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { queriesOf } from '../drivers/sqlite-queries.ts';
import { countThings, readSchema } from './facts.ts';
import type { CheckedFile, CopyTask, Heard } from './thread.ts';

/** A server that writes holds the file for moments. */
const lockWaitMsMax = 10_000;
/** What `quick_check` names of a file that is damaged: one is enough to refuse it, ten tell where. */
const faultsMax = 10;

const say = (heard: Heard): void => parentPort?.postMessage(heard);

try {
  const { source, copy, counts } = workerData as CopyTask;
  if (source !== null) {
    copyFile(source, copy);
    say({ kind: 'copied' });
  }
  say({ kind: 'checked', checked: await check(copy, counts) });
} catch (error) {
  const { code, message } = error as { code?: unknown; message?: unknown };
  say({ kind: 'failed', code: String(code ?? ''), message: String(message ?? error) });
}

/**
 * One read transaction over the whole file: what is committed later is not in the copy, and others go on
 * writing. In steps it would begin anew with each of their commits.
 */
function copyFile(source: string, copy: string): void {
  const db = new Database(source, { readonly: true, fileMustExist: true, timeout: lockWaitMsMax });
  try {
    // Of the copy: SQLite would have all of it on the disk at once, in its last step. Whoever started this
    // thread has that done bit by bit meanwhile (worker.ts), and knows the copy as whole only afterwards.
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
    const said = faults.map((row) => row.quick_check).filter((line) => line !== 'ok');
    const reading = { dbms: 'sqlite' as const, ...queriesOf(db) };
    return {
      faults: said,
      sqliteVersion: String(db.prepare('SELECT sqlite_version()').pluck().get()),
      schema: await readSchema(reading),
      counts: said.length > 0 || !isCounted ? {} : await countThings(reading),
    };
  } finally {
    db.close();
  }
}
