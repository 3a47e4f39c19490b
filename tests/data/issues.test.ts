import { afterAll, describe, expect, it } from '@jest/globals';
import type { IssueFilter } from '../../src/core/store/issues.ts';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs, storeWithProject } from './support/databases.ts';
import { eventIdOf, eventOf } from './support/events.ts';

const base = { orderBy: 'id', descending: false, limit: 100, offset: 0 } as const;
const act = { actor: 'ada', nowMs: startMs + 500 };

describe.each(databases)('issues on $name', (database) => {
  let store: Store;
  const fresh = async (): Promise<Store> => {
    await store?.close();
    store = await storeWithProject(database);
    return store;
  };
  const titles = async (filter: Partial<IssueFilter>): Promise<string[]> =>
    (await store.listIssues(1, { ...base, ...filter })).rows.map((issue) => issue.title);
  afterAll(() => store?.close());

  it('lists by filter, and never those of another project', async () => {
    await fresh();
    await store.createProject({ name: 'other', createdAtMs: startMs });
    await store.recordEvent(eventOf({ projectId: 2, kind: 'theirs' }));
    await store.recordEvent(
      eventOf({ kind: 'a', title: '100% of Carts', release: '1.0', environment: 'live' }),
    );
    await store.recordEvent(
      eventOf({ kind: 'a', title: '100% of Carts', release: '2.0', environment: 'test' }),
    );
    await store.recordEvent(eventOf({ kind: 'b', title: '1000 carts', level: 'fatal', culprit: 'pay_now' }));
    const { issueId } = await store.recordEvent(eventOf({ kind: 'c', title: 'c', platform: 'php' }));
    await store.changeIssue(1, issueId, { status: 'resolved', in: 'now' }, act);

    expect(await titles({})).toEqual(['100% of Carts', '1000 carts', 'c']);
    expect(await titles({ search: 'CARTS' })).toEqual(['100% of Carts', '1000 carts']);
    expect(await titles({ search: '0% o' })).toEqual(['100% of Carts']);
    expect(await titles({ search: 'pay_n' })).toEqual(['1000 carts']);
    expect(await titles({ search: 'payxn' })).toEqual([]);
    expect(await titles({ search: "' OR 1=1 --" })).toEqual([]);
    expect(await titles({ status: 'resolved' })).toEqual(['c']);
    expect(await titles({ status: 'unresolved' })).toEqual(['100% of Carts', '1000 carts']);
    expect(await titles({ substatus: 'new' })).toEqual(['100% of Carts', '1000 carts']);
    expect(await titles({ level: 'fatal' })).toEqual(['1000 carts']);
    expect(await titles({ platform: 'php' })).toEqual(['c']);
    expect(await titles({ release: '2.0' })).toEqual(['100% of Carts']);
    expect(await titles({ release: '2.0', environment: 'live' })).toEqual([]);
    expect(await titles({ environment: 'live' })).toEqual(['100% of Carts']);
    expect(await titles({ firstRelease: '2.0' })).toEqual([]);
    expect(await titles({ firstRelease: '1.0', search: 'cart', status: 'unresolved' })).toEqual([
      '100% of Carts',
    ]);
  });

  it.each(['last_seen', 'first_seen', 'events', 'users', 'id'] as const)(
    'pages through a list by %s without a gap or a repeat, from both ends',
    async (orderBy) => {
      await fresh();
      for (let kind = 0; kind < 11; kind += 1) {
        for (let nth = 0; nth <= kind % 4; nth += 1) {
          await store.recordEvent(
            eventOf({ kind: `k${kind}`, title: `k${kind}`, second: (kind * 7) % 5, userHash: `u${nth}` }),
          );
        }
      }
      for (const descending of [true, false]) {
        const whole = await titles({ orderBy, descending });
        const paged: string[] = [];
        for (let offset = 0; offset < 12; offset += 3) {
          paged.push(...(await titles({ orderBy, descending, limit: 3, offset })));
        }
        expect(whole).toHaveLength(11);
        expect(paged).toEqual(whole);
        expect(whole).toEqual((await titles({ orderBy, descending: !descending })).reverse());
      }
      expect(await store.listIssues(1, { ...base, orderBy, offset: 11 })).toEqual({ rows: [], total: 11 });
      const counts = (await store.listIssues(1, { ...base, orderBy: 'events', descending: true })).rows;
      expect(counts.map((issue) => issue.eventsCount)).toEqual([4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]);
    },
  );

  it('lists the events of an issue in pages and by release and environment', async () => {
    await fresh();
    let issueId = 0;
    for (let second = 0; second < 7; second += 1) {
      const parts = {
        id: `e${second}`,
        second,
        release: `${second % 2}.0`,
        environment: second < 3 ? 'live' : 'test',
      };
      ({ issueId } = await store.recordEvent(eventOf(parts)));
    }
    const ids = async (filter: object): Promise<string[]> => {
      const list = await store.listIssueEvents(1, issueId, {
        descending: true,
        limit: 9,
        offset: 0,
        ...filter,
      });
      return (list?.rows ?? []).map((event) => event.eventId);
    };
    const newestFirst = [6, 5, 4, 3, 2, 1, 0].map((second) => eventIdOf(`e${second}`));
    expect(await ids({})).toEqual(newestFirst);
    expect(await ids({ descending: false })).toEqual([...newestFirst].reverse());
    expect(await ids({ limit: 2, offset: 5 })).toEqual(newestFirst.slice(5));
    expect(await ids({ release: '1.0', environment: 'live' })).toEqual([eventIdOf('e1')]);
    expect(await store.listIssueEvents(2, issueId, { descending: true, limit: 9, offset: 0 })).toBeNull();
  });

  it('changes a state once, and only in its own project', async () => {
    await fresh();
    const { issueId } = await store.recordEvent(eventOf());
    const resolve = { status: 'resolved', in: 'release', release: '1.0' } as const;
    expect(await store.changeIssue(2, issueId, resolve, act)).toBeNull();
    expect(await store.changeIssue(1, 999, resolve, act)).toBeNull();
    for (let nth = 0; nth < 2; nth += 1) {
      expect(await store.changeIssue(1, issueId, resolve, act)).toMatchObject({
        state: { status: 'resolved', substatus: null, resolution: { in: 'release', release: '1.0' } },
      });
    }
    await store.changeIssue(1, issueId, { status: 'unresolved' }, act);
    const { rows, total } = await store.listIssueActivity(1, issueId, { limit: 2, offset: 0 });
    expect(total).toBe(3);
    expect(rows).toMatchObject([
      { kind: 'unresolved', actor: 'ada', atMs: act.nowMs, from: 'resolved', to: 'unresolved/ongoing' },
      { kind: 'resolved', detail: { in: 'release', release: '1.0' } },
    ]);
  });

  it('stores new events of merged issues in the target, and returns them on undo', async () => {
    await fresh();
    const a = (await store.recordEvent(eventOf({ kind: 'a', userHash: 'u1' }))).issueId;
    const b = (await store.recordEvent(eventOf({ kind: 'b', userHash: 'u2' }))).issueId;
    const merged = await store.mergeIssues(1, a, [b], act);
    const since = await store.recordEvent(eventOf({ id: 's', kind: 'b', userHash: 'u1', second: 30 }));
    expect(since).toMatchObject({ issueId: a, isNew: false });
    await store.recordEvent(eventOf({ kind: 'a', userHash: 'u2', second: 40 }));
    expect(await store.recordEvent(eventOf({ id: 's', kind: 'b' }))).toMatchObject({
      duplicate: true,
      issueId: a,
    });
    expect(await store.findIssue(1, a)).toMatchObject({
      eventsCount: 4,
      usersCount: 2,
      title: 'TypeError: a',
    });
    await store.changeIssue(1, b, { status: 'resolved', in: 'now' }, act);
    expect(await store.recordEvent(eventOf({ kind: 'b', second: 41 }))).toMatchObject({ isRegression: true });

    await store.unmergeIssues(1, a, merged?.id ?? 0, act);
    expect(await store.findIssue(1, a)).toMatchObject({
      eventsCount: 2,
      usersCount: 2,
      lastSeenMs: startMs + 40_000,
    });
    expect(await store.findIssue(1, b)).toMatchObject({
      eventsCount: 3,
      usersCount: 2,
      mergedInto: null,
      lastSeenMs: startMs + 41_000,
      state: { substatus: 'new' },
    });
    expect(await store.recordEvent(eventOf({ kind: 'b' }))).toMatchObject({ issueId: b });
  });

  it('refuses to merge an issue with itself, or with one of another project', async () => {
    await fresh();
    await store.createProject({ name: 'other', createdAtMs: startMs });
    const ours = (await store.recordEvent(eventOf())).issueId;
    const theirs = (await store.recordEvent(eventOf({ projectId: 2 }))).issueId;
    expect(await store.mergeIssues(1, ours, [ours], act)).toBeNull();
    expect(await store.mergeIssues(1, ours, [theirs], act)).toBeNull();
    expect(await store.mergeIssues(1, theirs, [ours], act)).toBeNull();
    expect(await store.findIssue(2, theirs)).toMatchObject({ mergedInto: null });
  });
});
