import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { openSqlite } from '../../data/drivers/sqlite.ts';
import type { SyncFile } from '../../data/drivers/sqlite-connections.ts';
import { StoreUnavailableError } from '../../src/core/errors.ts';
import { forEachTest } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

let file: string;
const folder = forEachTest(() => temporaryFolder());
beforeEach(() => {
  file = join(folder.path, 'notifier.db');
});

function slowDisk() {
  const asked: Array<(error: Error | null) => void> = [];
  const syncFile: SyncFile = (_file, done) => void asked.push(done);
  return { asked, syncFile };
}

function failingDisk(failures: number) {
  let left = failures;
  const syncFile: SyncFile = (_file, done) => {
    left -= 1;
    setImmediate(done, left >= 0 ? new Error('EIO') : null);
  };
  return syncFile;
}

it('a write is answered after fsync, and not at the commit', async () => {
  const { asked, syncFile } = slowDisk();
  const db = openSqlite(file, { syncFile });
  let isAnswered = false;
  const written = db.run('CREATE TABLE words (word TEXT)').then(() => {
    isAnswered = true;
  });
  await until(() => asked.length === 1);
  expect(await db.get('SELECT name FROM sqlite_schema')).toEqual({ name: 'words' });
  expect(isAnswered).toBe(false);
  asked[0]?.(null);
  await written;
  // What came meanwhile shares the next commit, and waits for a word of its own.
  const two = [1, 2].map((word) => db.run('INSERT INTO words (word) VALUES ($1)', [String(word)]));
  await until(() => asked.length === 2);
  asked[1]?.(null);
  await Promise.all(two);
  expect(asked).toHaveLength(2);
  await db.close();
});

it('writes whose fsync fails are refused, and the next ones are accepted', async () => {
  const db = openSqlite(file, { syncFile: failingDisk(1) });
  await expect(db.run('CREATE TABLE words (word TEXT)')).rejects.toThrow(StoreUnavailableError);
  await db.run("INSERT INTO words (word) VALUES ('a')");
  expect(await db.all('SELECT word FROM words')).toEqual([{ word: 'a' }]);
  await db.close();
});

it('nothing is written after a failed fsync before a checkpoint', async () => {
  const db = openSqlite(file, { syncFile: failingDisk(1) });
  await expect(db.run('CREATE TABLE words (word TEXT)')).rejects.toThrow(StoreUnavailableError);
  const log = `${file}-wal`;
  expect(statSync(log).size).toBeGreaterThan(0);
  // Who reads keeps the log from being folded in whole.
  const reader = new Database(file, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM words').get();
  const before = statSync(log).size;
  await expect(db.run("INSERT INTO words (word) VALUES ('a')")).rejects.toThrow(StoreUnavailableError);
  expect(statSync(log).size).toBe(before);
  reader.exec('COMMIT');
  reader.close();
  await db.run("INSERT INTO words (word) VALUES ('b')");
  expect(await db.all('SELECT word FROM words')).toEqual([{ word: 'b' }]);
  await db.close();
  expect(existsSync(log)).toBe(false);
});
