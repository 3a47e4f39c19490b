import { afterEach, describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { migrate, readMigrations, SchemaMismatch } from '../../data/migrate.ts';
import { openDb } from '../../data/open-store.ts';
import { databases } from './support/databases.ts';

describe.each(databases)('migrations on $name', (database) => {
  let db: Db;
  const open = async (): Promise<Db> => {
    db = await openDb(await database.create(), {});
    return db;
  };
  afterEach(() => db.close());

  const first = { id: '0001_a', sql: '-- One; with a mark\nCREATE TABLE a (id {{identity}}, word TEXT);' };
  const second = {
    id: '0002_b',
    sql: "CREATE TABLE b (word TEXT PRIMARY KEY) {{clustered}};\nINSERT INTO b VALUES ('x');",
  };
  const third = { id: '0003_c', sql: 'CREATE TABLE c (id {{row_id}});' };

  it('applies every file once, in order, and late files of lower names too', async () => {
    await open();
    expect(await migrate(db, 7, [first, third])).toEqual(['0001_a', '0003_c']);
    expect(await migrate(db, 8, [first, third])).toEqual([]);
    expect(await migrate(db, 9, [first, second, third])).toEqual(['0002_b']);
    expect(await db.all('SELECT id, applied_at FROM schema_migrations ORDER BY id')).toEqual([
      { id: '0001_a', applied_at: 7 },
      { id: '0002_b', applied_at: 9 },
      { id: '0003_c', applied_at: 7 },
    ]);
    expect(await db.all('SELECT word FROM b')).toEqual([{ word: 'x' }]);
  });

  it('leaves no duplicate index', async () => {
    await open();
    await migrate(db, 1);
    const made = await db.all<{ sql: string }>(
      db.dbms === 'sqlite'
        ? "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        : 'SELECT indexdef AS sql FROM pg_indexes WHERE schemaname = current_schema()',
    );
    const columns = made.map(({ sql }) => sql.slice(sql.indexOf(' ON ')));
    expect(columns.length).toBeGreaterThan(50);
    expect(columns.filter((each, at) => columns.indexOf(each) !== at)).toEqual([]);
  });

  it('applies a migration completely or not at all', async () => {
    await open();
    const broken = { id: '0002_b', sql: 'CREATE TABLE b (word TEXT);\nCREATE TABLE b (word TEXT);' };
    await expect(migrate(db, 1, [first, broken])).rejects.toThrow();
    expect(await db.all('SELECT id FROM schema_migrations')).toEqual([{ id: '0001_a' }]);
    expect(await migrate(db, 1, [first, second])).toEqual(['0002_b']);
  });

  it('refuses a database of a newer version before it writes anything', async () => {
    await open();
    await migrate(db, 1, [first, second]);
    await expect(migrate(db, 2, [first, third])).rejects.toThrow(SchemaMismatch);
    expect(await db.all('SELECT id FROM schema_migrations ORDER BY id')).toEqual([
      { id: '0001_a' },
      { id: '0002_b' },
    ]);
  });

  it('refuses a database of before the first release before it writes anything', async () => {
    await open();
    const old = [
      { id: '0001_core', sql: first.sql },
      { id: '0002_releases', sql: second.sql },
    ];
    await migrate(db, 1, old);
    await expect(migrate(db, 2)).rejects.toThrow(
      new SchemaMismatch(
        'The database was made by a version of this program from before its first release (migration 0001_core), which this one cannot read.',
      ),
    );
    expect(await db.all('SELECT COUNT(*) AS n FROM schema_migrations')).toEqual([{ n: 2 }]);
  });

  it('refuses a database whose migrations had another text', async () => {
    await open();
    await migrate(db, 1, [first]);
    await expect(migrate(db, 2, [{ ...first, sql: `${first.sql} ` }])).rejects.toThrow('0001_a');
  });

  it('creates the current schema, with several starts at once', async () => {
    await open();
    const ids = readMigrations().map((migration) => migration.id);
    const applied = await Promise.all([migrate(db, 1), migrate(db, 1)]);
    expect(new Set(applied.flat())).toEqual(new Set(ids));
    expect(await migrate(db, 2)).toEqual([]);
    expect(await db.all('SELECT id FROM issues')).toEqual([]);
  });
});
