import { momentText } from '../../reading/moments.ts';
import { dayMs } from '../../reading/spans.ts';
import { parseReleaseVersion } from '../../releases/version.ts';
import type { Arrival, Release, ReleaseSums } from '../../store/releases.ts';
import type { RunSketch } from '../../store/test-runs.ts';
import type { Snippet } from '../snippets.ts';
import type { Visit } from '../visit.ts';
import {
  askedSlice,
  askedText,
  type Neighbours,
  neighboursOf,
  type ProjectName,
  projectIdsOf,
  projectOf,
} from './lists.ts';
import { sendLines } from './send-lines.ts';
import { type RunMark, runMark } from './test-run.ts';

interface ReleaseArrival {
  readonly environment: string;
  readonly at: string;
}

export interface ListedRelease {
  readonly release_id: number;
  readonly version: string;
  readonly package: string | null;
  readonly project: ProjectName;
  readonly status: Release['status'];
  readonly date_created: string;
  readonly date_released: string | null;
  readonly commit_count: number;
  readonly last_commit: string | null;
  readonly arrivals: readonly ReleaseArrival[];
  readonly issues: { readonly new: number; readonly regressed: number };
  readonly events: number;
  readonly sessions: {
    readonly total: number;
    readonly crashed: number;
    readonly crash_free_share: number | null;
  };
  /** Share of the project's sessions in the last day; null without sessions. */
  readonly adoption_share: number | null;
  readonly test_run: (RunMark & Pick<RunSketch, 'failed' | 'flaky'>) | null;
}

export interface ReleasesModel extends Neighbours {
  readonly asked: { readonly environment: string | null; readonly q: string | null };
  readonly total: number;
  readonly releases: readonly ListedRelease[];
  readonly environments: readonly string[];
  readonly how_to_send: readonly Snippet[] | null;
}

const releasesAPage = 25;
const environmentsMax = 50;
const runsLookedAt = 500;

export async function releasesModel(visit: Visit): Promise<ReleasesModel> {
  const { store } = visit.deps;
  const ids = projectIdsOf(visit);
  const asked = { environment: askedText(visit, 'environment'), q: askedText(visit, 'q') };
  const filter = { environment: asked.environment, search: asked.q };
  const [sliced, total, environments] = await Promise.all([
    store.sliceReleases(ids, filter, askedSlice(visit, releasesAPage)),
    store.countReleases(ids, filter),
    store.deployedEnvironments(ids, environmentsMax),
  ]);
  const releases = sliced.rows;
  const [sums, arrivals, runs] = await Promise.all([
    store.releaseSums(releases, visit.nowMs - dayMs),
    store.arrivalsOf(releases.map(({ id }) => id)),
    store.testRunsOfReleases(
      [...new Set(releases.map(({ projectId }) => projectId))],
      releases.map(({ version }) => version),
      runsLookedAt,
    ),
  ]);
  const isAsked = asked.environment !== null || asked.q !== null;
  return {
    asked,
    total,
    releases: releases.map((release) =>
      listedRelease(release, {
        project: projectOf(visit, release.projectId, 'A project with this number'),
        sums: sums.get(release.id),
        arrivals,
        runs,
      }),
    ),
    ...neighboursOf(sliced, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id })),
    environments,
    how_to_send: total === 0 && !isAsked ? sendLines('releases', visit.apiUrl) : null,
  };
}

interface Beside {
  readonly project: ProjectName;
  readonly sums: ReleaseSums | undefined;
  readonly arrivals: readonly Arrival[];
  readonly runs: readonly RunSketch[];
}

function listedRelease(release: Release, { project, sums, arrivals, runs }: Beside): ListedRelease {
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
    date_created: momentText(release.createdAtMs),
    date_released: momentText(release.dateReleasedMs),
    commit_count: release.commitCount,
    last_commit: release.lastCommit,
    arrivals: arrivals
      .filter(({ releaseId }) => releaseId === release.id)
      .sort((one, other) => other.atMs - one.atMs)
      .map(({ environment, atMs }) => ({ environment, at: momentText(atMs) })),
    issues: { new: sums?.newIssues ?? 0, regressed: sums?.regressedIssues ?? 0 },
    events: sums?.events ?? 0,
    sessions: {
      total: sessions,
      crashed: crashedSessions,
      crash_free_share: sessions === 0 ? null : (sessions - crashedSessions) / sessions,
    },
    adoption_share: recentSessionsOfProject === 0 ? null : recentSessions / recentSessionsOfProject,
    test_run: run === undefined ? null : { ...runMark(run), failed: run.failed, flaky: run.flaky },
  };
}
