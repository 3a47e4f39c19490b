import { describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { reportFigures } from '../../data/reports/figures.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { deployOf } from './support/deploys.ts';
import { type EventParts, eventOf } from './support/events.ts';
import { addIssues } from './support/many-issues.ts';
import { releaseOf } from './support/releases.ts';
import { testUploadOf } from './support/test-uploads.ts';

const hour = 3_600_000;
const day = { fromMs: startMs, toMs: startMs + 24 * hour };

describe.each(databases)('the figures of reports on $name', (database) => {
  const { store, db } = storeAndDbForEachTest(database);
  const file = (parts: EventParts) => store.recordEvent(eventOf(parts));
  const act = (second: number) => ({ actor: 'ada', nowMs: startMs + second * 1000 });
  const moves = async (range = day, ids = [1]) => (await store.projectMoves(ids, range))[0];

  it('are those of the range alone, without its end', async () => {
    await file({ kind: 'before', second: -1 });
    await file({ kind: 'a', second: 0, level: 'fatal' });
    await file({ kind: 'a', second: 24 * 3600 - 1, level: 'info' });
    await file({ kind: 'after', second: 24 * 3600 });
    expect(await moves()).toMatchObject({ projectId: 1, events: 2, newIssues: 1, sent: 2, kept: 2 });
    const hours = await store.listLevelHours([1], day.fromMs, day.toMs, null);
    expect(hours.map(({ fatal, info }) => [fatal, info])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(await moves({ fromMs: day.toMs, toMs: day.toMs + hour })).toMatchObject({
      events: 1,
      newIssues: 1,
    });
  });

  it('count an issue once that was resolved or regressed twice', async () => {
    await file({ kind: 'a', second: -10 });
    for (const second of [10, 30]) {
      await store.changeIssue(1, 1, { status: 'resolved', in: 'now' }, act(second));
      await file({ kind: 'a', second: second + 10 });
    }
    await file({ kind: 'b', second: 50 });
    await store.changeIssue(1, 2, { status: 'resolved', in: 'now' }, act(60));
    expect(await moves()).toMatchObject({ newIssues: 1, resolvedIssues: 2, regressedIssues: 1 });
  });

  it('leave out issues that were merged into another, and keep their events', async () => {
    for (const kind of ['a', 'b', 'b', 'c']) await file({ kind, second: 5 });
    await store.mergeIssues(1, 1, [2], act(9));
    expect(await moves()).toMatchObject({ newIssues: 2, events: 4 });
    const busy = await store.busiestIssues([1], day, 10);
    expect(busy.map(({ id, events }) => [id, events])).toEqual([
      [1, 3],
      [3, 1],
    ]);
  });

  it('count sessions and discarded events, without those that clients dropped', async () => {
    const place = { projectId: 1, id: null, release: '1.0', environment: '' };
    const sessions = { sessions: 40, exited: 30, errored: 6, crashed: 4, abnormal: 0 };
    await store.addSessions([
      { ...place, ...sessions, atMs: startMs },
      { ...place, ...sessions, atMs: startMs - 1 },
    ]);
    const of = { projectId: 1, atMs: startMs, category: 'error' };
    await store.addOutcomes([
      { ...of, outcome: 'rate_limited', reason: 'key_quota', quantity: 3 },
      { ...of, outcome: 'client_discard', reason: 'network_error', quantity: 50 },
    ]);
    await file({ kind: 'a', second: 1 });
    expect(await moves()).toMatchObject({ sessions: 40, crashedSessions: 4, sent: 4, kept: 1, events: 1 });
  });

  it('count releases, deploys and test runs, however many', async () => {
    for (const nowMs of [startMs - 1, startMs, day.toMs - 1, day.toMs]) {
      await store.upsertRelease(releaseOf(`1.${nowMs}`, { nowMs }));
      await store.recordDeploy(deployOf(`1.${nowMs}`, { nowMs, status: 'success' }));
      await store.recordTestRun(testUploadOf(`run ${nowMs}`, ['a passed', 'b failed'], {}, nowMs));
    }
    await store.recordDeploy(deployOf(`1.${startMs}`, { nowMs: startMs + 1, status: 'failure' }));
    await store.recordTestRun({ ...testUploadOf('broke off', ['c passed']), status: 'error' });
    await store.recordTestRun(testUploadOf('good', ['d passed']));
    expect(await moves()).toMatchObject({
      ...{ releases: 2, deploys: 3, failedDeploys: 1, testRuns: 4, failedRuns: 3, tests: 6, passedTests: 4 },
    });
  });

  it('are those of the requested projects, in any number', async () => {
    const { id } = await store.createProject({ name: 'other', createdAtMs: startMs });
    await file({ kind: 'a', second: 5 });
    await file({ kind: 'a', second: 5, projectId: id });
    await file({ kind: 'b', second: 5, projectId: id });
    const many = Array.from({ length: 250 }, (_, nth) => nth + 1);
    const all = await store.projectMoves(many, day);
    expect(all.map(({ projectId, events }) => [projectId, events])).toEqual([
      [1, 1],
      [id, 2],
    ]);
    expect(await store.projectMoves([], day)).toEqual([]);
    expect((await store.busiestIssues([1, id], day, 10)).map((each) => each.projectId)).toEqual([1, id, id]);
  });

  it('find the busiest by events of the range, not by all events', async () => {
    // More than one look reads, each with two events before the range.
    await file({ kind: 'old 3', second: -3600 });
    await addIssues(db, 105, 2, startMs - hour);
    await file({ kind: 'old 3', second: 7 });
    for (const kind of ['x', 'y', 'y']) await file({ kind, second: 9 });
    const busy = await store.busiestIssues([1], day, 2);
    expect(busy.map(({ title, events }) => [title, events])).toEqual([
      ['TypeError: y', 2],
      ['TypeError: old 3', 1],
    ]);
    expect(await store.busiestIssues([1], day, 10)).toHaveLength(3);
  });

  const counting = () => {
    const asked = { looks: 0 };
    const all: Db['all'] = (sql, values) => {
      asked.looks += 1;
      return db.all(sql, values);
    };
    return { asked, figures: reportFigures({ ...db, all }) };
  };

  it('read one page of issues, however many are equal', async () => {
    await addIssues(db, 150, 1, startMs);
    const { asked, figures } = counting();
    expect(await figures.busiestIssues([1], day, 10)).toHaveLength(10);
    expect(asked.looks).toBe(2);
  });

  it('read issues of the range alone where these are few, however many there are in all', async () => {
    await addIssues(db, 1_000, 9, startMs - hour);
    await file({ kind: 'a', second: 5 });
    const { asked, figures } = counting();
    const busy = await figures.busiestIssues([1], day, 10);
    expect(busy.map(({ title, events }) => [title, events])).toEqual([['TypeError: a', 1]]);
    expect(asked.looks).toBe(3);
  });

  it('read all issues where many were seen since, and few in the range', async () => {
    await file({ kind: 'a', second: 5 });
    await addIssues(db, 250, 9, day.toMs);
    const busy = await store.busiestIssues([1], day, 10);
    expect(busy.map(({ title, events }) => [title, events])).toEqual([['TypeError: a', 1]]);
  });
});
