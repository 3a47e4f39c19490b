import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db, Query } from '../../data/db.ts';
import { openSqlite } from '../../data/drivers/sqlite.ts';

let db: Db;

async function words(): Promise<string[]> {
  return (await db.all<{ word: string }>('SELECT word FROM words ORDER BY word')).map((row) => row.word);
}

function add(tx: Query, word: string): Promise<unknown> {
  return tx.run('INSERT INTO words (word) VALUES ($1)', [word]);
}

beforeEach(async () => {
  db = openSqlite(':memory:');
  await db.run('CREATE TABLE words (word TEXT PRIMARY KEY, rank INTEGER)');
  await add(db, 'kept');
});
afterEach(() => db.close());

describe('a job alone in its transaction', () => {
  it('is rolled back when it throws', async () => {
    const thrown = new Error('no');
    const job = db.write(async (tx) => {
      await add(tx, 'half');
      throw thrown;
    });
    await expect(job).rejects.toBe(thrown);
    await db.write((tx) => add(tx, 'next'));
    expect(await words()).toEqual(['kept', 'next']);
  });

  it('is rolled back when one of its statements fails, and rejects with that error', async () => {
    const job = db.write(async (tx) => {
      await add(tx, 'half');
      await add(tx, 'kept').catch(() => {});
    });
    await expect(job).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
    expect(await words()).toEqual(['kept']);
  });

  it('rejects with its own error where the database rolled back by itself', async () => {
    const job = db.write(async (tx) => {
      await add(tx, 'half');
      await tx.run("INSERT OR ROLLBACK INTO words (word) VALUES ('kept')");
    });
    await expect(job).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
    await db.write((tx) => add(tx, 'next'));
    expect(await words()).toEqual(['kept', 'next']);
  });
});

describe('a statement', () => {
  it('is planned once, independent of its values', async () => {
    await db.run('CREATE INDEX ranked ON words (word) WHERE rank = 1');
    const planOf = async (rank: string, values: number[]): Promise<string> => {
      const sql = `EXPLAIN QUERY PLAN SELECT word FROM words WHERE rank = ${rank}`;
      return JSON.stringify(await db.all(sql, values));
    };
    expect(await planOf('1', [])).toContain('ranked');
    expect(await planOf('$1', [1])).not.toContain('ranked');
  });

  it('takes any value as it is', async () => {
    const bytes = Buffer.from([0, 255]);
    const asked = 'SELECT $1 AS text, $2 AS whole, $3 AS part, $4 AS bytes, $5 AS none, typeof($1) AS type';
    const answer = await db.get(asked, ['012', 7, 1.5, bytes, null]);
    expect(answer).toEqual({ text: '012', whole: 7, part: 1.5, bytes, none: null, type: 'text' });
  });
});
