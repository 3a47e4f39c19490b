// openStore(url): the driver, the migrations, and every noun's queries joined into one Store.
import { resolve } from 'node:path';
import { newIssuesPerHourMax } from '../src/core/issues.ts';
import type { Store } from '../src/core/store.ts';
import type { Db } from './db.ts';
import { openSqlite } from './drivers/sqlite.ts';
import type { WriteQueueLimits } from './drivers/write-queue.ts';
import { type EventLimits, recordEvent } from './events.ts';
import { migrate } from './migrate.ts';

export interface StoreOptions {
  /** The time now, integer milliseconds since 1970. */
  readonly now: () => number;
  readonly limits?: Partial<EventLimits & WriteQueueLimits>;
}

/**
 * Opens the database that `databaseUrl` names, brings it to the newest schema and answers the store.
 * `sqlite:PATH`, `sqlite::memory:` (decision D-04).
 * @throws {SchemaMismatch} for a database of a newer program.
 */
export async function openStore(databaseUrl: string, options: StoreOptions): Promise<Store> {
  const db = openDb(databaseUrl, options);
  try {
    await migrate(db, options.now());
    return storeOf(db, { newIssuesPerHourMax, ...options.limits });
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Opens the database alone, without its schema. */
export function openDb(databaseUrl: string, options: Pick<StoreOptions, 'limits'>): Db {
  const sqlite = /^sqlite:(.+)$/.exec(databaseUrl)?.[1];
  if (sqlite === undefined) throw new Error('DATABASE_URL names no database that we know: sqlite:PATH.');
  return openSqlite(sqlite === ':memory:' ? sqlite : resolve(sqlite), { limits: options.limits ?? {} });
}

function storeOf(db: Db, limits: EventLimits): Store {
  return {
    recordEvent: (event) => recordEvent(db, limits, event),
    close: () => db.close(),
  } as Store;
}
