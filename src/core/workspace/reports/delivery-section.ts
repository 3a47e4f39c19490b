// What was delivered in a period: releases with what they brought, deploys, and how the tests went.
import { momentText } from '../../reading/moments.ts';
import type { TestRun } from '../../store/test-runs.ts';
import { projectIdsOf } from '../delivery/lists.ts';
import { projectName } from '../uptime/monitors.ts';
import type { Visit } from '../visit.ts';
import type { Period } from './period.ts';
import { passedShare, rowsWithin, within } from './sums.ts';

const releasesShown = 20;
const flakyShown = 8;
const flakyRuns = 100;

export interface DeliverySection {
  /** Newest first, at most 20. */
  readonly releases: ReadonlyArray<{
    readonly release_id: number;
    readonly project: string;
    readonly version: string;
    readonly created_at: string;
    readonly new_issues: number;
    readonly regressed_issues: number;
    readonly was_taken_back: boolean;
  }>;
  readonly releases_in_all: number;
  readonly deploys: { readonly all: number; readonly failed: number; readonly taken_back: number };
  readonly tests: ReadonlyArray<{
    readonly project_id: number;
    readonly project: string;
    readonly runs: number;
    readonly failed_runs: number;
    readonly passed_share: number | null;
  }>;
  /** Cases that failed or were flaky, those of the newest runs first. */
  readonly troubled_tests: ReadonlyArray<{ readonly name: string; readonly file: string | null }>;
}

/** Of the projects that are looked at. */
export async function deliverySection(
  visit: Visit,
  period: Period,
  read: readonly TestRun[],
): Promise<DeliverySection> {
  const { store } = visit.deps;
  const ids = projectIdsOf(visit);
  const anyRelease = { environment: null, search: null };
  const anyDeploy = { environment: null, outcome: null, search: null, sinceMs: period.fromMs };
  const [releases, deploys] = await Promise.all([
    rowsWithin(
      (slice) => store.sliceReleases(ids, anyRelease, slice),
      ({ createdAtMs, id }) => ({ atMs: createdAtMs, id }),
      period,
    ),
    rowsWithin(
      (slice) => store.sliceDeploys(ids, anyDeploy, slice),
      ({ deploy }) => ({ atMs: deploy.createdAtMs, id: deploy.id }),
      period,
    ),
  ]);
  const shown = releases.slice(0, releasesShown);
  const sums = await store.releaseSums(shown, period.fromMs);
  const backs = new Set(
    deploys.filter(({ takenBackBy }) => takenBackBy !== null).map(({ deploy }) => deploy.releaseId),
  );
  const runs = read.filter(({ createdAtMs }) => within(createdAtMs, period));
  const troubled = await store.troubledCases(
    runs.slice(0, flakyRuns).map(({ id }) => id),
    flakyShown,
  );
  return {
    releases: shown.map((release) => ({
      release_id: release.id,
      project: projectName(visit, release.projectId)?.name ?? '',
      version: release.version,
      created_at: momentText(release.createdAtMs),
      new_issues: sums.get(release.id)?.newIssues ?? 0,
      regressed_issues: sums.get(release.id)?.regressedIssues ?? 0,
      was_taken_back: backs.has(release.id),
    })),
    releases_in_all: releases.length,
    deploys: {
      all: deploys.length,
      failed: deploys.filter(({ deploy }) => deploy.status === 'failure' || deploy.status === 'error').length,
      taken_back: backs.size,
    },
    tests: testsOf(visit, runs),
    troubled_tests: troubled.map(({ name, file }) => ({ name, file })),
  };
}

function testsOf(visit: Visit, runs: readonly TestRun[]): DeliverySection['tests'] {
  return [...Map.groupBy(runs, ({ projectId }) => projectId)]
    .map(([id, own]) => ({
      project_id: id,
      project: projectName(visit, id)?.name ?? '',
      runs: own.length,
      failed_runs: own.filter(({ status }) => status === 'failed').length,
      passed_share: passedShare(own),
    }))
    .toSorted((one, other) => (one.passed_share ?? 2) - (other.passed_share ?? 2));
}
