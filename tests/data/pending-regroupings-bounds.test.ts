import { describe, expect, it } from '@jest/globals';
import { pendingRegroupingStore } from '../../data/events/pending-regroupings.ts';
import { silentLog } from '../../src/app/log.ts';
import { regroupResymbolicatedIssues } from '../../src/core/source-maps/resymbolicate-events.ts';
import { inFull } from '../support/test-level.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventOf, hashOf } from './support/events.ts';
import { measuredDb } from './support/measured-db.ts';
import { expectCounted } from './support/recount.ts';

describe.each(databases)('limits of late regrouping on $name', (database) => {
  const { store, db } = storeAndDbForEachTest(database);

  async function mapped(events: number, keys: number): Promise<number> {
    const file = (second: number) =>
      store.recordEvent(eventOf({ kind: 'minified', needsMapping: true, second }));
    // Alone: of two at once each would count a new issue.
    const { issueId } = await file(0);
    await Promise.all(Array.from({ length: events - 1 }, (_, nth) => file(1 + (nth % 3000))));
    const rows = await db.all<{ id: number }>('SELECT id FROM events ORDER BY id');
    const looks = rows.map(({ id }, nth) =>
      store.storeSymbolication(1, id, {
        payload: null,
        needsMapping: false,
        awaits: [],
        regrouped: {
          grouping: eventOf({ kind: `fault ${nth % keys}` }).grouping,
          title: 'TypeError',
          culprit: 'src/cart.ts',
          hashBefore: hashOf('minified'),
        },
      }),
    );
    await Promise.all(looks);
    return issueId;
  }

  async function regroup(newIssuesPerHourMax: number): Promise<{ statements: number; changes: number }> {
    const greatest = { statements: 0, changes: 0 };
    const late = pendingRegroupingStore(measuredDb(db, greatest), {
      issuePlacesMax: 100,
      newIssuesPerHourMax,
    });
    await regroupResymbolicatedIssues({ store: late, log: silentLog, now: () => startMs }, 1, () => false);
    return greatest;
  }

  inFull(it)('clears the mark of events that stay, in slices', async () => {
    const issueId = await mapped(1200, 1);
    expect((await regroup(1000)).changes).toBeLessThanOrEqual(1000);
    expect(await store.issuesToRegroup(1)).toEqual([]);
    expect(await store.recordEvent(eventOf({ kind: 'fault 0' }))).toMatchObject({ issueId });
  });

  it('clears the mark of events of a merged issue, in slices', async () => {
    await mapped(1200, 1);
    const { issueId } = await store.recordEvent(eventOf({ kind: 'fault 0' }));
    expect((await regroup(1000)).changes).toBeLessThanOrEqual(1000);
    expect(await store.issuesToRegroup(1)).toEqual([]);
    expect(await store.recordEvent(eventOf({ kind: 'minified' }))).toMatchObject({ issueId });
  });

  inFull(it)('handles few of many groups at once', async () => {
    await mapped(200, 200);
    expect((await regroup(1000)).statements).toBeLessThanOrEqual(500);
    await expectCounted(db, 1);
    const { total } = await store.listIssues(1, { orderBy: 'id', descending: false, limit: 1, offset: 0 });
    expect(total).toBe(200);
  });

  it('creates no more issues than the limit of an hour; other events stay in their issue', async () => {
    const issueId = await mapped(30, 10);
    await regroup(4);
    expect(await store.issuesToRegroup(1)).toEqual([]);
    const { rows } = await store.listIssues(1, { orderBy: 'id', descending: false, limit: 50, offset: 0 });
    // The first issue was made in this hour as well, and counted by the store of the test.
    expect(rows.map((issue) => [issue.id === issueId, issue.eventsCount])).toEqual([
      [true, 21],
      [false, 3],
      [false, 3],
      [false, 3],
    ]);
    await expectCounted(db, 1);
  });
});
