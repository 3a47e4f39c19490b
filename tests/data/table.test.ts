// Tables as data/ describes them: each column is in the migrated schema and none is missing; statements are
// made from the names.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDb } from '../../data/open-store.ts';
import {
  absentAs,
  defaulted,
  flag,
  integer,
  json,
  named,
  nullable,
  tableOf,
  text,
} from '../../data/table.ts';
import { shared } from '../support/shared.ts';
import { databases, sqlite } from './support/databases.ts';

const described = new Map(tableOf.described);

interface SchemaColumn {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

describe('the declared tables', () => {
  const db = shared(async () => openDb(await sqlite.createMigrated(), { isUnsynced: true }));

  it.each([...described.keys()])('have every column of the schema and no other: %s', async (table) => {
    const schema = await db.all<SchemaColumn>(`SELECT * FROM pragma_table_info('${table}')`);
    const columns = described.get(table) ?? [];
    const names = columns.map((column) => column.name);
    expect(names.toSorted()).toEqual(schema.map((column) => column.name).toSorted());
    for (const { name, type, isNullable = false, isDefaulted } of columns) {
      const there = schema.find((column) => column.name === name);
      const isKey = there?.pk === 1 && there.type === 'INTEGER';
      const typeThere = there?.type.toLowerCase().replace('integer', 'bigint');
      expect({ name, type, isNullable }).toEqual({
        name,
        type: typeThere,
        isNullable: there?.notnull === 0 && there.pk === 0,
      });
      if (!isDefaulted) continue;
      expect([name, isKey || isNullable || there?.dflt_value !== null]).toEqual([name, true]);
    }
  });
});

describe.each(databases)('statements on a table of $name', (database) => {
  const db = shared(async () => openDb(await database.create(), {}));
  beforeAll(async () => {
    await db.write((tx) =>
      tx.run(
        `CREATE TABLE things (thing_id BIGINT PRIMARY KEY, name TEXT NOT NULL, is_on BIGINT NOT NULL, tags TEXT NOT NULL,
           kept_in TEXT NOT NULL, note TEXT, seen_ms BIGINT NOT NULL, changes BIGINT NOT NULL DEFAULT 1)`,
      ),
    );
  });

  const things = tableOf('things', {
    thingId: integer,
    name: text,
    isOn: flag,
    tags: json<string[]>(),
    folder: named('kept_in', absentAs('', text)),
    note: nullable(json<{ a: number }>()),
    seenMs: integer,
    changes: defaulted(integer),
  });
  const first = { thingId: 1, name: 'a', isOn: true, tags: ['x'], folder: null, note: null, seenMs: 5 };

  it('write and read rows by names, and refuse an object that lacks a column', async () => {
    await db.write(async (tx) => {
      expect(await things.insertReturning(tx, first)).toEqual({ ...first, changes: 1 });
      await things.insertMany(
        tx,
        [2, 3, 4].map((thingId) => ({ ...first, thingId, isOn: false, folder: 'f', note: { a: 1 } })),
      );
    });
    const { tags: _tags, ...lacking } = { ...first, thingId: 9 };
    // @ts-expect-error a column is missing
    await expect(db.write((tx) => things.insert(tx, lacking))).rejects.toThrow();
    await db.write((tx) => things.insert(tx, first, { onConflict: 'DO NOTHING' }));
    expect(await things.find(db, 'WHERE thing_id = $1', [1])).toEqual({ ...first, changes: 1 });
    expect(await things.find(db, 'WHERE thing_id = $1', [99])).toBeNull();
    expect(await things.only('name', 'isOn').list(db, 'WHERE thing_id = 1')).toEqual([
      { name: 'a', isOn: true },
    ]);
    expect(things.without('tags', 'note', 'changes').columns('t')).toBe(
      't.thing_id AS "thingId", t.name, t.is_on AS "isOn", t.kept_in AS "folder", t.seen_ms AS "seenMs"',
    );
  });

  it('insert under a condition, with a rule for an existing row', async () => {
    const onConflict = things.mergeOn({
      key: ['thingId'],
      otherwise: 'given unless null',
      rules: { name: 'SQL: things.name || $1', isOn: 'kept', seenMs: 'greatest' },
      extraAssignment: 'changes = things.changes + 1',
    });
    await db.write(async (tx) => {
      const never = { when: '1 = 0', onConflict: 'DO NOTHING' };
      expect(await things.insert(tx, { ...first, thingId: 7 }, never)).toBe(0);
      const given = { ...first, thingId: 8, note: { a: 2 } };
      expect(await things.insert(tx, given, { when: '1 = $1', values: [1] })).toBe(1);
      const clause = { onConflict, values: ['+'] };
      const next = { ...given, name: 'b', isOn: false, note: null, tags: [], seenMs: 3 };
      expect(await things.insertReturning(tx, next, clause)).toEqual({
        ...given,
        name: 'a+',
        tags: [],
        changes: 2,
      });
    });
  });

  it('update named columns that are not undefined', async () => {
    await db.write(async (tx) => {
      await things.insert(tx, { ...first, thingId: 11 });
      const where = { where: 'thing_id = $1', values: [11] };
      const change = { name: 'c', isOn: undefined, note: { a: 3 } };
      const changed = { ...first, thingId: 11, name: 'c', note: { a: 3 } };
      expect(await things.updateReturning(tx, change, where)).toEqual({ ...changed, changes: 1 });
      expect(await things.update(tx, {}, { ...where, extraAssignment: 'changes = changes + 1' })).toBe(1);
      expect(await things.updateReturning(tx, {}, where)).toEqual({ ...changed, changes: 2 });
    });
  });
});
