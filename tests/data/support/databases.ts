// The databases that the store suite runs on, each test with an empty one of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type StoreOptions } from '../../../data/open-store.ts';
import type { Store } from '../../../src/core/store.ts';
import { silentLog } from '../../../src/log.ts';

export interface TestDatabase {
  readonly name: string;
  /** The address of an empty database. */
  create(): Promise<string>;
  /** Ends what was started for all tests of a file. */
  end(): Promise<void>;
}

/** A moment at the beginning of an hour, so that a test says itself when an hour ends. */
export const startMs = 1_800_000_000_000 - (1_800_000_000_000 % 3_600_000);

/** SQLite in a folder that is removed at the end. */
export function sqliteDatabase(): TestDatabase {
  const folders: string[] = [];
  return {
    name: 'SQLite',
    async create() {
      const folder = mkdtempSync(join(tmpdir(), 'notifier-test-'));
      folders.push(folder);
      return `sqlite:${join(folder, 'data', 'notifier.db')}`;
    },
    async end() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const databases: readonly TestDatabase[] = [sqliteDatabase()];

/** A store with one project, number 1. */
export async function storeWithProject(
  database: TestDatabase,
  limits: NonNullable<StoreOptions['limits']> = {},
): Promise<Store> {
  const store = await openStore(await database.create(), { now: () => startMs, log: silentLog, limits });
  await store.createProject({ name: 'shop', createdAtMs: startMs });
  return store;
}
