import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { ownedByEvents, ownedByIssues } from '../../data/issues/deletion.ts';
import { openDb, openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { continueInBackground, finishBackgroundWork } from '../../src/core/issues/background-work.ts';
import type { Store } from '../../src/core/store/store.ts';
import { inFull } from '../support/test-level.ts';
import { databases, sqliteDatabase, startMs, storeAndDbForEachTest, storeAt } from './support/databases.ts';
import { eventIdOf, eventOf } from './support/events.ts';

const act = { actor: 'ada', nowMs: startMs };
const never = (): boolean => false;
const now = (): number => startMs;

/** Files `events` of one kind, each with an attachment, and answers their issue. */
async function fileEvents(store: Store, kind: string, events: number): Promise<number> {
  let issueId = 0;
  for (let at = 0; at < events; at += 1) {
    const bytes = Buffer.from(`${kind} ${at}`);
    const attachment = {
      filename: 'a.txt',
      contentType: 'text/plain',
      attachmentType: 'event.attachment',
      bytes,
    };
    const about = { release: '1.0.0', environment: 'live', userHash: `user ${at}`, needsMapping: true };
    const event = eventOf({ ...about, id: `${kind} ${at}`, kind, second: at, attachments: [attachment] });
    ({ issueId } = await store.recordEvent({ ...event, awaits: ['time'] }));
  }
  return issueId;
}

async function rowsOf(db: Db, issueIds: readonly number[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const ids = issueIds.join(', ');
  for (const { table } of ownedByIssues) {
    const of = table === 'issue_merges' ? 'into_issue_id' : 'issue_id';
    const row = await db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${of} IN (${ids})`);
    found[table] = Number(row?.n);
  }
  for (const { table } of ownedByEvents) {
    const orphans = `SELECT COUNT(*) AS n FROM ${table} WHERE event_row NOT IN (SELECT id FROM events)`;
    found[`${table} without event`] = Number((await db.get<{ n: number }>(orphans))?.n);
  }
  const issues = await db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM issues WHERE id IN (${ids})`);
  const events = await db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM events WHERE issue_id IN (${ids})`);
  const marks = await db.get<{ n: number }>('SELECT COUNT(*) AS n FROM issue_deletions');
  return { ...found, issues: Number(issues?.n), events: Number(events?.n), marks: Number(marks?.n) };
}

const nothing = (rows: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(rows).filter(([, count]) => count !== 0));

describe.each(databases)('deleting an issue on $name', (database) => {
  const { store, db } = storeAndDbForEachTest(database);

  it('deletes merged issues with it, and keeps other issues and bug reports', async () => {
    const head = await fileEvents(store, 'head', 30);
    const merged = await fileEvents(store, 'merged', 3);
    const other = await fileEvents(store, 'other', 2);
    await store.mergeIssues(1, head, [merged], act);
    const comment = {
      projectId: 1,
      issueId: merged,
      memberId: null,
      author: 'Ada',
      atMs: startMs,
      body: 'x',
    };
    await store.addComment(comment);
    const link = { url: 'https://tracker.example/1', createdAtMs: startMs, createdBy: 'Ada' };
    for (const issueId of [merged, other])
      await store.addIssueLink({ projectId: 1, issueId, ...link }, 'token');
    const before = await rowsOf(db, [head, merged]);
    // A table that this test does not fill proves nothing; two are filled by regrouping alone.
    const unfilled = Object.entries(before).filter(([name, rows]) => rows === 0 && !name.includes('without'));
    expect(unfilled.map(([name]) => name).sort()).toEqual(['marks', 'pending_regroupings', 'regroup_issues']);

    expect(await store.endIssue(1, merged, startMs)).toBe(0);
    expect(await store.endIssue(1, head, startMs)).toBe(2);
    expect(await store.endIssue(1, head, startMs)).toBe(0);
    expect([await store.findIssueAnywhere(head), await store.findIssueAnywhere(merged)]).toEqual([
      null,
      null,
    ]);
    const window = { limit: 10, offset: 0, orderBy: 'id', descending: false } as const;
    expect((await store.listIssues(1, window)).rows.map(({ id }) => id)).toEqual([other]);

    const again = await store.recordEvent(eventOf({ kind: 'head', id: 'after', second: 99 }));
    expect(again.isNew).toBe(true);
    expect([head, merged, other]).not.toContain(again.issueId);

    expect(await finishBackgroundWork({ store, now }, never)).toBeGreaterThan(30 * 3);
    expect(nothing(await rowsOf(db, [head, merged]))).toEqual({});
    expect((await store.findIssue(1, other))?.eventsCount).toBe(2);
    expect(await store.listIssueLinks(1, other)).toMatchObject([link]);
    expect((await store.findEvent(1, eventIdOf('other 1')))?.attachments).toHaveLength(1);
    expect((await store.findIssue(1, again.issueId))?.eventsCount).toBe(1);
    expect(await finishBackgroundWork({ store, now }, never)).toBe(0);
  });

  it('stores events that arrive meanwhile in a new issue', async () => {
    const head = await fileEvents(store, 'busy', 40);
    const coming = Array.from({ length: 40 }, (_, at) =>
      store.recordEvent(eventOf({ kind: 'busy', id: `late ${at}`, second: 100 + at })),
    );
    const ending = store.endIssue(1, head, startMs).then(() => finishBackgroundWork({ store, now }, never));
    const filed = await Promise.all(coming);
    await ending;
    await finishBackgroundWork({ store, now }, never);
    expect(nothing(await rowsOf(db, [head]))).toEqual({});
    const heads = [...new Set(filed.map(({ issueId }) => issueId))].filter((id) => id !== head);
    expect(heads.length).toBeLessThanOrEqual(1);
    for (const id of heads) {
      const stored = await db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM events WHERE issue_id = ${id}`);
      expect((await store.findIssue(1, id))?.eventsCount).toBe(Number(stored?.n));
    }
  });

  it('goes on until nothing is left, even if the request has ended', async () => {
    const head = await fileEvents(store, 'by itself', 30);
    await store.endIssue(1, head, startMs);
    // Slices that whoever deletes does not wait for: the first one ends when they have their answer.
    const answered = Promise.withResolvers<void>();
    const slow: Store = {
      ...store,
      removeIssueSlice: async (issue) => {
        await answered.promise;
        return store.removeIssueSlice(issue);
      },
    };
    await continueInBackground({ store: slow, now, log: silentLog }, 20);
    expect(await store.endingEvents(head)).toEqual({ projectId: 1, events: 30 });
    answered.resolve();
    while ((await store.endingEvents(head)) !== null) await setImmediate();
    expect(nothing(await rowsOf(db, [head]))).toEqual({});
  });

  inFull(it)('deletes one slice at a time, and stops when asked to', async () => {
    const head = await fileEvents(store, 'large', 250);
    await store.endIssue(1, head, startMs);
    let slices = 0;
    await finishBackgroundWork({ store, now }, () => {
      slices += 1;
      return slices >= 3;
    });
    const left = await rowsOf(db, [head]);
    expect([left['events'], left['issues'], left['marks']]).toEqual([250, 1, 1]);
    await finishBackgroundWork({ store, now }, never);
    expect(nothing(await rowsOf(db, [head]))).toEqual({});
  });
});

inFull(describe)('a deletion that kill -9 ends', () => {
  const database = sqliteDatabase();
  afterAll(() => database.end());

  it('is continued by the next start', async () => {
    const address = await database.createMigrated();
    const store = await storeAt(address);
    const head = await fileEvents(store, 'killed', 60);
    await store.close();
    const program = fileURLToPath(new URL('./support/delete-until-killed.ts', import.meta.url));
    const child = spawn(process.execPath, [program, address, String(head)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    // Killed at a point of the work, not of the clock.
    let slices = 0;
    for await (const _line of createInterface({ input: child.stdout })) {
      slices += 1;
      if (slices === 4) child.kill('SIGKILL');
    }
    await ended;
    const again = await openStore(address, { now: () => startMs, log: silentLog });
    const db = await openDb(address, {});
    const left = await rowsOf(db, [head]);
    expect(left['marks']).toBe(1);
    expect(await again.findIssueAnywhere(head)).toBeNull();
    await finishBackgroundWork({ store: again, now }, never);
    expect(nothing(await rowsOf(db, [head]))).toEqual({});
    await Promise.all([again.close(), db.close()]);
  });
});
