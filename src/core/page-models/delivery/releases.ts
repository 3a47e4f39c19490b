import { dayMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { parseReleaseVersion } from '../../releases/version.ts';
import type { LastDeploy, Release, ReleaseListFigures } from '../../store/releases.ts';
import type { RunSummary } from '../../store/test-runs.ts';
import {
  type ProjectRef,
  pageCursors,
  requireViewedProject,
  sliceParam,
  textParam,
  viewedProjectIds,
} from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { ciSnippets } from './ci-snippets.ts';
import { viewRunMark } from './test-run.ts';

export type ListedRelease = ReturnType<typeof viewListedRelease>;

export type ReleasesModel = Awaited<ReturnType<typeof releasesModel>>;

const releasesAPage = 25;
const environmentsMax = 50;
const runsRead = 500;

export async function releasesModel(context: RequestContext) {
  const { store } = context.deps;
  const ids = viewedProjectIds(context);
  const filters = { environment: textParam(context, 'environment'), q: textParam(context, 'q') };
  const filter = { environment: filters.environment, search: filters.q };
  const [sliced, total, environments] = await Promise.all([
    store.listReleasePage(ids, filter, sliceParam(context, releasesAPage)),
    store.countReleases(ids, filter),
    store.deployedEnvironments(ids, environmentsMax),
  ]);
  const releases = sliced.rows;
  const [sums, arrivals, runs] = await Promise.all([
    store.releaseSums(releases, context.nowMs - dayMs),
    store.arrivalsOf(releases.map(({ id }) => id)),
    store.testRunsOfReleases(
      [...new Set(releases.map(({ projectId }) => projectId))],
      releases.map(({ version }) => version),
      runsRead,
    ),
  ]);
  const isFiltered = filters.environment !== null || filters.q !== null;
  return {
    filters,
    total,
    releases: releases.map((release) =>
      viewListedRelease(release, {
        project: requireViewedProject(context, release.projectId, 'A project with this number'),
        sums: sums.get(release.id),
        arrivals,
        runs,
      }),
    ),
    ...pageCursors(sliced, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id })),
    environments,
    how_to_send: total === 0 && !isFiltered ? ciSnippets('releases', context.apiUrl) : null,
  };
}

interface ReleaseContext {
  readonly project: ProjectRef;
  readonly sums: ReleaseListFigures | undefined;
  readonly arrivals: readonly LastDeploy[];
  readonly runs: readonly RunSummary[];
}

function viewListedRelease(release: Release, { project, sums, arrivals, runs }: ReleaseContext) {
  const { sessions = 0, crashedSessions = 0, recentSessions = 0, recentSessionsOfProject = 0 } = sums ?? {};
  const run = runs.find(
    ({ projectId, release: version }) => projectId === release.projectId && version === release.version,
  );
  return {
    release_id: release.id,
    version: release.version,
    package: parseReleaseVersion(release.version).packageName,
    project,
    status: release.status,
    date_created: formatTime(release.createdAtMs),
    date_released: formatTime(release.dateReleasedMs),
    commit_count: release.commitCount,
    last_commit: release.lastCommit,
    arrivals: arrivals
      .filter(({ releaseId }) => releaseId === release.id)
      .sort((one, other) => other.atMs - one.atMs)
      .map(({ environment, atMs }) => ({ environment, at: formatTime(atMs) })),
    issues: { new: sums?.newIssues ?? 0, regressed: sums?.regressedIssues ?? 0 },
    events: sums?.events ?? 0,
    sessions: {
      total: sessions,
      crashed: crashedSessions,
      crash_free_share: sessions === 0 ? null : (sessions - crashedSessions) / sessions,
    },
    adoption_share: recentSessionsOfProject === 0 ? null : recentSessions / recentSessionsOfProject,
    test_run: run === undefined ? null : { ...viewRunMark(run), failed: run.failed, flaky: run.flaky },
  };
}
