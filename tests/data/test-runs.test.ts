import { describe, expect, it } from '@jest/globals';
import { databases, startMs, storeForEachTest } from './support/databases.ts';
import { testUploadOf } from './support/test-uploads.ts';

const page = { limit: 100, offset: 0 };

describe.each(databases)('test runs on $name', (database) => {
  const store = storeForEachTest(database);

  it('add up shards, under concurrency too', async () => {
    const shards = Array.from({ length: 8 }, (_value, index) => String(index));
    const answers = await Promise.all(
      shards.map((shard) =>
        store.recordTestRun(testUploadOf(shard, [`t${shard} passed`], { runKey: 'k', shard })),
      ),
    );
    expect(answers.filter((answer) => answer.outcome === 'created')).toHaveLength(1);
    const id = answers[0]?.run.id ?? 0;
    expect(await store.findTestRun(1, id)).toMatchObject({
      tests: 8,
      passed: 8,
      status: 'passed',
      durationMs: 40,
    });
    expect(await store.findTestRun(2, id)).toBeNull();
  });

  it('store the same digest once within a day', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => store.recordTestRun(testUploadOf('same', ['a passed', 'b failed']))),
    );
    expect(answers.map((answer) => answer.outcome).sort()).toEqual(['created', 'repeat', 'repeat', 'repeat']);
    const run = answers[0]?.run;
    expect((await store.listTestResults(run?.id ?? 0, page)).total).toBe(2);
    const later = await store.recordTestRun(testUploadOf('same', ['a passed'], {}, startMs + 86_400_001));
    expect(later.outcome).toBe('created');
  });

  it('replace a repeated shard, and subtract the first one', async () => {
    const facts = { runKey: 'k', shard: '1' };
    const first = await store.recordTestRun(testUploadOf('one', ['a failed', 'b passed'], facts));
    const second = await store.recordTestRun(testUploadOf('two', ['a passed'], facts));
    expect(second).toMatchObject({
      outcome: 'replaced',
      run: { id: first.run.id, tests: 1, failed: 0, status: 'passed' },
    });
    expect((await store.listTestResults(first.run.id, page)).total).toBe(1);
    expect(await store.recordTestRun(testUploadOf('one', ['a failed', 'b passed'], facts))).toMatchObject({
      outcome: 'replaced',
      run: { tests: 2, failed: 1 },
    });
  });

  it('write many cases and page them failures first', async () => {
    const cases = Array.from(
      { length: 230 },
      (_value, index) => `c${index} ${index % 100 === 99 ? 'failed' : 'passed'}`,
    );
    const { run } = await store.recordTestRun(testUploadOf('many', cases));
    const list = await store.listTestResults(run.id, { limit: 3, offset: 0 });
    expect(list.total).toBe(230);
    expect(list.rows.map((result) => result.name)).toEqual(['c99', 'c199', 'c0']);
    expect(JSON.parse(list.rows[0]?.detail ?? '')).toMatchObject({ trace: 'trace of c99' });
    expect((await store.listTestResults(run.id, { ...page, status: 'failed' })).total).toBe(2);
    expect((await store.listTestResults(run.id, { ...page, search: 'C22' })).total).toBe(11);
  });

  it('mark a case as flaky that passed and failed on one commit', async () => {
    await store.recordTestRun(testUploadOf('f1', ['a failed', 'b passed'], { commit: 'c' }));
    const { run } = await store.recordTestRun(
      testUploadOf('f2', ['a passed', 'b passed'], { commit: 'c' }, startMs + 1),
    );
    expect(run.flaky).toBe(1);
    const results = (await store.listTestResults(run.id, page)).rows;
    expect(results.map((result) => [result.name, result.flakyRule, result.caseFlakyAtMs])).toEqual([
      ['a', 'across_runs', startMs + 1],
      ['b', null, null],
    ]);
    const history = await store.listCaseRuns(1, results[0]?.caseId ?? '', { ...page, descending: true });
    expect(history.rows.map(({ result }) => result.status)).toEqual(['passed', 'failed']);
    expect((await store.listCaseRuns(2, results[0]?.caseId ?? '', { ...page, descending: true })).total).toBe(
      0,
    );
  });

  it('have the end of the quarantine of each case', async () => {
    const { run } = await store.recordTestRun(testUploadOf('q', ['a failed', 'b failed']));
    const [one] = (await store.listTestResults(run.id, page)).rows;
    if (one === undefined) throw new Error('no result');
    const { caseId, name, suite, file } = one;
    const of = { projectId: 1, caseId, name, suite, file, createdAtMs: startMs, createdBy: 'a test' };
    const untilMs = startMs + 1000;
    const made = await store.putQuarantinedCase({ ...of, reason: 'flaky', issueId: null, untilMs });
    const again = { ...of, reason: 'late', issueId: 7, untilMs: untilMs + 1 };
    expect(await store.putQuarantinedCase(again)).toEqual({ id: made.id, ...again });
    const results = (await store.listTestResults(run.id, page)).rows;
    expect(results.map((each) => each.quarantinedUntilMs)).toEqual([untilMs + 1, null]);
    expect(await store.listQuarantinedCases(1, untilMs)).toHaveLength(1);
    expect(await store.listQuarantinedCases(1, untilMs + 1)).toEqual([]);
    expect(await store.findQuarantinedCase(1, caseId, untilMs + 1)).toBeNull();
    expect(await store.removeQuarantinedCase(2, made.id)).toBeNull();
    await store.removeEndedQuarantine(1, untilMs);
    expect(await store.removeQuarantinedCase(1, made.id)).toMatchObject({ reason: 'late' });
    expect(await store.findQuarantinedCase(1, caseId, startMs)).toBeNull();
  });

  it('list runs by release, branch and others', async () => {
    await store.recordTestRun(
      testUploadOf('l1', ['a passed'], { branch: 'main', release: '1.0', tags: { os: 'linux' } }),
    );
    await store.recordTestRun(
      testUploadOf('l2', ['a failed'], { branch: 'feat', build: { url: 'https://ci.example/' } }),
    );
    const all = { ...page, orderBy: 'created_at', descending: true } as const;
    expect((await store.listTestRuns(1, all)).rows.map((run) => run.branch)).toEqual(['feat', 'main']);
    expect((await store.listTestRuns(1, { ...all, status: 'passed' })).rows[0]).toMatchObject({
      tags: { os: 'linux' },
    });
    expect((await store.listTestRuns(1, { ...all, release: '1.0' })).total).toBe(1);
    expect((await store.listTestRuns(1, { ...all, search: 'FEA' })).rows[0]).toMatchObject({
      build: { url: 'https://ci.example/' },
    });
  });

  it('delete unfinished runs', async () => {
    const broken = testUploadOf('broken', ['a passed', 'b passed']);
    const cases = [...broken.cases];
    Object.defineProperty(cases, 1, {
      get: () => {
        throw new Error('the process ended');
      },
    });
    await expect(store.recordTestRun({ ...broken, cases })).rejects.toThrow('the process ended');
    expect((await store.listTestRuns(1, { ...page, orderBy: 'tests', descending: false })).total).toBe(0);
    const { run } = await store.recordTestRun({ ...broken, nowMs: startMs + 3_600_001 });
    expect(run.tests).toBe(2);
    const caseId = broken.cases[0]?.caseId ?? '';
    expect((await store.listCaseRuns(1, caseId, { ...page, descending: true })).total).toBe(1);
  });
});
