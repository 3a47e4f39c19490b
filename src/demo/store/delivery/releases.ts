// Releases of the demo as pages ask for them. What they say of issues comes from the part that has those.
import { previousRelease } from '../../../core/releases/order.ts';
import { versionSortKey } from '../../../core/releases/version.ts';
import type {
  AdoptionStep,
  Release,
  ReleaseFigures,
  ReleaseFilter,
  ReleaseLookFilter,
  ReleaseStore,
  ReleaseSums,
} from '../../../core/store/releases.ts';
import type { NewestRelease } from '../../../core/store/workspace.ts';
import { type HealthHour, sumOf } from '../../world/delivery/health.ts';
import { type DeliveryWorld, shown } from '../../world/delivery/world.ts';
import { ofProjects, pageOf, searching, sliceOf, sortedBy } from './lists.ts';

/** What is known of issues by the release of an event: asked of the world of Errors. */
export interface IssueFigures {
  /** Numbers of the issues first seen in a version, the newest first. */
  newIn(projectId: number, version: string): readonly number[];
  regressedIn(projectId: number, version: string): readonly number[];
  resolvedIn(projectId: number, version: string): readonly number[];
  /** Events of a version, of all issues. */
  eventsIn(projectId: number, version: string): number;
}

type ReleaseReads = Pick<
  ReleaseStore,
  | 'findRelease'
  | 'findReleaseByVersion'
  | 'listReleases'
  | 'releaseFigures'
  | 'releaseIssueIds'
  | 'sliceReleases'
  | 'countReleases'
  | 'lookUpRelease'
  | 'releaseSums'
  | 'arrivalsOf'
  | 'deployedEnvironments'
  | 'releaseBefore'
  | 'adoption'
>;

/** The reads of releases. */
export function releaseReads(world: DeliveryWorld, figures: IssueFigures): ReleaseReads {
  const find = (fits: (release: Release) => boolean): Release | null => world.releases.find(fits) ?? null;
  return {
    async findRelease(projectId, releaseId) {
      return find(({ id, projectId: own }) => id === releaseId && own === projectId);
    },
    async findReleaseByVersion(projectId, version) {
      return find((each) => each.version === version && each.projectId === projectId);
    },
    listReleases: async (projectId, filter) => pageOf(listed(world, projectId, filter), filter),
    releaseFigures: async (release) => figuresOf(world, figures, release),
    async releaseIssueIds({ projectId, version }, limit) {
      return {
        new: newestFirst(figures.newIn(projectId, version), limit),
        regressed: newestFirst(figures.regressedIn(projectId, version), limit),
        resolved: newestFirst(figures.resolvedIn(projectId, version), limit),
      };
    },
    async sliceReleases(projectIds, filter, slice) {
      const rows = fitting(world, projectIds, filter);
      return sliceOf(rows, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id }), slice);
    },
    countReleases: async (projectIds, filter) => fitting(world, projectIds, filter).length,
    lookUpRelease: async (releaseId) => find(({ id }) => id === releaseId),
    releaseSums: async (releases, sinceMs) =>
      new Map(releases.map((release) => [release.id, sumsOf(world, figures, release, sinceMs)])),
    arrivalsOf: async (releaseIds) => arrivalsOf(world, releaseIds),
    async deployedEnvironments(projectIds, limit) {
      const names = ofProjects(world.deploys, projectIds).map(({ environment }) => environment);
      return [...new Set(names)].sort().slice(0, limit);
    },
    releaseBefore: async (release) => releaseBefore(world, release),
    adoption: async (release, otherVersion, span) => adoption(world, release, otherVersion, span),
  };
}

/** The newest releases of some projects with what came in with them. */
export function newestReleases(
  world: DeliveryWorld,
  figures: IssueFigures,
  projectIds: readonly number[],
  limit: number,
): NewestRelease[] {
  return ofProjects(listedReleases(world), projectIds)
    .slice(0, limit)
    .map(({ id, projectId, version, createdAtMs }) => ({
      id,
      projectId,
      version,
      createdAtMs,
      newIssues: figures.newIn(projectId, version).length,
      regressedIssues: figures.regressedIn(projectId, version).length,
    }));
}

/** Those that lists show, as lists read them: without what may be long. */
export function listedReleases(world: DeliveryWorld): Release[] {
  return world.releases
    .slice(0, shown.releases)
    .map((release) => ({ ...release, commits: null, refs: null }));
}

function fitting(
  world: DeliveryWorld,
  projectIds: readonly number[],
  { environment, search }: ReleaseLookFilter,
): Release[] {
  const fits = searching(search);
  return ofProjects(listedReleases(world), projectIds)
    .filter(({ version, ref }) => fits(version, ref))
    .filter(
      ({ id }) =>
        environment === null ||
        world.deploys.some((deploy) => deploy.releaseId === id && deploy.environment === environment),
    );
}

function listed(world: DeliveryWorld, projectId: number, filter: ReleaseFilter): Release[] {
  const fits = searching(filter.search);
  const rows = ofProjects(listedReleases(world), [projectId])
    .filter(({ version }) => filter.version === undefined || version === filter.version)
    .filter(({ version, ref }) => fits(version, ref));
  const values = {
    date_created: ({ createdAtMs }: Release) => createdAtMs,
    date_released: ({ dateReleasedMs }: Release) => dateReleasedMs ?? 0,
    version: ({ version }: Release) => versionSortKey(version) ?? '',
  };
  return sortedBy(rows, values[filter.orderBy], filter.descending);
}

function newestFirst(ids: readonly number[], limit: number): number[] {
  return [...ids].sort((one, other) => other - one).slice(0, limit);
}

function hoursOf(world: DeliveryWorld, { projectId, version }: Release): HealthHour[] {
  return world.health(projectId).filter((hour) => hour.version === version);
}

function figuresOf(world: DeliveryWorld, figures: IssueFigures, release: Release): ReleaseFigures {
  const { id, projectId, version } = release;
  const sum = sumOf(hoursOf(world, release));
  return {
    newIssues: figures.newIn(projectId, version).length,
    regressedIssues: figures.regressedIn(projectId, version).length,
    resolvedIssues: figures.resolvedIn(projectId, version).length,
    sessions: sum.sessions,
    crashedSessions: sum.crashed,
    erroredSessions: sum.errored,
    abnormalSessions: sum.abnormal,
    deploys: world.deploys.filter(({ releaseId }) => releaseId === id).length,
    artifacts: world.files.filter(
      ({ artifact }) =>
        artifact.projectId === projectId && artifact.release === version && artifact.replacedAtMs === null,
    ).length,
    testRuns: world.runs.filter((run) => run.projectId === projectId && run.release === version).length,
  };
}

function sumsOf(world: DeliveryWorld, figures: IssueFigures, release: Release, sinceMs: number): ReleaseSums {
  const { projectId, version } = release;
  const hours = hoursOf(world, release);
  const isRecent = (hour: HealthHour): boolean => hour.hourMs >= sinceMs;
  const sum = sumOf(hours);
  return {
    newIssues: figures.newIn(projectId, version).length,
    regressedIssues: figures.regressedIn(projectId, version).length,
    events: figures.eventsIn(projectId, version),
    sessions: sum.sessions,
    crashedSessions: sum.crashed,
    recentSessions: sumOf(hours.filter(isRecent)).sessions,
    recentSessionsOfProject: sumOf(world.health(projectId).filter(isRecent)).sessions,
  };
}

function arrivalsOf(world: DeliveryWorld, releaseIds: readonly number[]) {
  const arrivals = new Map<string, { releaseId: number; environment: string; atMs: number }>();
  // The newest stands first: what is there already is later.
  for (const { releaseId, environment, status, createdAtMs, dateFinishedMs } of world.deploys) {
    const key = `${releaseId} ${environment}`;
    if (status !== 'success' || !releaseIds.includes(releaseId) || arrivals.has(key)) continue;
    arrivals.set(key, { releaseId, environment, atMs: dateFinishedMs ?? createdAtMs });
  }
  return [...arrivals.values()];
}

function releaseBefore(world: DeliveryWorld, { projectId, id }: Release): Release | null {
  const known = ofProjects(world.releases, [projectId]).map((each) => ({
    version: each.version,
    firstSeenMs: each.createdAtMs,
    id: each.id,
  }));
  const own = known.find((each) => each.id === id);
  const version = own === undefined ? null : previousRelease(own, known);
  return world.releases.find((each) => each.projectId === projectId && each.version === version) ?? null;
}

function adoption(
  world: DeliveryWorld,
  { projectId, version }: Release,
  otherVersion: string | null,
  { fromMs, toMs, stepMs }: { readonly fromMs: number; readonly toMs: number; readonly stepMs: number },
): AdoptionStep[] {
  const steps = new Map<number, { own: number; other: number; all: number }>();
  for (const hour of world.health(projectId)) {
    if (hour.hourMs < fromMs || hour.hourMs >= toMs) continue;
    const at = Math.floor((hour.hourMs - fromMs) / stepMs);
    const step = steps.get(at) ?? { own: 0, other: 0, all: 0 };
    if (hour.version === version) step.own += hour.sessions;
    if (hour.version === otherVersion) step.other += hour.sessions;
    step.all += hour.sessions;
    steps.set(at, step);
  }
  return [...steps].map(([at, { own, other, all }]) => ({
    fromMs: fromMs + at * stepMs,
    sessions: own,
    otherSessions: other,
    allSessions: all,
  }));
}
