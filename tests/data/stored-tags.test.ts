import { describe, expect, it } from '@jest/globals';
import { inFull } from '../support/test-level.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventOf } from './support/events.ts';

const newest = { tab: 'all', sort: 'last_seen', limit: 100, trendToMs: startMs } as const;
const act = { actor: 'ada', nowMs: startMs };

describe.each(databases)('tags of issues on $name', (database) => {
  const { store, db } = storeAndDbForEachTest(database);

  const file = (nth: number) =>
    store.recordEvent(
      eventOf({
        kind: `k${nth % 7}`,
        second: nth * 60,
        title: `Naïve ${nth % 7}`,
      }),
    );
  const found = async (search: string): Promise<number> =>
    (await store.countWorkspaceIssues({ projectIds: [1], fromMs: 0, toMs: null, search })).all;

  inFull(it)('are limited: values beyond a hundred share one, and so do names beyond fifty', async () => {
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

  it('are deleted with their issue, and with their project', async () => {
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
