import { describe, expect, it } from '@jest/globals';
import { databases, startMs, storeForEachTest } from './support/databases.ts';
import { deployOf } from './support/deploys.ts';
import { eventOf } from './support/events.ts';
import { releaseOf } from './support/releases.ts';

const page = { orderBy: 'date_created', descending: true, limit: 100, offset: 0 } as const;

describe.each(databases)('releases and deploys on $name', (database) => {
  const store = storeForEachTest(database);

  it('report to one of many concurrent creates that it created', async () => {
    const calls = Array.from({ length: 20 }, () => store.upsertRelease(releaseOf('1.0')));
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.release.id)).size).toBe(1);
    expect((await store.listReleases(1, page)).total).toBe(1);
  });

  it('keep fields that are not given, and replace those that are', async () => {
    const commits = { commits: '[{"id":"a"}]', commitCount: 1, lastCommit: 'a' };
    await store.upsertRelease(
      releaseOf('1.0', { ref: 'main', url: 'https://a.example/', metadata: '{"a":1}', ...commits }),
    );
    await store.upsertRelease(
      releaseOf('1.0', { ref: 'v1', status: 'archived', finalizedAtMs: startMs + 1 }),
    );
    const { release } = await store.upsertRelease(
      releaseOf('1.0', { finalizedAtMs: startMs + 9, nowMs: startMs + 9 }),
    );
    expect(release).toMatchObject({
      ref: 'v1',
      url: 'https://a.example/',
      status: 'archived',
      dateReleasedMs: startMs + 1,
      metadata: '{"a":1}',
      commits: '[{"id":"a"}]',
      lastCommit: 'a',
      createdAtMs: startMs,
      updatedAtMs: startMs + 9,
    });
    const emptied = await store.upsertRelease(releaseOf('1.0', { commits: '[]', commitCount: 0 }));
    expect(emptied.release).toMatchObject({ commitCount: 0, lastCommit: null, commits: '[]' });
  });

  it('are made by an event first, and then are not created again', async () => {
    await store.recordEvent(eventOf({ release: '2.0' }));
    expect((await store.upsertRelease(releaseOf('2.0'))).created).toBe(false);
    expect((await store.recordDeploy(deployOf('2.0'))).releaseCreated).toBe(false);
    const release = await store.findReleaseByVersion(1, '2.0');
    if (release === null) throw new Error('the release of the event is not there');
    expect(await store.releaseFigures(release)).toMatchObject({
      newIssues: 1,
      regressedIssues: 0,
      deploys: 1,
      testRuns: 0,
    });
    expect((await store.releaseIssueIds(release, 10)).new).toHaveLength(1);
  });

  it('count issues resolved in a release and regressed in it', async () => {
    const act = { actor: 'ada', nowMs: startMs };
    for (const version of ['1.0', '2.0']) await store.upsertRelease(releaseOf(version));
    const { issueId } = await store.recordEvent(eventOf({ release: '1.0' }));
    await store.changeIssue(1, issueId, { status: 'resolved', in: 'release', release: '2.0' }, act);
    const figuresOf = async (version: string) => {
      const release = await store.findReleaseByVersion(1, version);
      return release === null ? null : store.releaseFigures(release);
    };
    expect(await figuresOf('2.0')).toMatchObject({ newIssues: 0, resolvedIssues: 1 });
    expect(await figuresOf('1.0')).toMatchObject({ newIssues: 1, resolvedIssues: 0 });
    await store.recordEvent(eventOf({ release: '2.0', second: 5 }));
    expect(await figuresOf('2.0')).toMatchObject({ regressedIssues: 1, resolvedIssues: 0 });
  });

  it('count an issue for the next release where it was resolved before that', async () => {
    await store.upsertRelease(releaseOf('1.0'));
    const { issueId } = await store.recordEvent(eventOf({ release: '1.0' }));
    await store.changeIssue(
      1,
      issueId,
      { status: 'resolved', in: 'next_release' },
      { actor: 'ada', nowMs: startMs },
    );
    const { release } = await store.upsertRelease(releaseOf('1.1', { nowMs: startMs + 1000 }));
    expect((await store.releaseIssueIds(release, 10)).resolved).toEqual([issueId]);
  });

  it('count an issue for the next of its package, whatever other packages came in between', async () => {
    const create = async (version: string, second: number) =>
      (await store.upsertRelease(releaseOf(version, { nowMs: startMs + second * 1000 }))).release;
    const resolve = async (kind: string, release: string | null, second: number) => {
      const { issueId } = await store.recordEvent(eventOf({ kind, release, second }));
      const act = { actor: 'ada', nowMs: startMs + second * 1000 };
      await store.changeIssue(1, issueId, { status: 'resolved', in: 'next_release' }, act);
      return issueId;
    };
    const resolvedIn = async (release: Awaited<ReturnType<typeof create>>) => {
      const { resolved } = await store.releaseIssueIds(release, 10);
      expect(await store.releaseFigures(release)).toMatchObject({ resolvedIssues: resolved.length });
      return resolved;
    };
    const before = await resolve('a', null, 1);
    const unregistered = await resolve('b', 'api@0.9', 2);
    const first = await create('api@1.0', 3);
    const api = await resolve('c', 'api@1.0', 4);
    const web = [await create('web@5.0', 5), await create('web@6.0', 6)] as const;
    const second = await create('api@1.1', 7);
    const hotfix = await create('api@1.0.1', 8);
    const later = await create('api@1.2', 9);
    expect(await resolvedIn(first)).toEqual([unregistered, before]);
    for (const release of web) expect(await resolvedIn(release)).toEqual([]);
    expect(await resolvedIn(hotfix)).toEqual([api]);
    expect(await resolvedIn(second)).toEqual([]);
    expect(await resolvedIn(later)).toEqual([]);
  });

  it('sort by version as numbers, byte by byte, and page', async () => {
    const sorted = ['abc', 'zeta', '1.2', '1.9', '1.10.0-RC', '1.10.0-rc', '1.10', '1.10+2', '1.10+10'];
    for (const version of [...sorted].reverse()) await store.upsertRelease(releaseOf(version));
    const list = await store.listReleases(1, { ...page, orderBy: 'version', descending: false });
    expect(list.rows.map((release) => release.version)).toEqual(sorted);
    const found = await store.listReleases(1, { ...page, search: '1.10_', limit: 2 });
    expect(found.total).toBe(0);
    expect((await store.listReleases(1, { ...page, search: '-rc', limit: 1 })).total).toBe(2);
  });

  it('store one deploy for a key, under concurrency too, and refuse an end before the start', async () => {
    const calls = Array.from({ length: 10 }, () =>
      store.recordDeploy(deployOf('1.0', { key: 'k', status: 'in_progress' })),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(answers.filter((answer) => answer.releaseCreated)).toHaveLength(1);
    const begun = answers[0]?.deploy;
    expect(begun).toMatchObject({ status: 'in_progress', dateFinishedMs: null });
    const ended = await store.recordDeploy(
      deployOf('1.0', { key: 'k', status: 'failure', dateStartedMs: startMs - 5 }),
    );
    expect(ended.deploy).toMatchObject({ id: begun?.id, status: 'failure', dateFinishedMs: startMs });
    await expect(store.recordDeploy(deployOf('3.0', { key: 'k', dateFinishedMs: 1 }))).rejects.toMatchObject({
      status: 400,
    });
    expect(await store.findReleaseByVersion(1, '3.0')).toBeNull();
    expect(await store.findDeploy(1, begun?.id ?? 0)).toMatchObject({ version: '1.0' });
  });

  it('are deleted with their deploys, and are hidden from another project', async () => {
    const { deploy } = await store.recordDeploy(deployOf('1.0'));
    expect(await store.findDeploy(2, deploy.id)).toBeNull();
    expect(await store.findRelease(2, deploy.releaseId)).toBeNull();
    expect(await store.deleteRelease(2, deploy.releaseId)).toBe(false);
    expect(await store.deleteRelease(1, deploy.releaseId)).toBe(true);
    expect((await store.listDeploys(1, page)).total).toBe(0);
  });
});
