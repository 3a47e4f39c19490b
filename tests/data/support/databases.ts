// The databases that the store suite runs on, each test with an empty one of its own.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { Db } from '../../../data/db.ts';
import { openDb, openStore, type StoreOptions } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { describeWithPrograms, programPath } from '../../support/needs.ts';
import { forEachTest } from '../../support/shared.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { addsTests } from '../../support/test-level.ts';
import { writeMigratedFile } from '../../support/throw-away-database.ts';
import { startMs } from './events.ts';
import { postgresDatabase } from './postgres.ts';
import type { TestDatabase } from './test-database.ts';

export { startMs } from './events.ts';
export type { TestDatabase };

/** SQLite in a folder that is removed by `end`. */
export function sqliteDatabase(): TestDatabase {
  let folder: ReturnType<typeof temporaryFolder> | null = null;
  let made = 0;
  const newFile = (): string => {
    folder ??= temporaryFolder();
    made += 1;
    return join(folder.path, String(made), 'notifier.db');
  };
  return {
    name: 'SQLite',
    create: async () => `sqlite:${newFile()}`,
    async createMigrated() {
      const file = newFile();
      mkdirSync(dirname(file));
      await writeMigratedFile(file);
      return `sqlite:${file}`;
    },
    end: async () => folder?.remove(),
  };
}

export const sqlite = sqliteDatabase();

/**
 * Both, or SQLite alone: in `npm test`, and, loudly and not in continuous integration, where PostgreSQL is
 * not installed. They end after all tests of a file.
 */
export const databases: readonly TestDatabase[] = availableDatabases();

afterAll(async () => {
  for (const database of databases) await database.end();
});

function availableDatabases(): TestDatabase[] {
  if (!addsTests()) return [sqlite];
  if (programPath('initdb') !== null && programPath('postgres') !== null) {
    return [sqlite, postgresDatabase()];
  }
  describeWithPrograms('the store suite on PostgreSQL', ['initdb', 'postgres'], () => {});
  return [sqlite];
}

/** A store with one project, number 1. */
export async function storeWithProject(
  database: TestDatabase,
  limits: NonNullable<StoreOptions['limits']> = {},
): Promise<Store> {
  return storeAt(await database.createMigrated(), limits);
}

/** The same in the empty database of an address. */
export async function storeAt(
  address: string,
  limits: NonNullable<StoreOptions['limits']> = {},
): Promise<Store> {
  const store = await openStore(address, {
    now: () => startMs,
    log: silentLog,
    limits,
    isUnsynced: true,
    // A machine may be slow.
    timeoutFactor: 30,
  });
  await store.createProject({ name: 'shop', createdAtMs: startMs });
  return store;
}

/** An empty store with one project, another one for each test of a block. */
export function storeForEachTest(
  database: TestDatabase,
  limits: NonNullable<StoreOptions['limits']> = {},
): Store {
  return forEachTest(() => storeWithProject(database, limits));
}

/** A store with one project, a connection of a test's own to its database, and the database's address. */
interface Opened {
  readonly store: Store;
  readonly db: Db;
  /** Of the database that a test has: to be asked within it. */
  url(): string;
}

/** The same with a connection to its database. */
export function storeAndDbForEachTest(database: TestDatabase): Opened {
  let url = '';
  const store = forEachTest(async () => {
    url = await database.createMigrated();
    return storeAt(url);
  });
  return { store, db: forEachTest(() => openDb(url, { isUnsynced: true })), url: () => url };
}
