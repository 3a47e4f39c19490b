import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { outcomeStore } from '../../data/counts/outcomes.ts';
import { cleanupStore } from '../../data/counts/sweep.ts';
import type { Db } from '../../data/db.ts';
import { insertEvent } from '../../data/events/event-batcher.ts';
import { createInsertContext } from '../../data/events/insert-context.ts';
import { openDb } from '../../data/open-store.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { releaseStore } from '../../data/releases/releases.ts';
import { testRunStore } from '../../data/test-runs/record.ts';
import { databases, startMs } from './support/databases.ts';
import { eventOf } from './support/events.ts';
import { releaseOf } from './support/releases.ts';
import { testUploadOf } from './support/test-uploads.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const limits = { releasesMax: 3, environmentsMax: 2, recentSessionsMax: 9 };

describe.each(databases)('the periodic cleanup of the store on $name', (database) => {
  let db: Db;
  beforeEach(async () => {
    await db?.close();
    db = await openDb(await database.createMigrated(), {});
    await projectStore(db).createProject({ name: 'shop', createdAtMs: startMs });
  });
  afterAll(() => db?.close());
  const sweep = (nowMs: number) => cleanupStore(db, limits).sweep(nowMs);
  const count = async (table: string): Promise<number> =>
    (await db.get<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`))?.rows ?? 0;

  it('removes test reports that were never finished, with all their cases', async () => {
    const upload = testUploadOf('kept', ['a passed', 'b failed']);
    await testRunStore(db).recordTestRun(upload);
    for (let nth = 0; nth < 45; nth += 1) {
      await db.run(
        `INSERT INTO test_uploads (project_id, shard, format, status, tests, passed, failed, errors, skipped, flaky,
           commit_sha, environment, suite, warnings, created_at_ms)
         VALUES (1, '', 'flat', 'passed', 1, 1, 0, 0, 0, 0, '', '', '', '[]', $1)`,
        [startMs + nth],
      );
    }
    await db.run(
      `INSERT INTO test_results (upload_id, position, project_id, case_id, name, suite, status, severity, detail)
       SELECT id, 0, 1, 'c', 'c', '[]', 'passed', 3, detail FROM test_uploads,
         (SELECT detail FROM test_results LIMIT 1) AS one WHERE run_id IS NULL`,
    );
    expect(await count('test_results')).toBe(47);
    expect(await sweep(startMs + hourMs)).toBe(0);
    await sweep(startMs + hourMs + 45);
    expect([await count('test_uploads'), await count('test_results')]).toEqual([1, 2]);
  });

  it('removes expired marks and counts, and no others', async () => {
    const { addOutcomes } = outcomeStore(db);
    const outcome = {
      projectId: 1,
      outcome: 'accepted',
      reason: '',
      category: 'error',
      quantity: 1,
    } as const;
    const hours = Array.from({ length: 1_200 }, (_, nth) => startMs - nth * hourMs);
    await addOutcomes(hours.map((atMs) => ({ ...outcome, atMs })));
    await testRunStore(db).recordTestRun(testUploadOf('old', ['a passed']));
    await testRunStore(db).recordTestRun(testUploadOf('new', ['a passed'], {}, startMs + dayMs));
    await insertEvent(db, createInsertContext(), eventOf());
    await insertEvent(db, createInsertContext(), eventOf({ kind: 'later', receivedAtMs: startMs + dayMs }));
    await sweep(startMs + 60 * dayMs);
    expect(await count('test_upload_digests')).toBe(0);
    expect(await count('new_issue_hours')).toBe(0);
    // Forty days are left of the hundred that can be asked for, and the hour of each event.
    expect(await count('outcomes')).toBe(40 * 24 + 1 + 1);
  });

  it('keeps deliveries and past maintenance for 90 days to the millisecond', async () => {
    for (const atMs of [startMs, startMs + 1]) {
      await db.run(
        `INSERT INTO alert_deliveries (channel_id, message_id, at_ms, subject, rule, why, body, state, tries, attempts)
         VALUES (1, $1, $2, '', '', '', '', 'delivered', 1, '[]')`,
        [`message of ${atMs}`, atMs],
      );
      await db.run(
        `INSERT INTO maintenance_windows (title, message, covers, from_ms, to_ms, is_in_progress, version,
           created_at_ms, created_by) VALUES ('', '', '{}', 0, $1, 0, 1, 0, '')`,
        [atMs],
      );
    }
    const left = async () => [await count('alert_deliveries'), await count('maintenance_windows')];
    expect(await sweep(startMs + 90 * dayMs)).toBe(0);
    expect(await left()).toEqual([2, 2]);
    expect(await sweep(startMs + 90 * dayMs + 1)).toBe(2);
    expect(await left()).toEqual([1, 1]);
  });

  it('keeps marks that have not expired', async () => {
    await testRunStore(db).recordTestRun(testUploadOf('new', ['a passed']));
    await insertEvent(db, createInsertContext(), eventOf());
    await sweep(startMs + 2 * hourMs);
    expect([await count('test_upload_digests'), await count('new_issue_hours')]).toEqual([1, 1]);
  });

  it('removes names that only clients sent and that are unseen for a month, in a full project', async () => {
    const filing = createInsertContext(limits);
    const see = async (name: string, day: number) => {
      const event = eventOf({ release: name, environment: name, receivedAtMs: startMs + day * dayMs });
      await insertEvent(db, filing, event);
      const row = await db.get<{ release: string; environment: string }>(
        'SELECT release, environment FROM events WHERE event_id = $1',
        [event.eventId],
      );
      return [row?.release, row?.environment];
    };
    await releaseStore(db, limits).upsertRelease(releaseOf('created'));
    expect([await see('a', 0), await see('b', 10), await see('c', 10)]).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      ['other', 'other'],
    ]);
    await sweep(startMs + 29 * dayMs);
    expect(await see('d', 29)).toEqual(['other', 'other']);
    await sweep(startMs + 31 * dayMs);
    expect(await see('e', 31)).toEqual(['e', 'e']);
    expect(await see('f', 31)).toEqual(['other', 'other']);
    const releases = await db.all<{ version: string }>('SELECT version FROM releases ORDER BY version');
    expect(releases.map((row) => row.version)).toEqual(['b', 'created', 'e']);
  });

  it('keeps unseen names where the project is not full', async () => {
    await insertEvent(db, createInsertContext(limits), eventOf({ release: 'a', environment: 'a' }));
    await sweep(startMs + 400 * dayMs);
    expect([await count('releases'), await count('environments')]).toEqual([1, 1]);
  });

  it('stops between two steps when asked to', async () => {
    await insertEvent(db, createInsertContext(), eventOf());
    let asked = 0;
    const isOver = (): boolean => {
      asked += 1;
      return asked > 2;
    };
    await cleanupStore(db, limits).sweep(startMs + 400 * dayMs, isOver);
    expect(await count('new_issue_hours')).toBe(1);
  });
});
