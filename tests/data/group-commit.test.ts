import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import type { Db, Query } from '../../data/db.ts';
import { openSqlite, type SqliteOptions } from '../../data/drivers/sqlite.ts';
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'notifier-test-'));
let file = '';
let db: Db;
let number = 0;

async function open(options: SqliteOptions = {}): Promise<void> {
  number += 1;
  file = join(folder, `${number}`, 'notifier.db');
  db = openSqlite(file, options);
  await db.run('CREATE TABLE words (word TEXT PRIMARY KEY)');
}

function add(word: string): (tx: Query) => Promise<string> {
  return async (tx) => {
    await tx.run('INSERT INTO words (word) VALUES ($1)', [word]);
    return word;
  };
}

async function commitsOf(bytes: Readonly<Record<string, number>>): Promise<string[][]> {
  const watcher = new Database(file);
  const commits = new Map<unknown, string[]>();
  const adding = Object.entries(bytes).map(async ([word, size]) => {
    await db.write(add(word), size);
    // The answers of a commit are all heard before the next one begins.
    const version = watcher.pragma('data_version', { simple: true });
    commits.set(version, [...(commits.get(version) ?? []), word]);
  });
  await Promise.all(adding);
  watcher.close();
  return [...commits.values()];
}

async function words(): Promise<string[]> {
  return (await db.all<{ word: string }>('SELECT word FROM words ORDER BY word')).map((row) => row.word);
}

beforeEach(() => open());
afterEach(() => db.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('group commit', () => {
  it('commits many jobs at once, in their order, and answers each after the commit', async () => {
    let commits = 0;
    const watcher = new Database(file);
    const version = () => watcher.pragma('data_version', { simple: true });
    let before = version();
    const seen = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const word = await db.write(add(String(index).padStart(3, '0')));
        if (version() !== before) commits += 1;
        before = version();
        return watcher.prepare('SELECT COUNT(*) FROM words WHERE word = ?').pluck().get(word);
      }),
    );
    watcher.close();
    expect(seen.every((count) => count === 1)).toBe(true);
    expect(commits).toBeGreaterThanOrEqual(1);
    expect(commits).toBeLessThanOrEqual(10);
    expect(await words()).toHaveLength(200);
  });

  it('rolls back only a job that throws', async () => {
    const fails = async (tx: Query): Promise<string> => {
      await add('half')(tx);
      throw new Error('no');
    };
    const repeats = async (tx: Query): Promise<string> => {
      await add('also half')(tx);
      return add('a')(tx);
    };
    const results = await Promise.allSettled([
      db.write(add('a')),
      db.write(fails),
      db.write(repeats),
      db.write(add('b')),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await words()).toEqual(['a', 'b']);
  });

  it('never runs two jobs at once', async () => {
    let running = 0;
    const most = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        db.write(async (tx) => {
          running += 1;
          const now = running;
          await add(`${index}`)(tx);
          await tx.get('SELECT 1');
          running -= 1;
          return now;
        }),
      ),
    );
    expect(Math.max(...most)).toBe(1);
  });

  it('fails a job that awaits something other than its queries, and only that one', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const waits = async (tx: Query): Promise<void> => {
      await add('half')(tx);
      await nextTurn();
      await nextTurn();
      late = expect(tx.run('SELECT 1')).rejects.toThrow('ended');
      await late;
    };
    const results = await Promise.allSettled([
      db.write(add('a')),
      db.write(waits),
      db.write(add('b')),
      db.write(waits),
      db.write(add('c')),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    await nextTurn();
    await late;
    expect(await words()).toEqual(['a', 'b', 'c']);
  });

  it('refuses at once when too many jobs wait, or too many bytes', async () => {
    await db.close();
    await open({ limits: { waitingJobsMax: 3, waitingBytesMax: 100 } });
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((word) => db.write(add(word))));
    expect(results[3]).toMatchObject({ status: 'rejected', reason: expect.any(StoreBusyError) });
    const heavy = await Promise.allSettled([
      db.write(add('e'), 150),
      db.write(add('f'), 50),
      db.write(add('g'), 0),
    ]);
    expect(heavy.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await db.write(add('h'), 99);
    expect(await words()).toEqual(['a', 'b', 'c', 'e', 'h']);
  });

  it('splits what is more than one commit may take', async () => {
    await db.close();
    await open({ limits: { batchJobsMax: 2, batchBytesMax: 100, batchMsMax: 1000 } });
    const bytes = { a: 0, b: 60, c: 120, d: 0, e: 0, f: 0 };
    // Two jobs, or a hundred bytes; a job that is larger by itself has a commit of its own.
    expect(await commitsOf(bytes)).toEqual([['a', 'b'], ['c'], ['d', 'e'], ['f']]);
    expect(await words()).toHaveLength(6);
  });

  it('yields when a commit has run long, and continues with the rest', async () => {
    await db.close();
    let nowMs = 0;
    await open({ limits: { batchMsMax: 20, waitMsMax: 1e9 }, clock: () => (nowMs += 7) });
    const bytes = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`w${index}`, 0]));
    // After 7, 14 and 21 ms: with the third job a commit has run its 20 ms.
    expect((await commitsOf(bytes)).map((commit) => commit.length)).toEqual([3, 3, 3, 3, 3, 3, 2]);
    expect(await words()).toHaveLength(20);
  });

  it('finishes queued jobs before it closes, and accepts none afterwards', async () => {
    const waiting = db.write(add('a'));
    const closing = db.close();
    await expect(db.write(add('b'))).rejects.toBeInstanceOf(StoreUnavailableError);
    await Promise.all([waiting, closing]);
    await open();
    const reopened = new Database(join(folder, `${number - 1}`, 'notifier.db'));
    expect(reopened.prepare('SELECT word FROM words').pluck().all()).toEqual(['a']);
    reopened.close();
  });
});

describe('a database that cannot be written', () => {
  it('refuses a whole batch when the disk is full, still reads, and recovers with space', async () => {
    await db.write(add('kept'));
    const { page_count: pages } = (await db.get<{ page_count: number }>('PRAGMA page_count')) ?? {
      page_count: 0,
    };
    // The pragma holds for its connection: it has to be said inside a write.
    await db.write((tx) => tx.all(`PRAGMA max_page_count = ${pages + 2}`));
    const results = await Promise.allSettled([
      db.write(add('small')),
      db.write(add('big'.repeat(20_000))),
      db.write(add('other')),
    ]);
    expect(results.map((result) => (result.status === 'rejected' ? result.reason : null))).toEqual([
      expect.any(StoreUnavailableError),
      expect.any(StoreUnavailableError),
      expect.any(StoreUnavailableError),
    ]);
    expect(await words()).toEqual(['kept']);
    await db.write((tx) => tx.all('PRAGMA max_page_count = 1000000'));
    await db.write(add('big'.repeat(20_000)));
    expect(await words()).toHaveLength(2);
  });

  it('fails a job that swallows the error', async () => {
    const { page_count: pages } = (await db.get<{ page_count: number }>('PRAGMA page_count')) ?? {
      page_count: 0,
    };
    await db.write((tx) => tx.all(`PRAGMA max_page_count = ${pages + 2}`));
    const swallows = (tx: Query) => add('big'.repeat(20_000))(tx).catch(() => 'fine');
    await expect(db.write(swallows)).rejects.toBeInstanceOf(StoreUnavailableError);
  });

  it('waits for another process that writes, and is refused when that takes too long', async () => {
    await db.close();
    await open({ limits: { waitMsMax: 250 }, random: () => 0 });
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const waits = db.write(add('a'));
    const turns = { count: 0 };
    const turning = setInterval(() => {
      turns.count += 1;
    }, 1);
    await expect(waits).rejects.toBeInstanceOf(StoreBusyError);
    clearInterval(turning);
    // Waiting happens outside the driver: the process turned meanwhile.
    expect(turns.count).toBeGreaterThan(1);
    const second = db.write(add('b'));
    other.exec('COMMIT');
    other.close();
    expect(await second).toBe('b');
    expect(await words()).toEqual(['b']);
  });
});

describe('the file', () => {
  it('has mode 0600, WAL, and synced checkpoints on both connections', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    const settings = async (query: Pick<Query, 'get'>) => [
      await query.get('PRAGMA journal_mode'),
      await query.get('PRAGMA synchronous'),
      await query.get('PRAGMA foreign_keys'),
      await query.get('PRAGMA auto_vacuum'),
    ];
    const expected = [{ journal_mode: 'wal' }, { synchronous: 1 }, { foreign_keys: 1 }, { auto_vacuum: 2 }];
    expect(await settings(db)).toEqual(expected);
    expect(await db.write((tx) => settings(tx))).toEqual(expected);
    // And again on a file that was there already.
    await db.write(add('a'));
    await db.close();
    db = openSqlite(file);
    expect(await settings(db)).toEqual(expected);
    expect(await db.write((tx) => settings(tx))).toEqual(expected);
    await expect(db.all('INSERT INTO words (word) VALUES ($1) RETURNING word', ['x'])).rejects.toThrow();
  });

  it('of :memory: is dropped at close', async () => {
    const memory = openSqlite(':memory:');
    await memory.run('CREATE TABLE t (a INTEGER)');
    const [{ file: path = '' } = {}] = await memory.all<{ file: string }>('PRAGMA database_list');
    const made = dirname(path);
    expect(readdirSync(made)).toContain('notifier.db');
    // No commit waits for a disk that the file does not outlive.
    const synchronous = (query: Pick<Query, 'get'>) => query.get('PRAGMA synchronous');
    expect(await synchronous(memory)).toEqual({ synchronous: 0 });
    expect(await memory.write(synchronous)).toEqual({ synchronous: 0 });
    await memory.close();
    expect(existsSync(made)).toBe(false);
  });

  it('binds parameters by number, as often as they stand and whatever they are', async () => {
    const row = await db.get('SELECT $2 AS b, $1 AS a, $2 AS again, $3 AS c, $4 AS d, $10 AS ten', [
      'one',
      2 ** 52,
      null,
      new Uint8Array([1, 2]),
      5,
      6,
      7,
      8,
      9,
      'ten',
    ]);
    expect(row).toMatchObject({ a: 'one', b: 2 ** 52, again: 2 ** 52, c: null, ten: 'ten' });
  });
});
