import { afterAll, describe, expect, it } from '@jest/globals';
import type { Db, Transaction } from '../../data/db.ts';
import { insertEvent } from '../../data/events/event-batcher.ts';
import { createInsertContext } from '../../data/events/insert-context.ts';
import { changeIssue } from '../../data/issues/changes.ts';
import { mergeStore } from '../../data/issues/merge-issues.ts';
import { openDb } from '../../data/open-store.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { databases, startMs } from './support/databases.ts';
import { eventOf } from './support/events.ts';

const filing = createInsertContext({ newIssuesPerHourMax: 1000 });
const act = { actor: 'ada', nowMs: startMs };
const tables = [
  'issues',
  'issue_hashes',
  'events',
  'event_bodies',
  'event_attachments',
  'issue_users',
  'issue_hours',
  'issue_releases',
  'issue_activity',
  'issue_merges',
  'issue_merge_members',
  'outcomes',
  'releases',
  'sdk_statistics',
  'new_issue_hours',
];

/** The same database, whose `nth` query inside a write fails. `calls` counts them. */
function failing(db: Db, nth: number): { db: Db; calls: () => number } {
  let calls = 0;
  const guard = <T>(run: () => Promise<T>): Promise<T> => {
    calls += 1;
    return calls === nth ? Promise.reject(new Error(`query ${nth} fails`)) : run();
  };
  const wrap = (tx: Transaction): Transaction => ({
    all: (sql, values) => guard(() => tx.all(sql, values)),
    get: (sql, values) => guard(() => tx.get(sql, values)),
    run: (sql, values) => guard(() => tx.run(sql, values)),
    allMany: (asked, rows) => guard(() => tx.allMany(asked, rows)),
    updateMany: (asked, rows) => guard(() => tx.updateMany(asked, rows)),
  });
  return { db: { ...db, write: (job, bytes) => db.write((tx) => job(wrap(tx)), bytes) }, calls: () => calls };
}

async function dump(db: Db): Promise<unknown> {
  const rows: Record<string, unknown> = {};
  for (const table of tables) rows[table] = await db.all(`SELECT * FROM ${table} ORDER BY 1, 2, 3`);
  return rows;
}

describe.each(databases)('a query that fails on $name', (database) => {
  let failed = 0;
  afterAll(() => {
    process.stderr.write(`F18: ${failed} queries of writes failed, nothing half-written stayed\n`);
  });

  const attachment = { filename: 'a', contentType: 'b', attachmentType: 'c', bytes: Buffer.from('d') };
  const scenarios: ReadonlyArray<readonly [name: string, run: (db: Db, step: number) => Promise<unknown>]> = [
    [
      'the first event of an issue',
      (db, step) =>
        insertEvent(
          db,
          filing,
          eventOf({
            id: `new ${step}`,
            kind: `new ${step}`,
            release: `9.${step}`,
            userHash: 'u',
            attachments: [attachment],
          }),
        ),
    ],
    [
      'an event that brings an issue back',
      (db, step) =>
        insertEvent(db, filing, eventOf({ id: `back ${step}`, kind: 'resolved', release: '1.0', second: 9 })),
    ],
    [
      'an event of a merged issue',
      (db, step) =>
        insertEvent(db, filing, eventOf({ id: `merged ${step}`, kind: 'merged', userHash: `v${step}` })),
    ],
    [
      'a change of state',
      (db, step) => changeIssue(db, 1, 4, { status: 'ignored', until: 'date', atMs: step }, act),
    ],
    ['a merge', (db) => mergeStore(db).mergeIssues(1, 4, [1], act)],
    ['the undo of a merge', (db) => mergeStore(db).unmergeIssues(1, 3, 1, act)],
  ];

  it.each(scenarios)('in %s leaves everything as it was', async (_name, run) => {
    const db = await openDb(await database.createMigrated(), {});
    await projectStore(db).createProject({ name: 'shop', createdAtMs: startMs });
    for (const kind of ['resolved', 'merged', 'head', 'other']) {
      await insertEvent(db, filing, eventOf({ kind }));
    }
    await changeIssue(db, 1, 1, { status: 'resolved', in: 'now' }, act);
    await mergeStore(db).mergeIssues(1, 3, [2], act);

    let nth = 1;
    for (; ; nth += 1) {
      const before = await dump(db);
      const { db: broken, calls } = failing(db, nth);
      const result = await run(broken, nth).then(
        () => 'done',
        (error: Error) => error.message,
      );
      if (calls() < nth) {
        expect(result).toBe('done');
        break;
      }
      expect(result).toBe(`query ${nth} fails`);
      expect(await dump(db)).toEqual(before);
    }
    expect(nth).toBeGreaterThan(3);
    failed += nth - 1;
    await db.close();
  });
});
