// Databases from before tags were counted: a job counts what is there, whatever interrupts it and whatever
// moves meanwhile. And the bounds of what is counted.
import { describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { countStoredSlice } from '../../data/issues/told/uncounted.ts';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventOf } from './support/events.ts';
import { expectCounted } from './support/recount.ts';

const levels = ['fatal', 'error', 'warning', 'info'] as const;
const newest = { tab: 'all', sort: 'last_seen', limit: 100, trendToMs: startMs } as const;
const act = { actor: 'ada', nowMs: startMs };

describe.each(databases)('tags of issues on $name', (database) => {
  let store: Store;
  let db: Db;
  storeAndDbForEachTest(database, (opened) => {
    ({ store, db } = opened);
  });

  const file = (nth: number) =>
    store.recordEvent(
      eventOf({
        kind: `k${nth % 7}`,
        second: nth * 60,
        level: levels[nth % 4] ?? 'error',
        title: `Naïve ${nth % 7}`,
      }),
    );
  /** What an older program would have left. */
  async function forget(): Promise<void> {
    await db.run('DELETE FROM issue_tags');
    await db.run('DELETE FROM issue_search');
    await db.run('UPDATE issue_hours SET fatal = 0, warning = 0, info = 0, debug = 0');
    await db.run('UPDATE outcomes SET fatal = 0, error = 0, warning = 0, info = 0, debug = 0');
    await db.run("INSERT INTO uncounted SELECT 'issues', MAX(id), 0 FROM issues");
    await db.run("INSERT INTO uncounted SELECT 'events', MAX(id), MAX(received_at_ms) FROM events");
  }
  const found = async (search: string): Promise<number> =>
    (await store.countWorkspaceIssues({ projectIds: [1], fromMs: 0, toMs: null, search })).all;
  const levelSum = async (): Promise<number[]> => {
    const hours = await store.listLevelHours([1], 0, startMs * 2, null);
    return levels.map((level) => hours.reduce((sum, hour) => sum + hour[level], 0));
  };

  it('of stored events are counted by a job that may be ended at any moment', async () => {
    for (let nth = 0; nth < 130; nth += 1) await file(nth);
    const levelsBefore = await levelSum();
    await forget();
    expect(await store.tagsCountedSince()).toBe(startMs + 129 * 60_000);
    expect([await found('naïve'), await levelSum()]).toEqual([0, [0, 0, 0, 0]]);
    let slices = 0;
    for (let goes = true; goes; slices += 1) {
      await expect(countStoredSlice(endingDb(db))).rejects.toThrow('the process ended');
      goes = await store.countStoredTags();
      // Others write meanwhile.
      if (slices < 2) await file(130 + slices);
    }
    expect(slices).toBeGreaterThan(3);
    await expectCounted(db, 1);
    expect(await store.tagsCountedSince()).toBeNull();
    expect([await found('naïve 3'), await found('zone:z1')]).toEqual([1, 7]);
    // Two more were filed meanwhile: 130 is a warning, 131 an info.
    expect(await levelSum()).toEqual(levelsBefore.map((sum, at) => sum + (at >= 2 ? 1 : 0)));
  });

  it('stay right where events move before they are counted, and after', async () => {
    for (let nth = 0; nth < 120; nth += 1) await file(nth);
    await forget();
    await store.countStoredTags();
    await store.countStoredTags();
    // k0 is taken apart: half of its events are counted by now, the others are not.
    const { moveEvents } = await import('../../data/issues/moving.ts');
    const rows = await db.all<{ id: number }>('SELECT id FROM events WHERE issue_id = 1');
    expect(rows.length).toBeGreaterThan(10);
    const move = { projectId: 1, fromId: 1, toId: 2, rows: rows.map(({ id }) => id), placesMax: 10 };
    await db.write((tx) => moveEvents(tx, move));
    while (await store.countStoredTags());
    await expectCounted(db, 1);
  });

  it('are bounded: the values past a hundred share one, the names past fifty as well', async () => {
    const tags = (nth: number): Array<[string, string]> => [
      ['request', `r${nth}`],
      [`name${nth}`, 'x'],
    ];
    const file = (nth: number) =>
      store.recordEvent(
        eventOf({ kind: 'many', second: nth, tags: tags(nth), payload: JSON.stringify({ tags: tags(nth) }) }),
      );
    for (let nth = 0; nth < 130; nth += 1) await file(nth);
    const counted = await store.listIssueTags(1, 1);
    const requests = counted.filter(({ tag }) => tag === 'request');
    expect(requests).toHaveLength(101);
    expect(requests.find(({ value }) => value === 'other')?.events).toBe(30);
    expect(new Set(counted.map(({ tag }) => tag)).size).toBe(51);
    expect(counted.find(({ tag }) => tag === 'other')?.events).toBe(130 - 48);
    // A value that is known is counted by its name still.
    await file(5);
    const again = await store.listIssueTags(1, 1);
    expect(again.find(({ value }) => value === 'r5')?.events).toBe(2);
  });

  it('go with their issue, and with their project', async () => {
    const { issueId } = await file(1);
    await store.endIssue(1, issueId, startMs);
    while (!(await store.removeIssueSlice({ projectId: 1, issueId })).done);
    expect(await db.all('SELECT * FROM issue_tags')).toEqual([]);
    expect([await found('naïve'), await db.all('SELECT * FROM issue_search')]).toEqual([0, []]);
    await file(2);
    expect(
      (await store.listWorkspaceIssues({ projectIds: [1], fromMs: 0, toMs: null }, newest)).rows,
    ).toHaveLength(1);
    await store.endProject(1, act.nowMs);
    while (!(await store.removeProjectSlice(1)).done);
    expect(await db.all('SELECT * FROM issue_tags')).toEqual([]);
    expect(await db.all('SELECT * FROM issue_search')).toEqual([]);
  });
});

/** The same database, gone before its transaction is kept. */
function endingDb(db: Db): Db {
  return {
    ...db,
    write: (job, bytes) =>
      db.write(async (tx) => {
        await job(tx);
        throw new Error('the process ended');
      }, bytes),
  };
}
