// The databases that the store suite runs on, each test with an empty one of its own.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach } from '@jest/globals';
import type { Db } from '../../../data/db.ts';
import { openDb, openStore, type StoreOptions } from '../../../data/open-store.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { silentLog } from '../../../src/program/log.ts';
import { describeWithPrograms, programPath } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { isFull } from '../../support/test-level.ts';
import { writeMigratedFile } from '../../support/throw-away-database.ts';
import { startMs } from './events.ts';
import { postgresDatabase } from './postgres.ts';
import type { TestDatabase } from './test-database.ts';

export { startMs } from './events.ts';
export type { TestDatabase };

/** SQLite in a folder that is removed at the end. */
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

/**
 * Both, or SQLite alone: in `npm test`, and, loudly and not in continuous integration, where PostgreSQL is
 * not installed.
 */
export const databases: readonly TestDatabase[] = availableDatabases();

function availableDatabases(): TestDatabase[] {
  if (!isFull) return [sqliteDatabase()];
  if (programPath('initdb') !== null && programPath('postgres') !== null) {
    return [sqliteDatabase(), postgresDatabase()];
  }
  describeWithPrograms('the store suite on PostgreSQL', ['initdb', 'postgres'], () => {});
  return [sqliteDatabase()];
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
  // A machine may be slow.
  const store = await openStore(address, { now: () => startMs, log: silentLog, limits, patience: 30 });
  await store.createProject({ name: 'shop', createdAtMs: startMs });
  return store;
}

/**
 * Hands each test of a block an empty store with one project; the last one and the database are closed at the
 * end.
 */
export function storeForEachTest(database: TestDatabase, take: (store: Store) => void): void {
  let store: Store | null = null;
  beforeEach(async () => {
    await store?.close();
    store = await storeWithProject(database);
    take(store);
  });
  afterAll(async () => {
    await store?.close();
    await database.end();
  });
}

/** A store with one project, a connection of a test's own to its database, and the database's address. */
interface Opened {
  readonly store: Store;
  readonly db: Db;
  readonly url: string;
}

/**
 * Hands each test of a block an empty store and a connection to its database; what was opened and the
 * database are closed at the end.
 */
export function storeAndDbForEachTest(
  database: TestDatabase,
  take: (opened: Opened) => void | Promise<void>,
): void {
  let opened: Opened | null = null;
  const close = async () => {
    await opened?.store.close();
    await opened?.db.close();
  };
  beforeEach(async () => {
    await close();
    const url = await database.createMigrated();
    opened = { store: await storeAt(url), db: await openDb(url, {}), url };
    await take(opened);
  });
  afterAll(async () => {
    await close();
    await database.end();
  });
}
