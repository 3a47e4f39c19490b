import Database from 'better-sqlite3';
import type { StatementNaming } from '../drivers/postgres-connections.ts';
import { createQueries } from '../drivers/sqlite-queries.ts';
import { isPostgresUrl, openDb, probeDatabase, sqlitePath } from '../open-store.ts';
import type { ReadOnlyDb } from './database-facts.ts';

interface DatabaseSettings {
  readonly databaseUrl: string;
  readonly databasePoolMax: number;
  readonly databaseStatements: StatementNaming;
}

const lockWaitMsMax = 5_000;

/** The absolute path of a SQLite file, or `:memory:`; null for PostgreSQL. */
export function databaseFileOf(databaseUrl: string): string | null {
  return isPostgresUrl(databaseUrl) ? null : sqlitePath(databaseUrl);
}

/** Like `openReadOnly`, after checking that the server could use it; database-errors.ts words errors. */
export async function openReadOnlyIfUsable(settings: DatabaseSettings): ReturnType<typeof openReadOnly> {
  await probeDatabase(settings.databaseUrl);
  return openReadOnly(settings);
}

/** Opens an existing database read-only, with any schema version. */
export async function openReadOnly(
  settings: DatabaseSettings,
): Promise<ReadOnlyDb & { close(): Promise<void> }> {
  const { databaseUrl, databasePoolMax: connectionsMax, databaseStatements: statements } = settings;
  const file = databaseFileOf(databaseUrl);
  if (file === null) return openDb(databaseUrl, { connectionsMax, statements });
  const db =
    file === ':memory:'
      ? new Database(file)
      : new Database(file, { readonly: true, fileMustExist: true, timeout: lockWaitMsMax });
  return {
    dbms: 'sqlite',
    ...createQueries(db),
    close: async () => {
      db.close();
    },
  };
}
