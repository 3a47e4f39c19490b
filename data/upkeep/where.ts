// Which database an address names, and a way to ask it that writes nothing.
import Database from 'better-sqlite3';
import type { StatementNaming } from '../drivers/postgres-connections.ts';
import { queriesOf } from '../drivers/sqlite-queries.ts';
import { isPostgres, lookAtDatabase, openDb, sqlitePath } from '../open-store.ts';
import type { Reading } from './facts.ts';

/** The settings of the database, by their names in the configuration. */
interface DatabaseSettings {
  readonly databaseUrl: string;
  readonly databasePoolMax: number;
  readonly databaseStatements: StatementNaming;
}

const lockWaitMsMax = 5_000;

/** The whole path of a database's file, or `:memory:`; null where the address names PostgreSQL. */
export function fileOf(databaseUrl: string): string | null {
  return isPostgres(databaseUrl) ? null : sqlitePath(databaseUrl);
}

/**
 * Opens a database as `openReading` does, looking first whether the server could use it.
 * @throws what is wrong, for src/program/database-failure.ts to word.
 */
export async function openUsable(settings: DatabaseSettings): ReturnType<typeof openReading> {
  await lookAtDatabase(settings.databaseUrl);
  return openReading(settings);
}

/** Opens a database that is there, to ask it; its schema may be of any age. */
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
