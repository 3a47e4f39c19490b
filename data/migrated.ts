// What is kept and said of a database that a start brings to the newest schema.
import type { Log } from '../src/core/ports/log.ts';
import { copyFileBefore } from './drivers/sqlite-copy.ts';
import { ourMigrations } from './migrate.ts';

/**
 * Before the first migration of a database of an older program: a copy of its file, said in one line. `file`
 * is null on PostgreSQL, whose copy is the operator's to make.
 */
export async function keepCopy(file: string | null, migration: string, log: Log): Promise<void> {
  if (file === null) {
    log.warn(
      { migration },
      'this database is brought to a newer schema; a copy of it is yours to make (pg_dump)',
    );
    return;
  }
  if (file === ':memory:') return;
  const { made, ...kept } = await copyFileBefore(file, migration);
  if (made === 'now') {
    log.info(kept, 'copied the database before its schema changes; remove the copy when you like');
  }
  if (made === 'no room') {
    log.warn(kept, 'there is no room for a copy of the database before its schema changes');
  }
}

/** Of a new database how many there were is enough: nobody has to look up what changed. */
export function sayMigrated(applied: readonly string[], log: Log): void {
  if (applied.length === 0) return;
  if (applied.length < ourMigrations().length) log.info({ applied }, 'database migrated');
  else log.info({ migrations: applied.length }, 'database made');
}
