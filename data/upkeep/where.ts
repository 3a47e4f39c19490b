// Which database an address names, and a way to ask it that writes nothing.
import Database from 'better-sqlite3';
import { queriesOf } from '../drivers/sqlite-queries.ts';
import { isPostgres, lookAtDatabase, openDb, sqlitePath } from '../open-store.ts';
import type { Reading } from './facts.ts';

const lockWaitMsMax = 5_000;

/** The whole path of a database's file, or `:memory:`; null where the address names PostgreSQL. */
export function fileOf(databaseUrl: string): string | null {
  return isPostgres(databaseUrl) ? null : sqlitePath(databaseUrl);
}

/**
 * Opens a database as `openReading` does, looking first whether the server could use it.
 * @throws what is wrong, for src/program/database-failure.ts to word.
 */
export async function openUsable(databaseUrl: string): ReturnType<typeof openReading> {
  await lookAtDatabase(databaseUrl);
  return openReading(databaseUrl);
}

/** Opens a database that is there, to ask it; its schema may be of any age. */
export async function openReading(databaseUrl: string): Promise<Reading & { close(): Promise<void> }> {
  const file = fileOf(databaseUrl);
  if (file === null) return openDb(databaseUrl, {});
  const db =
    file === ':memory:'
      ? new Database(file)
      : new Database(file, { readonly: true, fileMustExist: true, timeout: lockWaitMsMax });
  return {
    dbms: 'sqlite',
    ...queriesOf(db),
    close: async () => {
      db.close();
    },
  };
}
