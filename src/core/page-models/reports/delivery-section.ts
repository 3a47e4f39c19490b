import { formatTime } from '../../parsing/timestamps.ts';
import type { CursorWindow } from '../../store/pagination.ts';
import type { ProjectReportFigures } from '../../store/reports.ts';
import { viewedProjectIds } from '../list-params.ts';
import { findProjectRef } from '../monitoring/monitors.ts';
import type { PageScope } from '../request-context.ts';
import type { Period } from './period.ts';
import { isWithin, listRowsWithin } from './totals.ts';

const releasesShown = 20;
const flakyShown = 8;
const flakyRuns = 100;

export interface DeliverySection {
  /** Newest first, 20 at most. */
  readonly releases: ReadonlyArray<{
    readonly release_id: number;
    readonly project_id: number;
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
  /** Failed or flaky cases, those of the newest runs first. */
  readonly troubled_tests: ReadonlyArray<{
    readonly project_id: number;
    readonly name: string;
    readonly file: string | null;
  }>;
}

export async function deliverySection(
  look: PageScope,
  period: Period,
  moves: readonly ProjectReportFigures[],
): Promise<DeliverySection> {
  const { store } = look.deps;
  const ids = viewedProjectIds(look);
  const anyDeploy = { environment: null, outcome: null, search: null, sinceMs: period.fromMs };
  const newest = (limit: number): CursorWindow => ({
    after: { atMs: period.toMs, id: 0 },
    before: null,
    limit,
  });
  const isMeant = ({ createdAtMs }: { readonly createdAtMs: number }): boolean =>
    isWithin(createdAtMs, period);
  const [releases, deploys, runs] = await Promise.all([
    store.listReleasePage(ids, { environment: null, search: null }, newest(releasesShown)),
    listRowsWithin(
      (slice) => store.listDeployPage(ids, anyDeploy, slice),
      ({ deploy }) => ({ atMs: deploy.createdAtMs, id: deploy.id }),
      period,
    ),
    store.listTestRunPage(ids, { result: null, branch: null, search: null }, newest(flakyRuns)),
  ]);
  const shown = releases.rows.filter(isMeant);
  const sums = await store.releaseSums(shown, period.fromMs);
  const backs = new Set(
    deploys.filter(({ takenBackBy }) => takenBackBy !== null).map(({ deploy }) => deploy.releaseId),
  );
  const troubled = await store.troubledCases(
    runs.rows.filter(isMeant).map(({ id }) => id),
    flakyShown,
  );
  const total = (of: (each: ProjectReportFigures) => number): number =>
    moves.reduce((sum, each) => sum + of(each), 0);
  return {
    releases: shown.map((release) => ({
      release_id: release.id,
      project_id: release.projectId,
      project: findProjectRef(look, release.projectId)?.name ?? '',
      version: release.version,
      created_at: formatTime(release.createdAtMs),
      new_issues: sums.get(release.id)?.newIssues ?? 0,
      regressed_issues: sums.get(release.id)?.regressedIssues ?? 0,
      was_taken_back: backs.has(release.id),
    })),
    releases_in_all: total((each) => each.releases),
    deploys: {
      all: total((each) => each.deploys),
      failed: total(({ failedDeploys }) => failedDeploys),
      taken_back: backs.size,
    },
    tests: testsOf(look, moves),
    troubled_tests: troubled.map(({ projectId, name, file }) => ({ project_id: projectId, name, file })),
  };
}

function testsOf(look: PageScope, moves: readonly ProjectReportFigures[]): DeliverySection['tests'] {
  return moves
    .filter(({ testRuns }) => testRuns > 0)
    .map(({ projectId, testRuns, failedRuns, tests, passedTests }) => ({
      project_id: projectId,
      project: findProjectRef(look, projectId)?.name ?? '',
      runs: testRuns,
      failed_runs: failedRuns,
      passed_share: tests <= 0 ? null : passedTests / tests,
    }))
    .toSorted((one, other) => (one.passed_share ?? 2) - (other.passed_share ?? 2));
}
