// A file of an older program is copied before its schema changes; a new one, and one that is up to date, is
// not.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/program/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const kept = join(import.meta.dirname, '../fixtures/databases');
const [version = ''] = readdirSync(kept);

describe('the file of an older program', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const said: string[] = [];
  const log = { ...silentLog, info: (_fields: object, message: string) => void said.push(message) };
  const open = async (path: string): Promise<void> =>
    (await openStore(`sqlite:${path}`, { now: () => 1_800_000_000_000, log })).close();
  const copiesIn = (name: string): string[] =>
    readdirSync(join(folder.path, name)).filter(
      (file) => file.includes('.before-') && !/-(wal|shm)$/.test(file),
    );

  it('is copied as it was, once, for its owner alone', async () => {
    mkdirSync(join(folder.path, 'older'));
    const path = join(folder.path, 'older', 'notifier.db');
    writeFileSync(path, gunzipSync(readFileSync(join(kept, version, 'notifier.db.gz'))));
    const namesIn = (file: string): unknown[] => {
      const db = new Database(file, { readonly: true });
      const names = db.prepare('SELECT id FROM schema_migrations ORDER BY id').pluck().all();
      db.close();
      return names;
    };
    const before = namesIn(path);
    await open(path);
    const [copy = '', ...more] = copiesIn('older');
    expect([copy, more]).toEqual([expect.stringMatching(/^notifier\.db\.before-\d{4}_[a-z_]+$/), []]);
    expect(statSync(join(folder.path, 'older', copy)).mode & 0o777).toBe(0o600);
    expect(namesIn(join(folder.path, 'older', copy))).toEqual(before);
    expect(namesIn(path).length).toBeGreaterThan(before.length);
    expect(said.filter((line) => line.startsWith('copied the database'))).toHaveLength(1);
    expect(said.at(-1)).toBe('database migrated');
    await open(path);
    expect(copiesIn('older')).toEqual([copy]);
  });

  it('is not copied where it is new', async () => {
    mkdirSync(join(folder.path, 'new'));
    await open(join(folder.path, 'new', 'notifier.db'));
    expect(copiesIn('new')).toEqual([]);
    expect(said.at(-1)).toBe('database made');
  });
});
