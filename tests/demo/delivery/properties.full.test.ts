// Whatever the time is: nothing lies in the future, nothing ends before it began, every reference leads
// somewhere, sums agree; and two times a day apart tell the same of the past.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verifyAudit } from '../../../src/core/audit/verify.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/core/reading/spans.ts';
import { demoTime } from '../../../src/demo/world/calendar.ts';
import { casesOf, endOf } from '../../../src/demo/world/delivery/cases.ts';
import { sumOf } from '../../../src/demo/world/delivery/health.ts';
import { type DeliveryWorld, deliveryWorld } from '../../../src/demo/world/delivery/world.ts';
import { backAndForth, type PlannedRelease, plannedReleases } from '../../../src/demo/world/plan.ts';
import { rememberedFromMs } from '../../../src/demo/world/story.ts';
import { nightlyOrFull } from '../../support/test-level.ts';
import { goldenMs, projectIds, seed, simpleFigures, storeOf } from './demo-visit.ts';

/** Leap day, ends of years, changes of clocks, the first minutes of a week and of a trouble. */
const oddTimes = [
  '2028-02-29T12:00Z',
  '2026-12-31T23:55Z',
  '2027-01-01T00:00Z',
  '2027-03-28T01:30Z',
  '2027-10-31T01:30Z',
  '2026-11-22T18:20Z',
  '2026-11-22T18:25Z',
  '2026-11-23T00:00Z',
  '2026-11-23T00:25Z',
  '2026-11-23T10:00Z',
  '2027-01-03T20:00Z',
  // A release of checkout-api is to come again, and a hotfix of it is there.
  '2027-02-01T10:00Z',
].map((text) => Date.parse(text));

/** Just after something was made, came to its place or was taken back: the next of it is still to come. */
const turnsOf = (release: PlannedRelease): number[] => {
  const { backAtMs, againAtMs } = backAndForth(release);
  const taken = release.isTakenBack ? [backAtMs, againAtMs] : [];
  const moments = [release.madeAtMs, release.stagedAtMs, release.deployedAtMs, ...taken];
  return moments.map((ms) => demoTime(ms + 5 * minuteMs));
};
const planned = plannedReleases(seed, Date.UTC(2027, 8, 1)).filter(({ madeAtMs }) => madeAtMs > goldenMs);
const turns = planned.flatMap(turnsOf);
/** Those of one release of each project are tried always. */
const always = [...oddTimes.map(demoTime), ...projectIds.flatMap(firstTurns)];

function firstTurns(projectId: number): number[] {
  return planned
    .filter((release) => release.projectId === projectId)
    .slice(0, 1)
    .flatMap(turnsOf);
}

const times = fc
  .oneof(
    { weight: 2, arbitrary: fc.constantFrom(...turns) },
    { weight: 4, arbitrary: fc.integer({ min: goldenMs, max: Date.UTC(2036, 0, 1) }) },
    { weight: 1, arbitrary: fc.constantFrom(...oddTimes) },
  )
  .map(demoTime);

/** Every moment that a world tells of, by where it stands. */
function momentsOf(value: unknown, at: string): Array<readonly [at: string, ms: number]> {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    /Ms$/.test(name) && typeof each === 'number' && !/^(duration|next|expires)/.test(name)
      ? [[`${at}.${name}`, each] as const]
      : momentsOf(each, `${at}.${name}`),
  );
}

function checkTimes(world: DeliveryWorld): void {
  const { nowMs, releases, deploys, domains, proofs, audit } = world;
  const files = world.files.map(({ artifact }) => artifact);
  const testRuns = world.runs.map(({ ofSuite: _left, ...run }) => run);
  const told = momentsOf({ releases, deploys, files, testRuns, domains, proofs, audit }, 'world');
  expect(told.filter(([, ms]) => ms > nowMs || ms < Date.UTC(2025, 0, 1))).toEqual([]);
  const hours = projectIds.flatMap((id) => world.health(id));
  expect(hours.every((hour) => hour.hourMs <= nowMs && hour.hourMs >= rememberedFromMs(nowMs))).toBe(true);
  expect(deploys.filter((each) => (each.dateFinishedMs ?? 0) <= (each.dateStartedMs ?? 0))).toEqual([]);
  const odd = world.runs.filter(
    (run) => (run.finishedAtMs ?? 0) <= (run.startedAtMs ?? 0) || (run.durationMs ?? 0) <= 0,
  );
  expect(odd).toEqual([]);
  const waiting = proofs.filter(({ nextCheckAtMs }) => nextCheckAtMs !== null);
  expect(waiting.filter(({ nextCheckAtMs }) => (nextCheckAtMs ?? 0) <= nowMs)).toEqual([]);
  expect(proofs.filter(({ status }) => status === 'failing')).toHaveLength(1);
}

function checkReferences(world: DeliveryWorld): void {
  const releases = new Map(world.releases.map((release) => [release.id, release]));
  const versions = new Set(world.releases.map(({ projectId, version }) => `${projectId} ${version}`));
  expect(releases.size).toBe(world.releases.length);
  for (const deploy of world.deploys) {
    const release = releases.get(deploy.releaseId);
    expect(release).toMatchObject({ version: deploy.version, projectId: deploy.projectId });
    expect(deploy.createdAtMs).toBeGreaterThan(release?.createdAtMs ?? Number.NaN);
  }
  for (const things of [world.runs, world.deploys, world.files.map(({ artifact }) => artifact)]) {
    expect(new Set(things.map(({ id }) => id)).size).toBe(things.length);
  }
  const named = [...world.runs, ...world.files.map(({ artifact }) => artifact)].flatMap(
    ({ projectId, release }) => (release === null ? [] : [`${projectId} ${release}`]),
  );
  expect(named.filter((each) => !versions.has(each))).toEqual([]);
  const hours = projectIds.flatMap((id) => world.health(id).map(({ version }) => `${id} ${version}`));
  expect([...new Set(hours)].filter((each) => !versions.has(each))).toEqual([]);
  const told = world.audit.slice(-220).filter(({ objectKind }) => objectKind === 'release');
  expect(told.filter(({ objectId }) => !releases.has(Number(objectId)))).toEqual([]);
  expect(releases.has(world.trouble.releaseId)).toBe(true);
  expect(world.runs.some(({ id, status }) => id === world.trouble.testRunId && status === 'failed')).toBe(
    true,
  );
  expect(world.deploys.some(({ id }) => id === world.trouble.deployId)).toBe(true);
  const { trouble, nowMs } = world;
  expect(world.versionAt(2, 'production', nowMs)).toBe(trouble.version);
}

async function checkSums(world: DeliveryWorld): Promise<void> {
  for (const run of world.runs.slice(0, 12)) {
    const ends = casesOf(run.ofSuite)
      .slice(0, run.tests)
      .map(({ index }) => endOf(run, index));
    const count = (end: string): number => ends.filter((each) => each === end).length;
    const { tests, passed, failed, skipped, flaky } = run;
    expect([tests, passed, failed, skipped, flaky]).toEqual([
      ends.length,
      count('passed') + count('flaky'),
      count('failed'),
      count('skipped'),
      count('flaky'),
    ]);
  }
  const store = storeOf(world);
  for (const projectId of projectIds) {
    const own = world.releases.filter((release) => release.projectId === projectId);
    const sums = await store.releaseSums(own, world.nowMs - dayMs);
    const of = (read: 'sessions' | 'crashedSessions' | 'recentSessions'): number =>
      [...sums.values()].reduce((sum, each) => sum + each[read], 0);
    const hours = world.health(projectId);
    expect([of('sessions'), of('crashedSessions')]).toEqual([sumOf(hours).sessions, sumOf(hours).crashed]);
    expect(of('recentSessions')).toBe([...sums.values()][0]?.recentSessionsOfProject ?? 0);
    expect(hours.every((hour) => hour.crashed <= hour.errored && hour.errored <= hour.sessions)).toBe(true);
  }
  const [newest] = world.releases;
  if (newest === undefined) throw new Error('There is no release.');
  expect((await store.releaseFigures(newest)).deploys).toBe(
    world.deploys.filter(({ releaseId }) => releaseId === newest.id).length,
  );
  expect((await store.releaseSums([newest], 0)).get(newest.id)?.events).toBe(
    simpleFigures.eventsIn(newest.projectId, newest.version),
  );
}

describe('at any time', () => {
  it('nothing lies in the future, and references and sums hold', async () => {
    await fc.assert(
      fc.asyncProperty(times, async (nowMs) => {
        const world = deliveryWorld(seed, nowMs);
        checkTimes(world);
        checkReferences(world);
        await checkSums(world);
        expect((await verifyAudit(storeOf(world))).fault).toBeNull();
      }),
      { numRuns: nightlyOrFull(20, 6), examples: always.map((ms) => [ms] as [number]) },
    );
  });

  it('lists hold as many as they promise', async () => {
    await fc.assert(
      fc.asyncProperty(times, async (nowMs) => {
        const store = storeOf(deliveryWorld(seed, nowMs));
        const all = { after: null, before: null, limit: 1000 };
        const anything = { environment: null, search: null };
        const filter = { ...anything, outcome: null, sinceMs: null };
        const anyRun = { result: null, branch: null, search: null };
        const anyFile = { type: null, release: null, search: null };
        const lists = await Promise.all([
          store.sliceReleases(projectIds, anything, all),
          store.sliceDeploys(projectIds, filter, all),
          store.sliceTestRuns(projectIds, anyRun, all),
          store.sliceArtifacts(projectIds, anyFile, all),
        ]);
        expect(lists.map(({ rows }) => rows.length)).toEqual([18, 46, 40, 64]);
        const { failed } = await store.countTestRuns(projectIds, anyRun);
        expect(failed).toBeGreaterThan(1);
      }),
      { numRuns: nightlyOrFull(10, 4) },
    );
  });
});

/** What a world tells of the past, without what is under way at `earlier` or fell off behind `later`. */
function pastOf(world: DeliveryWorld, earlier: DeliveryWorld, later: DeliveryWorld) {
  const { trouble } = earlier;
  // A planned release that the trouble came with moves with it until its week is over.
  const moving = [trouble.releaseId, later.trouble.releaseId];
  const untilMs = earlier.nowMs;
  const calmMs = (projectId: number): number => (projectId === 2 ? trouble.testRunAtMs : untilMs);
  const isOver = ({ projectId, createdAtMs }: { projectId: number; createdAtMs: number }): boolean =>
    createdAtMs < calmMs(projectId) - hourMs;
  const fromMs = Math.max(rememberedFromMs(later.nowMs), rememberedFromMs(earlier.nowMs));
  const since = ({ createdAtMs }: { createdAtMs: number }): boolean => createdAtMs >= fromMs + 7 * dayMs;
  const out = ({ dateReleasedMs }: { dateReleasedMs: number | null }): boolean =>
    dateReleasedMs !== null && dateReleasedMs <= untilMs;
  return {
    releases: world.releases
      .filter(isOver)
      .filter(since)
      .filter(out)
      .filter(({ id }) => !moving.includes(id)),
    deploys: world.deploys
      .filter(isOver)
      .filter(since)
      .filter(({ releaseId }) => !moving.includes(releaseId)),
    runs: world.runs.filter(isOver).filter(since),
    files: world.files
      .map(({ artifact }) => artifact)
      .filter(isOver)
      .filter(since)
      .filter(({ release }) => release !== trouble.version && release !== later.trouble.version),
    health: projectIds.map((id) =>
      world.health(id).filter((hour) => hour.hourMs >= fromMs && hour.hourMs + hourMs <= calmMs(id)),
    ),
    domains: world.domains.filter(isOver),
    audit: world.audit.filter(({ atMs }) => atMs < trouble.testRunAtMs),
  };
}

it('two times a day apart tell the same of the past', () => {
  fc.assert(
    fc.property(times, (nowMs) => {
      const earlier = deliveryWorld(seed, nowMs);
      const later = deliveryWorld(seed, nowMs + dayMs);
      const past = pastOf(earlier, earlier, later);
      expect(past).toEqual(pastOf(later, earlier, later));
      expect(past.releases.length).toBeGreaterThan(8);
      expect(past.deploys.length).toBeGreaterThan(20);
      expect(past.runs.length).toBeGreaterThan(40);
      expect(past.health[0]?.length).toBeGreaterThan(2000);
      expect(past.audit.length).toBeGreaterThan(90);
    }),
    { numRuns: nightlyOrFull(20, 6), examples: always.map((ms) => [ms] as [number]) },
  );
});
