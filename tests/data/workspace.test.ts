import { beforeAll, describe, expect, it } from '@jest/globals';
import { dayMs, hourMs } from '../../src/core/parsing/durations.ts';
import type { Store } from '../../src/core/store/store.ts';
import { shared } from '../support/shared.ts';
import { databases, startMs, storeWithProject } from './support/databases.ts';
import { eventOf } from './support/events.ts';

const act = { actor: 'ada', nowMs: startMs };
const any = { projectIds: null, level: null };

describe.each(databases)('the workspace on $name', (database) => {
  const store = shared(() => storeWithProject(database));
  const issueIds: number[] = [];

  beforeAll(async () => {
    await store.createProject({ name: 'second', createdAtMs: startMs });
    const events = [
      eventOf({ projectId: 1, kind: 'one', second: 0, level: 'error', release: '1.0' }),
      eventOf({ projectId: 1, kind: 'two', second: 3_600, level: 'fatal', release: '1.0' }),
      eventOf({ projectId: 2, kind: 'three', second: 7_200, level: 'warning' }),
      eventOf({ projectId: 1, kind: 'one', second: 7_260, level: 'error', release: '1.1' }),
    ];
    for (const event of events) issueIds.push((await store.recordEvent(event)).issueId);
  });

  it('reads events in commit order, and the newest that match', async () => {
    const all = await store.listEventsFrom(0, 10);
    expect(all.map(({ level }) => level)).toEqual(['error', 'fatal', 'warning', 'error']);
    const rows = all.map(({ row }) => row);
    expect(rows).toEqual([...rows].sort((one, other) => one - other));
    const newest = await store.newestEventRow();
    expect(newest).toBe(rows.at(-1));
    expect((await store.listEventsFrom(rows[2] ?? 0, 1)).map(({ row }) => row)).toEqual([rows[2]]);
    const between = async (filter: Parameters<Store['listEventsBetween']>[2]) =>
      (await store.listEventsBetween(rows[0] ?? 0, newest, filter, 10)).map(({ row }) => row);
    expect(await between(any)).toEqual([rows[3], rows[2], rows[1]]);
    expect(await between({ projectIds: [1], level: null })).toEqual([rows[3], rows[1]]);
    expect(await between({ projectIds: [1], level: 'fatal' })).toEqual([rows[1]]);
  });

  it('reads the payloads of a project by row', async () => {
    const [own = 0, , other = 0] = (await store.listEventsFrom(0, 10)).map(({ row }) => row);
    const payloads = await store.readPayloads(1, [own, other, 999]);
    expect([...payloads.keys()]).toEqual([own]);
    expect(payloads.get(own)).toMatch(/^\{/);
    expect(await store.readPayloads(1, [])).toEqual(new Map());
  });

  it('sums outcomes hour by hour', async () => {
    await store.addOutcomes([
      {
        projectId: 1,
        atMs: startMs,
        outcome: 'rate_limited',
        reason: 'quota',
        category: 'error',
        quantity: 5,
      },
      {
        projectId: 1,
        atMs: startMs,
        outcome: 'rate_limited',
        reason: 'quota',
        category: 'session',
        quantity: 9,
      },
    ]);
    expect(await store.sumOutcomes([1, 2], startMs, startMs + hourMs)).toEqual([
      { projectId: 1, outcome: 'accepted', reason: '', quantity: 1 },
      { projectId: 1, outcome: 'rate_limited', reason: 'quota', quantity: 5 },
    ]);
    expect(await store.sumOutcomes([], startMs, startMs + hourMs)).toEqual([]);
  });

  it('finds valid sessions', async () => {
    const added = { email: null, role: 'viewer', createdAtMs: startMs, createdBy: '' } as const;
    const stays = await store.addMember({ ...added, name: 'Stays', nameKey: 'stays' });
    const goes = await store.addMember({ ...added, name: 'Goes', nameKey: 'goes' });
    await store.setSetting('admin_token_hash', 'a'.repeat(64));
    const session = (hash: string, lastsMs = dayMs) => ({
      hash,
      createdAtMs: startMs,
      expiresAtMs: startMs + lastsMs,
      endsByMs: null,
      userAgent: '',
      network: '',
      signedInBy: '',
    });
    const begun = [
      await store.addSession({ memberId: stays?.id ?? 0 }, session('1')),
      await store.addSession({ memberId: stays?.id ?? 0 }, session('2', hourMs)),
      await store.addSession({ memberId: goes?.id ?? 0 }, session('3')),
      await store.addSession({ tokenHash: 'a'.repeat(64) }, session('4')),
      await store.addSession({ tokenHash: 'b'.repeat(64) }, session('5')),
    ].map((found) => found?.session.id ?? 0);
    const holding = async (nowMs: number) =>
      (await store.sessionsThatHold(begun, nowMs)).sort((a, b) => a - b);
    const [whole, short, gone, ofToken] = begun;
    expect(await holding(startMs)).toEqual([whole, short, gone, ofToken]);
    await store.removeMember(goes?.id ?? 0, startMs);
    expect(await holding(startMs + hourMs)).toEqual([whole, ofToken]);
    await store.setSetting('admin_token_hash', 'c'.repeat(64));
    expect(await holding(startMs + hourMs)).toEqual([whole]);
    expect(await store.sessionsThatHold([], startMs)).toEqual([]);
  });

  it('counts and lists for the overview', async () => {
    expect(await store.countOpenIssues([1, 2], startMs + hourMs)).toEqual({
      open: 3,
      new: 2,
      regressed: 0,
      all: 3,
    });
    expect(await store.countOpenIssues([], 0)).toEqual({ open: 0, new: 0, regressed: 0, all: 0 });
    const seen = await store.listSeenIssues([1, 2], startMs + hourMs, 10);
    expect(seen.map(({ id }) => id)).toEqual([issueIds[1], issueIds[2], issueIds[0]]);
    const range = { fromMs: startMs, toMs: startMs + 4 * hourMs, sliceMs: 2 * hourMs };
    await store.mergeIssues(1, issueIds[0] ?? 0, [issueIds[1] ?? 0], act);
    const sliced = await store.listIssueEventIntervals([issueIds[0] ?? 0], range);
    const counted = new Map(sliced.map(({ slice, events }) => [slice, events]));
    expect([sliced.every(({ issueId }) => issueId === issueIds[0]), counted.get(0), counted.get(1)]).toEqual([
      true,
      2,
      1,
    ]);
    const releases = await store.newestReleases([1, 2], 5);
    expect(releases.map(({ version, newIssues }) => [version, newIssues])).toEqual([
      ['1.1', 0],
      ['1.0', 1],
    ]);
    expect(await store.newestTestRuns([1, 2], 5)).toEqual([]);
    expect(await store.newestReports([1, 2], 5)).toEqual([]);
  });

  it('counts for the navigation', async () => {
    const counts = await store.placeCounts([1, 2], startMs);
    expect(counts).toEqual({ openIssues: 2, newReports: 0, failedProofs: 0, members: 1 });
    expect(await store.arrivals([1])).toEqual({ hasEvents: true });
  });

  it('finds records by a word and by their names', async () => {
    await store.addDomain({ projectId: 2, host: 'shop.example', bugReports: true, createdAtMs: startMs });
    const found = async (kind: Parameters<Store['findThings']>[0], text: string) =>
      (await store.findThings(kind, [1, 2], text, 10)).map(({ title }) => title);
    expect(await found('domains', 'SHOP')).toEqual(['shop.example']);
    expect(await found('releases', '1.')).toEqual(['1.1', '1.0']);
    expect(await found('releases', '%')).toEqual([]);
    for (const kind of ['feedback', 'deploys', 'test_runs', 'artifacts'] as const) {
      expect([kind, await found(kind, 'nothing')]).toEqual([kind, []]);
    }
    const [event] = await store.listEventsFrom(0, 1);
    const named = await store.findEventsNamed([1, 2], event?.eventId ?? '', 5);
    expect(named).toMatchObject([{ issueId: issueIds[0], projectId: 1 }]);
    const number = { by: 'number', value: issueIds[2] ?? 0 } as const;
    expect((await store.findNamed([1, 2], number, 5)).map(({ kind, id }) => [kind, id])).toEqual([
      ['issues', issueIds[2]],
    ]);
    expect(await store.findNamed([1], number, 5)).toEqual([]);
    for (const by of ['commit', 'sha256', 'version', 'host'] as const) {
      expect([by, await store.findNamed([1, 2], { by, value: 'none' }, 5)]).toEqual([by, []]);
    }
  });
});
