import { describe, expect, it } from '@jest/globals';
import type { CursorPage, TimeCursor } from '../../src/core/store/pagination.ts';
import type { DeployWithRollback } from '../../src/core/store/releases.ts';
import type { CaseCursor, ResultWithCursor } from '../../src/core/store/test-runs.ts';
import { fullOrShort, inFull } from '../support/test-level.ts';
import { databases, startMs, storeForEachTest } from './support/databases.ts';
import { deployOf } from './support/deploys.ts';
import { eventOf } from './support/events.ts';
import { releaseOf } from './support/releases.ts';
import { testUploadOf } from './support/test-uploads.ts';

const newest = { after: null, before: null, limit: 50 };
const allRuns = { result: null, branch: null, search: null };
const allDeploys = { environment: null, outcome: null, search: null, sinceMs: null };

describe.each(databases)('queries of releases, deploys and test runs on $name', (database) => {
  let otherId: number;
  const store = storeForEachTest(database);
  const addOther = async (): Promise<void> => {
    otherId = (await store.createProject({ name: 'other', createdAtMs: startMs })).id;
  };

  it('page releases over projects by time, back and forth', async () => {
    await addOther();
    // Two projects with one version, and several of one moment.
    for (const [at, version] of ['1.0', 'v.json', '1.1', '1.2', '1.3'].entries()) {
      await store.upsertRelease(releaseOf(version, { nowMs: startMs + Math.floor(at / 2) }));
    }
    await store.upsertRelease(releaseOf('1.0', { projectId: otherId, nowMs: startMs + 1 }));
    const ids = [1, otherId];
    const filter = { environment: null, search: null };
    const slice = (near: { after?: TimeCursor; before?: TimeCursor }) =>
      store.listReleasePage(ids, filter, {
        after: near.after ?? null,
        before: near.before ?? null,
        limit: 2,
      });
    const names = ({ rows }: CursorPage<{ version: string; projectId: number }>): string[] =>
      rows.map(({ version, projectId }) => `${version} of ${projectId === 1 ? 'one' : 'other'}`);
    const near = (row: { createdAtMs: number; id: number } | undefined): TimeCursor => ({
      atMs: row?.createdAtMs ?? 0,
      id: row?.id ?? 0,
    });
    const first = await slice({});
    const second = await slice({ after: near(first.rows.at(-1)) });
    const third = await slice({ after: near(second.rows.at(-1)) });
    expect([first, second, third].map(names)).toEqual([
      ['1.3 of one', '1.0 of other'],
      ['1.2 of one', '1.1 of one'],
      ['v.json of one', '1.0 of one'],
    ]);
    expect([first, second, third].map(({ hasNewer, hasOlder }) => [hasNewer, hasOlder])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
    expect(names(await slice({ before: near(third.rows[0]) }))).toEqual(names(second));
    expect((await slice({ before: near(second.rows[0]) })).hasNewer).toBe(false);
    expect(names(await store.listReleasePage([otherId], filter, newest))).toEqual(['1.0 of other']);
    expect(await store.countReleases(ids, { environment: null, search: '.JSON' })).toBe(1);
    expect(await store.listReleasePage([], filter, newest)).toMatchObject({ rows: [] });
  });

  it('sum a page of releases as each alone is summed', async () => {
    await addOther();
    await store.recordEvent(eventOf({ release: '1.0', kind: 'a' }));
    await store.recordEvent(eventOf({ release: '1.0', kind: 'a', second: 1 }));
    await store.recordEvent(eventOf({ release: '1.0', kind: 'b', second: 2 }));
    await store.recordEvent(eventOf({ release: '1.0', projectId: otherId, kind: 'c' }));
    await store.addSessions([sessions('1.0', startMs, 10, 1), sessions('1.1', startMs + 3_600_000, 30, 3)]);
    const { rows } = await store.listReleasePage([1, otherId], { environment: null, search: null }, newest);
    expect(rows).toHaveLength(3);
    const sums = await store.releaseSums(rows, startMs + 3_600_000);
    for (const release of rows) {
      const alone = await store.releaseFigures(release);
      expect(sums.get(release.id)).toMatchObject({
        newIssues: alone.newIssues,
        regressedIssues: alone.regressedIssues,
        sessions: alone.sessions,
        crashedSessions: alone.crashedSessions,
      });
    }
    const of = (version: string, projectId: number) =>
      sums.get(rows.find((row) => row.version === version && row.projectId === projectId)?.id ?? 0);
    expect(of('1.0', 1)).toMatchObject({ newIssues: 2, events: 3, recentSessions: 0, sessions: 10 });
    expect([of('1.0', 1)?.lastEventAtMs, of('1.1', 1)?.lastEventAtMs]).toEqual([startMs + 2_000, null]);
    expect(of('1.1', 1)).toMatchObject({ recentSessions: 30, recentSessionsOfProject: 30 });
    expect(of('1.0', otherId)).toMatchObject({ newIssues: 1, events: 1, sessions: 0 });
    const [latest] = rows.filter(({ version }) => version === '1.1');
    if (latest === undefined) throw new Error('the release of the sessions is not there');
    const span = { fromMs: startMs, toMs: startMs + 7_200_000, stepMs: 3_600_000 };
    expect(await store.adoption(latest, '1.0', span)).toEqual([
      { fromMs: startMs, sessions: 0, otherSessions: 10, allSessions: 10 },
      { fromMs: startMs + 3_600_000, sessions: 30, otherSessions: 0, allSessions: 30 },
    ]);
  });

  it('recognize a rollback, and what it rolled back', async () => {
    const deploy = (at: number, version: string, more = {}) =>
      store.recordDeploy(deployOf(version, { nowMs: startMs + at, ...more }));
    await deploy(1, '1.0');
    await deploy(2, '1.1');
    await deploy(3, '1.1', { environment: 'staging' });
    await deploy(4, '1.2', { status: 'failure' });
    await deploy(5, '1.0');
    await deploy(6, '1.1');
    await deploy(7, '1.1');
    const said = ({ deploy: { version }, isBack, takenBackBy }: DeployWithRollback): string =>
      `${version}${isBack ? ' back' : ''}${takenBackBy === null ? '' : ' taken back'}`;
    const { rows } = await store.listDeployPage([1], allDeploys, newest);
    expect(rows.map(said)).toEqual(['1.1', '1.1', '1.0 back', '1.2', '1.1', '1.1 taken back', '1.0']);
    const back = await store.listDeployPage([1], { ...allDeploys, outcome: 'back' }, newest);
    expect(back.rows.map(said)).toEqual(['1.0 back']);
    const failed = await store.listDeployPage([1], { ...allDeploys, outcome: 'failed' }, newest);
    expect(failed.rows.map(said)).toEqual(['1.2']);
    expect(await store.countDeploys([1], null)).toEqual([
      { environment: 'production', deploys: 6, failed: 1 },
      { environment: 'staging', deploys: 1, failed: 0 },
    ]);
  });

  inFull(it)('page thousands of cases, failures first, each once', async () => {
    const cases = Array.from(
      { length: fullOrShort(10_000, 2_000) },
      (_, at) => `c${at} ${at % 250 === 7 ? 'failed' : 'passed'}`,
    );
    const { run } = await store.recordTestRun(testUploadOf('many', cases));
    const walked: ResultWithCursor[] = [];
    let after: CaseCursor | null = null;
    for (;;) {
      const some: ResultWithCursor[] = await store.walkTestResults(
        run.id,
        { result: null, search: 'c1' },
        after,
        300,
      );
      walked.push(...some);
      after = some.at(-1)?.near ?? null;
      if (some.length < 300) break;
    }
    // c1, c10…c19, c100…c199, c1000…c1999.
    expect(new Set(walked.map(({ result }) => result.name)).size).toBe(walked.length);
    expect(walked).toHaveLength(1_111);
    expect(walked[0]?.result.name).toBe('c1007');
    const failed = await store.walkTestResults(run.id, { result: 'failed', search: null }, null, 100);
    expect(failed.map(({ result }) => result.name)).toHaveLength(cases.length / 250);
    expect(await store.listUnstableCases([run.id], 4)).toHaveLength(4);
  });

  it('count, list and compare runs', async () => {
    await addOther();
    const upload = (at: number, cases: string[], facts = {}, projectId = 1) =>
      store.recordTestRun({
        ...testUploadOf(`d${at}`, cases, { suite: 'unit', branch: 'main', ...facts }, startMs + at),
        projectId,
      });
    const runs = [
      await upload(1, ['a passed', 'b passed']),
      await upload(2, ['a failed', 'b passed']),
      await upload(3, ['a failed'], { branch: 'x' }),
      await upload(4, ['a failed', 'b skipped'], { release: '1.0' }),
      await upload(5, ['a passed'], { suite: null, branch: null }, otherId),
    ].map(({ run }) => run);
    const [first, second, , fourth, other] = runs;
    if (first === undefined || fourth === undefined || second === undefined || other === undefined) {
      throw new Error('a run is not there');
    }
    expect(await store.countTestRuns([1, otherId], allRuns)).toEqual({
      failed: 3,
      flaky: 0,
      passed: 2,
      empty: 0,
    });
    const failed = await store.listTestRunPage([1], { ...allRuns, result: 'failed', branch: 'main' }, newest);
    expect(failed.rows.map(({ id }) => id)).toEqual([fourth.id, second.id]);
    expect((await store.testRunsUpTo(fourth, 9)).map(({ id }) => id)).toEqual([
      fourth.id,
      second.id,
      first.id,
    ]);
    expect((await store.testRunAfter(first))?.id).toBe(second.id);
    expect(await store.testRunAfter(fourth)).toBeNull();
    expect((await store.testRunsUpTo(other, 9)).map(({ id }) => id)).toEqual([other.id]);
    expect((await store.testRunsOfReleases([1, otherId], ['1.0'], 9)).map(({ id }) => id)).toEqual([
      fourth.id,
    ]);
    const [{ result } = { result: null }] = await store.walkTestResults(
      fourth.id,
      { result: 'failed', search: null },
      null,
      1,
    );
    const caseId = result?.caseId ?? '';
    const ends = await store.caseEnds(1, [caseId], [first.id, second.id, fourth.id]);
    expect(new Map(ends.map((end) => [end.runId, end.result]))).toEqual(
      new Map([
        [first.id, 'passed'],
        [second.id, 'failed'],
        [fourth.id, 'failed'],
      ]),
    );
    expect(await store.projectsOfCase([1, otherId], caseId)).toEqual([1, otherId]);
    const history = await store.listCaseRunPage(1, caseId, { ...newest, limit: 2 });
    expect(history.rows.map(({ run }) => run.id)).toEqual([fourth.id, runs[2]?.id]);
    const older = await store.listCaseRunPage(1, caseId, {
      after: history.rows[1]?.near ?? null,
      before: null,
      limit: 9,
    });
    expect(older.rows.map(({ run }) => run.id)).toEqual([second.id, first.id]);
  });
});

function sessions(release: string, atMs: number, count: number, crashed: number) {
  return {
    projectId: 1,
    id: null,
    release,
    environment: 'production',
    atMs,
    sessions: count,
    exited: count - crashed,
    errored: 0,
    crashed,
    abnormal: 0,
  };
}
