import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db, Query } from '../../data/db.ts';
import { openDb } from '../../data/open-store.ts';
import { databases } from './support/databases.ts';

const add = (tx: Query, word: string) => tx.run('INSERT INTO words (word) VALUES ($1)', [word]);

const failures: ReadonlyArray<readonly [name: string, fail: (tx: Query) => Promise<unknown>]> = [
  ['a name that is taken', (tx) => add(tx, 'known')],
  ['a value that a rule forbids', (tx) => tx.run("INSERT INTO words (word, size) VALUES ('x', 0)")],
  ['a missing value', (tx) => tx.run('INSERT INTO uses (word) VALUES (NULL)')],
  ['a reference to nothing', (tx) => tx.run("INSERT INTO uses (word) VALUES ('nothing')")],
  ['a table that is not there', (tx) => tx.get('SELECT 1 FROM nowhere')],
  ['text that is no SQL', (tx) => tx.all('SELECT FROM WHERE')],
];

describe.each(databases)('a statement that fails inside a write on $name', (database) => {
  let db: Db;
  const words = async () =>
    (await db.all<{ word: string }>('SELECT word FROM words ORDER BY word')).map((row) => row.word);

  beforeEach(async () => {
    db = await openDb(await database.create(), {});
    await db.run('CREATE TABLE words (word TEXT PRIMARY KEY, size INTEGER CHECK (size > 0))');
    await db.run('CREATE TABLE uses (word TEXT NOT NULL REFERENCES words (word))');
    await db.write((tx) => add(tx, 'known'));
  });
  afterEach(() => db.close());

  it.each(failures)(
    '%s: a job that catches it is rejected and rolled back all the same',
    async (_name, fail) => {
      const swallows = async (tx: Query): Promise<string> => {
        await add(tx, 'before');
        await fail(tx).catch(() => 'never mind');
        return 'kept';
      };
      await expect(db.write(swallows)).rejects.toThrow();
      expect(await words()).toEqual(['known']);
    },
  );

  it.each(failures)(
    '%s: the job gets the error, and its later queries fail with the same message',
    async (_name, fail) => {
      const heard: unknown[] = [];
      const goesOn = async (tx: Query): Promise<void> => {
        await fail(tx).catch((error: unknown) => heard.push(error));
        await add(tx, 'after').catch((error: unknown) => heard.push(error));
        throw new Error('said by the job');
      };
      await expect(db.write(goesOn)).rejects.toThrow('said by the job');
      expect(heard).toHaveLength(2);
      expect(heard[1]).toBe(heard[0]);
      expect(await words()).toEqual(['known']);
    },
  );

  it('fails only its own job', async () => {
    const fails = async (tx: Query): Promise<void> => {
      await add(tx, 'half');
      await add(tx, 'known').catch(() => {});
    };
    const results = await Promise.allSettled([
      db.write((tx) => add(tx, 'a')),
      db.write(fails),
      db.write((tx) => add(tx, 'b')),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await words()).toEqual(['a', 'b', 'known']);
  });

  it('is noticed even where the job does not wait for it', async () => {
    let left: Promise<unknown> = Promise.resolve();
    const leaves = async (tx: Query): Promise<string> => {
      await add(tx, 'before');
      left = add(tx, 'known').catch(() => {});
      return 'kept';
    };
    await expect(db.write(leaves)).rejects.toThrow();
    await left;
    expect(await words()).toEqual(['known']);
  });
});
