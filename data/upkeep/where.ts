// Opens the database of DATABASE_URL for reading.
import Database from 'better-sqlite3';
import type { StatementNaming } from '../drivers/postgres-connections.ts';
import { queriesOf } from '../drivers/sqlite-queries.ts';
import { isPostgres, lookAtDatabase, openDb, sqlitePath } from '../open-store.ts';
import type { Reading } from './facts.ts';

interface DatabaseSettings {
  readonly databaseUrl: string;
  readonly databasePoolMax: number;
  readonly databaseStatements: StatementNaming;
}

const lockWaitMsMax = 5_000;

/** The absolute path of a SQLite file, or `:memory:`; null for PostgreSQL. */
export function fileOf(databaseUrl: string): string | null {
  return isPostgres(databaseUrl) ? null : sqlitePath(databaseUrl);
}

/** Like `openReading`, after checking that the server could use it; database-failure.ts words errors. */
export async function openUsable(settings: DatabaseSettings): ReturnType<typeof openReading> {
  await lookAtDatabase(settings.databaseUrl);
  return openReading(settings);
}

/** Opens an existing database read-only, with any schema version. */
export async function openReading(settings: DatabaseSettings): Promise<Reading & { close(): Promise<void> }> {
  const { databaseUrl, databasePoolMax: connectionsMax, databaseStatements: statements } = settings;
  const file = fileOf(databaseUrl);
  if (file === null) return openDb(databaseUrl, { connectionsMax, statements });
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
