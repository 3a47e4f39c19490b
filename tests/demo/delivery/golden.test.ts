// The world of Delivery and Records at the golden time: as many of each as are promised, and what is told of
// them.
import { describe, expect, it } from '@jest/globals';
import { verifyAudit } from '../../../src/core/audit/verify.ts';
import { deliveryFinders } from '../../../src/demo/store/delivery/finders.ts';
import { deliveryCounts } from '../../../src/demo/store/delivery/reads.ts';
import { casesOf } from '../../../src/demo/world/delivery/cases.ts';
import { sumOf } from '../../../src/demo/world/delivery/health.ts';
import { deliveryWorld } from '../../../src/demo/world/delivery/world.ts';
import { wholeAudit } from '../../support/audit.ts';
import { goldenMs, projectIds, seed, storeOf, toldElsewhere } from './demo-visit.ts';

const world = deliveryWorld(seed, goldenMs, () => toldElsewhere);
const store = storeOf(world);
const all = { after: null, before: null, limit: 1000 };
const anything = { environment: null, search: null };

describe('releases', () => {
  it('are eighteen, of five projects, with the versions of the plan', async () => {
    const { rows } = await store.sliceReleases(projectIds, anything, all);
    expect(rows).toHaveLength(18);
    expect(await store.countReleases(projectIds, anything)).toBe(18);
    expect(new Set(rows.map(({ projectId }) => projectId))).toEqual(new Set(projectIds));
    expect(rows.slice(0, 3).map(({ version }) => version)).toEqual(['2.31.0', '4.18.0', '0.1.0']);
  });

  it('have the trouble under way as the newest, with the commit that it came from', async () => {
    const { trouble } = world;
    const release = await store.lookUpRelease(trouble.releaseId);
    expect(release).toMatchObject({ version: '2.31.0', createdAtMs: trouble.releasedAtMs, projectId: 2 });
    const [newest] = JSON.parse(release?.commits ?? '[]');
    expect(newest).toMatchObject({
      message: 'capture: three attempts',
      patch_set: [{ path: 'src/payments/capture.ts', type: 'M' }],
    });
    const production = await store.findDeploy(2, trouble.deployId);
    expect(production).toMatchObject({ environment: 'production', createdAtMs: trouble.deployedAtMs });
    const before = release === null ? null : await store.releaseBefore(release);
    expect(before?.version).toBe(trouble.versionBefore);
  });

  it('went out in forty-six deploys, of which four failed and two were taken back', async () => {
    const filter = { environment: null, outcome: null, search: null, sinceMs: null };
    const { rows } = await store.sliceDeploys(projectIds, filter, all);
    expect(rows).toHaveLength(46);
    expect(rows.filter(({ deploy }) => deploy.status === 'failure')).toHaveLength(4);
    expect(rows.filter(({ isBack }) => isBack).map(({ deploy }) => deploy.version)).toEqual([
      '2.29.0',
      '4.15.0',
    ]);
    const taken = rows.filter(({ takenBackBy }) => takenBackBy !== null);
    expect(taken.map(({ deploy }) => deploy.version)).toEqual(['2.30.0', '4.16.0']);
    const { rows: back } = await store.sliceDeploys(projectIds, { ...filter, outcome: 'back' }, all);
    expect(back).toHaveLength(2);
    const counts = await store.countDeploys(projectIds, null);
    expect(counts.reduce((sum, { deploys }) => sum + deploys, 0)).toBe(46);
  });

  it('run worse where they brought trouble', () => {
    const share = (projectId: number, version: string): number => {
      const { sessions, crashed } = sumOf(world.health(projectId).filter((hour) => hour.version === version));
      return crashed / sessions;
    };
    expect(share(1, '4.17.0')).toBeLessThan(0.005);
    expect(share(1, '4.18.0')).toBeGreaterThan(0.02);
    expect(share(2, '2.30.0')).toBeLessThan(0.003);
    expect(share(2, '2.31.0')).toBeGreaterThan(0.05);
  });

  it('are taken up within days', async () => {
    const release = await store.findReleaseByVersion(1, '4.18.0');
    const sums = await store.releaseSums(release === null ? [] : [release], goldenMs - 86_400_000);
    const { recentSessions = 0, recentSessionsOfProject = 1 } = sums.get(release?.id ?? 0) ?? {};
    expect(recentSessions / recentSessionsOfProject).toBeGreaterThan(0.5);
    expect(world.versionAt(1, 'production', goldenMs)).toBe('4.18.0');
    expect(world.versionAt(1, 'production', Date.UTC(2026, 9, 22, 20))).toBe('4.15.0');
    expect(world.versionAt(5, 'production', Date.UTC(2026, 10, 1))).toBeNull();
  });
});

describe('test runs', () => {
  const any = { result: null, branch: null, search: null };

  it('are forty, six of them red, three of those in a row that a release ended', async () => {
    const { rows } = await store.sliceTestRuns(projectIds, any, all);
    expect(rows).toHaveLength(40);
    expect(await store.countTestRuns(projectIds, any)).toMatchObject({ failed: 6, empty: 0 });
    expect(rows.every(({ tests }) => tests >= 24 && tests <= 620)).toBe(true);
    const shop = rows.filter(({ projectId, branch }) => projectId === 1 && branch === 'main').reverse();
    const ends = shop.map(({ status, release }) =>
      status === 'failed' ? 'x' : release === null ? '.' : 'R',
    );
    expect(ends.join('')).toContain('xxxR');
  });

  it('have four flaky tests', () => {
    const flaky = world.runs.flatMap((run) => run.flakyIndexes.map((index) => `${run.projectId} ${index}`));
    expect(new Set(flaky)).toEqual(new Set(['1 37', '1 402', '2 61', '4 15']));
  });

  it('name the cases that failed before those that were flaky, each by their ids', async () => {
    for (const { id, ofSuite, failures, flakyIndexes } of world.runs) {
      const idsAt = (indexes: readonly number[]) => indexes.map((at) => casesOf(ofSuite)[at]?.caseId).sort();
      const troubled = await store.troubledCases([id], 10);
      expect(troubled.map(({ caseId }) => caseId)).toEqual([
        ...idsAt(failures.map(({ index }) => index)),
        ...idsAt(flakyIndexes),
      ]);
    }
  });

  it('failed before card payments did', async () => {
    const { trouble } = world;
    const run = await store.lookUpTestRun(trouble.testRunId);
    expect(run).toMatchObject({ status: 'failed', release: '2.31.0', startedAtMs: trouble.testRunAtMs });
    const [failure] = await store.walkTestResults(
      trouble.testRunId,
      { result: 'failed', search: null },
      null,
      5,
    );
    expect(failure?.result).toMatchObject({
      name: 'capture is tried again once after a time-out',
      file: 'test/payments/capture.test.ts',
    });
    expect(JSON.parse(failure?.result.detail ?? '{}').trace).toContain('src/payments/capture.ts');
    expect(deliveryCounts(world, projectIds)).toEqual({ failedProofs: 1 });
  });
});

describe('files', () => {
  const any = { type: null, release: null, search: null };

  it('are sixty-four, one content under the names of two releases', async () => {
    const { rows } = await store.sliceArtifacts(projectIds, any, all);
    expect(rows).toHaveLength(64);
    const counts = await store.countArtifacts(projectIds, any);
    expect(counts.minified_source + counts.source_map + counts.source).toBe(64);
    const shared = rows.filter(({ sha256 }) => rows.filter((other) => other.sha256 === sha256).length > 1);
    expect(shared.length).toBeGreaterThan(0);
    const [one] = shared;
    if (one === undefined) throw new Error('Nothing is shared.');
    const same = await store.sameContent(one, 10);
    expect(same.map(({ release }) => release)).not.toContain(one.release);
  });

  it('gave way twice to others of their name', () => {
    const listed = new Set(
      world.releases.slice(0, 18).map(({ projectId, version }) => `${projectId} ${version}`),
    );
    const replaced = world.files.filter(
      ({ artifact: { projectId, release, replacedAtMs } }) =>
        replacedAtMs !== null && listed.has(`${projectId} ${release}`),
    );
    expect(replaced).toHaveLength(2);
  });
});

it('domains are seven: four proved, one of them for two projects, and one each awaited, failing and over', async () => {
  expect(world.domains).toHaveLength(7);
  const states = Map.groupBy(world.proofs, ({ status }) => status);
  expect([...states].map(([status, proofs]) => `${status} ${proofs.length}`).sort()).toEqual([
    'expired 1',
    'failing 1',
    'pending 1',
    'verified 4',
  ]);
  const shops = world.proofs.filter(({ domain }) => domain.startsWith('shop.'));
  expect(shops.map(({ projectId, status }) => `${projectId} ${status}`)).toEqual([
    '1 verified',
    '4 verified',
  ]);
  expect(states.get('failing')?.[0]?.lastError).toBe('mismatch');
});

describe('the audit history', () => {
  it('is of 220 entries that the program finds whole', async () => {
    expect(world.audit).toHaveLength(220);
    expect(await store.countAudit(wholeAudit)).toBe(220);
    const { fault, entries } = await verifyAudit(store);
    expect({ fault, entries }).toEqual({ fault: null, entries: 220 });
    const [broken, ...rest] = world.audit.slice(100);
    const altered = [...world.audit.slice(0, 100), { ...broken, summary: 'other' }, ...rest];
    const verdict = await verifyAudit({
      auditHead: () => store.auditHead(),
      walkAudit: async (after, limit) => altered.slice(Math.max(0, after), after + limit) as never,
    });
    expect(verdict.fault).toBe('entry 101 is not what it was when it was written');
  });

  it('tells of everything that was made', () => {
    const told = new Set(world.audit.map(({ action, objectId }) => `${action} ${objectId}`));
    const releases = world.releases.slice(0, 18).map(({ id }) => `release.created ${id}`);
    const domains = world.domains.map(({ id }) => `domain.added ${id}`);
    const proofs = world.proofs.map(({ id }) => `proof.created ${id}`);
    const projects = projectIds.map((id) => `project.created ${id}`);
    for (const each of [...releases, ...domains, ...proofs, ...projects]) expect(told).toContain(each);
    expect(world.audit.filter(({ action }) => action === 'deploy.created')).toHaveLength(46);
  });
});

it('a search finds each kind, and a thing by its exact name', () => {
  const { byKind, named } = deliveryFinders(world);
  expect(byKind.releases(projectIds, '4.18', 10).map(({ title }) => title)).toEqual(['4.18.0']);
  expect(byKind.deploys(projectIds, 'PREVIEW', 10)).toHaveLength(2);
  expect(byKind.test_runs(projectIds, 'phpunit', 3)).toHaveLength(3);
  expect(byKind.artifacts(projectIds, 'server.js.map', 50).length).toBe(6);
  expect(byKind.domains([3], 'harbour', 50)).toHaveLength(3);
  expect(byKind.domains(projectIds, ' ', 50)).toEqual([]);
  const commit = world.releases[0]?.ref ?? '';
  const kinds = named(projectIds, { by: 'commit', value: commit }, 5).map(({ kind, id }) => `${kind} ${id}`);
  expect(kinds).toEqual([`releases ${world.trouble.releaseId}`, `test_runs ${world.trouble.testRunId}`]);
  expect(named([1], { by: 'host', value: 'shop.harbourpine.example' }, 5)).toHaveLength(1);
});
