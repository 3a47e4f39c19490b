import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { type Migration, migrate } from '../../data/migrate.ts';
import { backUpBeforeMigration, openDb, openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the database file of an earlier version', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const said: string[] = [];
  const log = { ...silentLog, info: (_fields: object, message: string) => void said.push(message) };
  const first = { id: '0001_a', sql: 'CREATE TABLE a (id {{identity}});' };
  const second = { id: '0002_b', sql: 'CREATE TABLE b (id {{identity}});' };
  const open = async (path: string, migrations: readonly Migration[]): Promise<void> => {
    const db = await openDb(`sqlite:${path}`, {});
    await migrate(db, 1, [...migrations], (missing) => backUpBeforeMigration(path, missing, log));
    await db.close();
  };
  const copiesIn = (name: string): string[] =>
    readdirSync(join(folder.path, name)).filter(
      (file) => file.includes('.before-') && !/-(wal|shm)$/.test(file),
    );

  it('is copied as it was, once, for its owner alone', async () => {
    mkdirSync(join(folder.path, 'older'));
    const path = join(folder.path, 'older', 'notifier.db');
    const namesIn = (file: string): unknown[] => {
      const db = new Database(file, { readonly: true });
      const names = db.prepare('SELECT id FROM schema_migrations ORDER BY id').pluck().all();
      db.close();
      return names;
    };
    await open(path, [first]);
    await open(path, [first, second]);
    const [copy = '', ...more] = copiesIn('older');
    expect([copy, more]).toEqual(['notifier.db.before-0002_b', []]);
    expect(statSync(join(folder.path, 'older', copy)).mode & 0o777).toBe(0o600);
    expect(namesIn(join(folder.path, 'older', copy))).toEqual(['0001_a']);
    expect(namesIn(path)).toEqual(['0001_a', '0002_b']);
    expect(said.filter((line) => line.startsWith('copied the database'))).toHaveLength(1);
    await open(path, [first, second]);
    expect(copiesIn('older')).toEqual([copy]);
  });

  it('is not copied where it is new', async () => {
    mkdirSync(join(folder.path, 'new'));
    const url = `sqlite:${join(folder.path, 'new', 'notifier.db')}`;
    await (await openStore(url, { now: () => 1_800_000_000_000, log })).close();
    expect(copiesIn('new')).toEqual([]);
    expect(said.at(-1)).toBe('database created');
  });
});
