// Databases from before texts were folded: the first start folds what is there, whatever interrupts it.
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { migrate } from '../../data/migrate.ts';
import { openDb, openStore } from '../../data/open-store.ts';
import { foldStored } from '../../data/search.ts';
import type { Store } from '../../src/core/store/store.ts';
import { silentLog } from '../../src/program/log.ts';
import { databases, startMs, storeAt } from './support/databases.ts';
import { searchedTexts } from './support/searched-texts.ts';

const tables = [
  ...['issues', 'events', 'feedback', 'releases', 'deploys', 'test_runs', 'test_results', 'artifacts'],
];

/** Many more than the rows of this file take. */
const startsMax = 100;

describe.each(databases)('rows that nobody has folded on $name', (database) => {
  let address: string;
  let stores: Store[];
  let expected: number[];
  const open = async (): Promise<Store> => {
    const store = await openStore(address, { now: () => startMs, log: silentLog });
    stores.push(store);
    return store;
  };

  /** As version 0.1.0 left it: the columns are not there. */
  beforeEach(async () => {
    address = await database.createMigrated();
    const store = await storeAt(address);
    stores = [store];
    for (const [index, { keep }] of searchedTexts.entries()) {
      await keep(store, '<Straße>', `a${index}`);
      await keep(store, 'Ä!%', `b${index}`);
      await keep(store, 'plain', `c${index}`);
    }
    expected = await counts(store);
    await withDb(address, async (db) => {
      for (const table of tables) await db.run(`ALTER TABLE ${table} DROP COLUMN folded`);
      await db.run('DROP TABLE unfolded');
      await db.run("DELETE FROM schema_migrations WHERE id = '0060_folded'");
    });
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });
  afterAll(() => database.end());

  it('are found as if they had been written today', async () => {
    expect(expected.every((count) => count > 0)).toBe(true);
    expect(await counts(await open())).toEqual(expected);
  });

  it('are folded where they are more than ASCII, and only once', async () => {
    await open();
    await withDb(address, async (db) => {
      expect(await db.all('SELECT * FROM unfolded')).toEqual([]);
      const rows = await db.all('SELECT DISTINCT title, folded FROM events ORDER BY title');
      expect(rows).toEqual(expect.arrayContaining([{ title: 'plain', folded: null }]));
      expect(rows).toEqual(expect.arrayContaining([{ title: 'Ä!%', folded: 'ä!%\uffffcart.js' }]));
      await db.run('UPDATE events SET folded = NULL');
    });
    await open();
    await withDb(address, async (db) => {
      expect(await db.all('SELECT DISTINCT folded FROM events')).toEqual([{ folded: null }]);
    });
  });

  it('are folded where an earlier start was ended', async () => {
    let starts = 0;
    await withDb(address, async (db) => {
      await migrate(db, startMs);
      // Each start does a few slices: one that gets nowhere would begin for ever.
      while (starts < startsMax && !(await hasFolded(afterWrites(db, 3)))) starts += 1;
    });
    expect(starts).toBeGreaterThan(3);
    expect(starts).toBeLessThan(startsMax);
    expect(await counts(await open())).toEqual(expected);
  });

  it('are folded by two that start at once', async () => {
    await Promise.all([open(), open()]);
    expect(await counts(await open())).toEqual(expected);
  });
});

async function withDb(address: string, job: (db: Db) => Promise<unknown>): Promise<void> {
  const db = await openDb(address, {});
  try {
    await job(db);
  } finally {
    await db.close();
  }
}

async function counts(store: Store): Promise<number[]> {
  const found: number[] = [];
  for (const { count } of searchedTexts) found.push(await count(store, 'STRASSE'), await count(store, 'ä!%'));
  return found;
}

/** The same database, gone after so many transactions: the last of them is undone. */
function afterWrites(db: Db, writes: number): Db {
  let left = writes;
  return {
    ...db,
    write: (job, bytes) =>
      db.write(async (tx) => {
        const done = await job(tx);
        left -= 1;
        if (left < 0) throw new Error('the process ended');
        return done;
      }, bytes),
  };
}

async function hasFolded(db: Db): Promise<boolean> {
  try {
    await foldStored(db);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ message: 'the process ended' });
    return false;
  }
}
