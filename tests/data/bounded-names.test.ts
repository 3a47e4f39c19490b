import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore, type StoreOptions } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs, storeAt } from './support/databases.ts';
import { eventOf } from './support/events.ts';
import { healthRows } from './support/health-rows.ts';

const page = { orderBy: 'date_created', descending: false, limit: 100, offset: 0 } as const;
const issues = { orderBy: 'id', descending: false, limit: 100, offset: 0 } as const;
const counts = { id: null, sessions: 1, exited: 1, errored: 0, crashed: 0, abnormal: 0 };

describe.each(databases)('names that clients invent on $name', (database) => {
  let store: Store;
  let address: string;
  const open = async (limits: NonNullable<StoreOptions['limits']>): Promise<void> => {
    await store?.close();
    address = await database.createMigrated();
    store = await storeAt(address, limits);
  };
  beforeEach(() => open({ releasesMax: 4, environmentsMax: 2 }));
  afterAll(() => store?.close());
  const countedRuns = async () =>
    (await healthRows(address)).map((row) => [row.release, row.environment, row.sessions]);
  const versions = async (): Promise<string[]> =>
    (await store.listReleases(1, page)).rows.map((release) => release.version).sort();
  const send = async (release: string | null, environment: string | null = null, parts: object = {}) => {
    const event = eventOf({
      release,
      environment,
      payload: JSON.stringify({ release, environment }),
      ...parts,
    });
    await store.recordEvent(event);
    const stored = await store.findEvent(1, event.eventId);
    return {
      column: [stored?.release, stored?.environment],
      payload: stored?.payload,
      issueId: stored?.issueId,
    };
  };

  it('do not let a release beyond the limit reopen an issue or count as the next release', async () => {
    const act = { actor: 'ada', nowMs: startMs };
    const resolved = ['next_release', 'release'] as const;
    for (const version of ['1.0.0', '2.0.0', '3.0.0']) await send(version);
    const { issueId = 0 } = await send('1.0.0', null, { kind: 'b' });
    for (let event = 1; event <= 2; event += 1) await send('4.0.0', null, { kind: 'b' });
    expect((await send('5.0.0', null, { kind: 'b' })).column).toEqual(['other', null]);
    for (const how of resolved) {
      const change = how === 'release' ? { in: how, release: '4.0.0' } : { in: how };
      await store.changeIssue(1, issueId, { status: 'resolved', ...change }, act);
      expect((await store.findIssue(1, issueId))?.state.resolution).toMatchObject(
        how === 'release' ? { release: '4.0.0' } : { after: '4.0.0' },
      );
      const { isRegression } = await store.recordEvent(eventOf({ kind: 'b', release: '5.0.0' }));
      expect(isRegression).toBe(false);
    }
    const { isRegression } = await store.recordEvent(eventOf({ kind: 'b', release: '4.0.0' }));
    expect(isRegression).toBe(true);
  });

  it('keep events of releases beyond the limit under one name, with unchanged payloads', async () => {
    for (const version of ['1', '2', '3', '4']) expect((await send(version)).column).toEqual([version, null]);
    for (const version of ['5', '6', '5']) {
      const { column, payload } = await send(version);
      expect(column).toEqual(['other', null]);
      expect(payload).toBe(`{"release":"${version}","environment":null}`);
    }
    expect(await versions()).toEqual(['1', '2', '3', '4']);
    expect((await send('2')).column).toEqual(['2', null]);
    const others = await store.listIssues(1, { ...issues, release: 'other' });
    expect(others.rows).toMatchObject([{ eventsCount: 8, lastRelease: '2' }]);
    const events = await store.listIssueEvents(1, others.rows[0]?.id ?? 0, { ...page, release: 'other' });
    expect(events?.total).toBe(3);
  });

  it('keep events of environments beyond the limit under one name', async () => {
    const sent: unknown[] = [];
    for (const environment of ['live', 'test', 'a', 'b', 'live']) {
      sent.push((await send('1', environment)).column[1]);
    }
    expect(sent).toEqual(['live', 'test', 'other', 'other', 'live']);
    expect((await store.listIssues(1, { ...issues, environment: 'other' })).total).toBe(1);
    expect((await store.listIssues(1, { ...issues, environment: 'b' })).total).toBe(0);
  });

  it('store the first event of an issue under the shared name, which its state follows', async () => {
    for (const version of ['1', '2', '3', '4']) await send(version);
    const { issueId = 0 } = await send('9', null, { kind: 'new' });
    expect(await store.findIssue(1, issueId)).toMatchObject({ firstRelease: 'other', lastRelease: 'other' });
    await store.changeIssue(
      1,
      issueId,
      { status: 'resolved', in: 'release', release: '9' },
      { actor: 'ada', nowMs: startMs },
    );
    expect(await store.recordEvent(eventOf({ kind: 'new', release: '10' }))).toMatchObject({
      isRegression: false,
    });
  });

  it('have the same limit for a process that starts later, and for one in parallel', async () => {
    const url = await database.createMigrated();
    const options = { now: () => startMs, log: silentLog, limits: { releasesMax: 4, environmentsMax: 2 } };
    await store.close();
    store = await openStore(url, options);
    await store.createProject({ name: 'shop', createdAtMs: startMs });
    for (const version of ['1', '2', '3', '4', '5']) await send(version, version);
    const beside = await openStore(url, options);
    for (const each of [store, beside]) {
      for (const [release, environment] of [
        ['5', '5'],
        ['4', '2'],
      ] as const) {
        const event = eventOf({ release, environment });
        await each.recordEvent(event);
        const column = release === '5' ? 'other' : release;
        expect(await each.findEvent(1, event.eventId)).toMatchObject({ release: column });
      }
    }
    await beside.close();
    expect(await versions()).toEqual(['1', '2', '3', '4']);
  });

  it('take no place for a repeated event', async () => {
    await send('1', 'live', { id: 'same' });
    for (const version of ['x', 'y', 'z']) {
      await store.recordEvent(eventOf({ id: 'same', release: version, environment: version }));
    }
    for (const version of ['2', '3', '4']) {
      expect((await send(version, 'test')).column).toEqual([version, 'test']);
    }
  });

  it('are limited exactly under concurrent writes', async () => {
    await open({ releasesMax: 20, environmentsMax: 10 });
    const event = (nth: number) =>
      eventOf({ release: `r${nth % 40}`, environment: `e${nth % 30}`, kind: `k${nth % 7}` });
    await Promise.all(Array.from({ length: 240 }, (_, nth) => store.recordEvent(event(nth))));
    expect(await versions()).toHaveLength(20);
    const seen = new Set<string>();
    for (const { id } of (await store.listIssues(1, issues)).rows) {
      const events = await store.listIssueEvents(1, id, { ...page, limit: 100 });
      for (const each of events?.rows ?? []) seen.add(each.environment ?? '');
    }
    expect(seen.size).toBe(11);
    expect((await store.listIssues(1, issues)).rows.reduce((sum, issue) => sum + issue.eventsCount, 0)).toBe(
      240,
    );
  });

  it('count sessions of a release beyond the limit under the shared name', async () => {
    const runs = (release: string, environment: string) => ({
      projectId: 1,
      release,
      environment,
      atMs: startMs,
      ...counts,
    });
    await store.addSessions(['1', '2', '3', '4', '5', '6'].map((version) => runs(version, `in ${version}`)));
    const bounded = [
      ['1', 'in 1', 1],
      ['2', 'in 2', 1],
      ['3', 'other', 1],
      ['4', 'other', 1],
      ['other', 'other', 2],
    ];
    expect(await countedRuns()).toEqual(bounded);
    await store.addSessions([runs('', '')]);
    expect(await countedRuns()).toEqual([['', '', 1], ...bounded]);
  });

  it('count a limited number of pairs an hour, and the others together', async () => {
    await open({ healthRowsPerHourMax: 3 });
    const runs = (nth: number, atMs = startMs) => ({
      projectId: 1,
      release: `r${nth}`,
      environment: 'live',
      atMs,
      ...counts,
    });
    await store.addSessions([1, 2, 3, 4, 5, 1].map((nth) => runs(nth)));
    const hour = [
      ['other', 'other', 2],
      ['r1', 'live', 2],
      ['r2', 'live', 1],
      ['r3', 'live', 1],
    ];
    expect(await countedRuns()).toEqual(hour);
    await store.addSessions([runs(5, startMs + 3_600_000)]);
    expect(await countedRuns()).toEqual([...hour, ['r5', 'live', 1]]);
  });

  it('have a limited number of releases for an issue, and later ones under the shared name', async () => {
    await open({ issuePlacesMax: 3 });
    for (const version of ['1', '2', '3', '4', '5', '3']) await send(version, 'live');
    const found = async (release: string) => (await store.listIssues(1, { ...issues, release })).total;
    expect([await found('3'), await found('4'), await found('other')]).toEqual([1, 0, 1]);
    expect((await store.listIssues(1, { ...issues, release: 'other', environment: 'live' })).total).toBe(1);
    // The event itself keeps its release.
    expect((await send('6', 'live')).column).toEqual(['6', 'live']);
  });
});
