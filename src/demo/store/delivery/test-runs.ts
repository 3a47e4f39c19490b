// Test runs of the demo as pages ask for them. The cases of a run are in test-cases.ts.
import type {
  RunLookFilter,
  RunResult,
  RunSketch,
  TestRun,
  TestRunFilter,
  TestRunStore,
  TestUpload,
} from '../../../core/store/test-runs.ts';
import type { NewestRun } from '../../../core/store/workspace.ts';
import { type DemoRun, plain } from '../../world/delivery/runs.ts';
import { type DeliveryWorld, shown } from '../../world/delivery/world.ts';
import { ofProjects, pageOf, searching, sliceOf, sortedBy } from './lists.ts';
import { type CaseReads, caseReads } from './test-cases.ts';

type RunReads = Pick<
  TestRunStore,
  | 'findTestRun'
  | 'listTestRuns'
  | 'listTestUploads'
  | 'sliceTestRuns'
  | 'countTestRuns'
  | 'recentTestRuns'
  | 'testRunsOfReleases'
  | 'lookUpTestRun'
  | 'testRunsUpTo'
  | 'testRunAfter'
> &
  CaseReads;

/** The reads of test runs and their cases. */
export function testRunReads(world: DeliveryWorld): RunReads {
  const find = (testRunId: number): DemoRun | undefined => world.runs.find(({ id }) => id === testRunId);
  return {
    ...caseReads(world),
    async findTestRun(projectId, testRunId) {
      const run = find(testRunId);
      return run === undefined || run.projectId !== projectId ? null : plain(run);
    },
    listTestRuns: async (projectId, filter) => pageOf(listed(world, projectId, filter), filter),
    async listTestUploads(testRunId) {
      const run = find(testRunId);
      return run === undefined ? [] : [uploadOf(run)];
    },
    async sliceTestRuns(projectIds, filter, slice) {
      const rows = fitting(world, projectIds, filter).filter(
        (run) => filter.result === null || resultOf(run) === filter.result,
      );
      const sliced = sliceOf(rows, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id }), slice);
      return { ...sliced, rows: sliced.rows.map(plain) };
    },
    async countTestRuns(projectIds, filter) {
      const counts = { failed: 0, flaky: 0, passed: 0, empty: 0 };
      for (const run of fitting(world, projectIds, filter)) counts[resultOf(run)] += 1;
      return counts;
    },
    recentTestRuns: async (projectIds, limit) =>
      ofProjects(world.runs, projectIds).slice(0, limit).map(sketchOf),
    async testRunsOfReleases(projectIds, versions, limit) {
      return ofProjects(world.runs, projectIds)
        .filter(({ release }) => release !== null && versions.includes(release))
        .slice(0, limit)
        .map(sketchOf);
    },
    async lookUpTestRun(testRunId) {
      const run = find(testRunId);
      return run === undefined ? null : plain(run);
    },
    async testRunsUpTo(run, limit) {
      const line = lineOf(world, run);
      return line.slice(placeIn(line, run)).slice(0, limit).map(sketchOf);
    },
    async testRunAfter(run) {
      const line = lineOf(world, run);
      const after = line[placeIn(line, run) - 1];
      return after === undefined ? null : sketchOf(after);
    },
  };
}

/** The newest runs of some projects. */
export function newestTestRuns(
  world: DeliveryWorld,
  projectIds: readonly number[],
  limit: number,
): NewestRun[] {
  return ofProjects(listedRuns(world), projectIds)
    .slice(0, limit)
    .map(({ id, projectId, suite, status, createdAtMs, tests, passed, failed, flaky }) => ({
      id,
      projectId,
      suite,
      status,
      createdAtMs,
      tests,
      passed,
      failed,
      flaky,
    }));
}

/** Those that lists show. */
export function listedRuns(world: DeliveryWorld): readonly DemoRun[] {
  return world.runs.slice(0, shown.testRuns);
}

function fitting(
  world: DeliveryWorld,
  projectIds: readonly number[],
  { branch, search }: RunLookFilter,
): DemoRun[] {
  const fits = searching(search);
  return ofProjects(listedRuns(world), projectIds)
    .filter((run) => branch === null || run.branch === branch)
    .filter((run) => fits(run.suite, run.branch, run.commit, run.release));
}

/** Of all: the run of a release is shown beside it however old it is. */
function listed(world: DeliveryWorld, projectId: number, filter: TestRunFilter): TestRun[] {
  const fits = searching(filter.search);
  const is = (asked: string | undefined, value: string | null): boolean =>
    asked === undefined || asked === value;
  const rows = ofProjects(world.runs, [projectId])
    .filter((run) => is(filter.status, run.status) && is(filter.release, run.release))
    .filter((run) => is(filter.commit, run.commit) && is(filter.branch, run.branch))
    .filter((run) => is(filter.runKey, run.runKey))
    .filter((run) => fits(run.suite, run.branch, run.commit, run.release));
  const values = {
    created_at: ({ createdAtMs }: DemoRun) => createdAtMs,
    duration_ms: ({ durationMs }: DemoRun) => durationMs ?? 0,
    failed: ({ failed }: DemoRun) => failed,
    tests: ({ tests }: DemoRun) => tests,
  };
  return sortedBy(rows, values[filter.orderBy], filter.descending).map(plain);
}

/** The runs of the same project, suite and branch, the newest first. */
function lineOf(world: DeliveryWorld, { projectId, suite, branch }: TestRun): DemoRun[] {
  return ofProjects(world.runs, [projectId]).filter((run) => run.suite === suite && run.branch === branch);
}

function placeIn(line: readonly DemoRun[], { id }: TestRun): number {
  const at = line.findIndex((run) => run.id === id);
  return at === -1 ? line.length : at;
}

function resultOf({ status, flaky }: DemoRun): RunResult {
  return status === 'failed' ? 'failed' : flaky > 0 ? 'flaky' : 'passed';
}

function totalsOf({ tests, passed, failed, errors, skipped, flaky }: DemoRun) {
  return { tests, passed, failed, errors, skipped, flaky };
}

function sketchOf(run: DemoRun): RunSketch {
  const { id, projectId, suite, branch, release, status, createdAtMs, durationMs } = run;
  return { id, projectId, suite, branch, release, status, createdAtMs, durationMs, ...totalsOf(run) };
}

/** Every run of the demo came in one piece. */
function uploadOf(run: DemoRun): TestUpload {
  const { id, status, durationMs, createdAtMs, commit, environment, suite, ofSuite } = run;
  return {
    id,
    place: `suite:${suite}`,
    shardName: null,
    commit,
    environment,
    suite,
    format: ofSuite.format,
    status,
    durationMs,
    reported: null,
    warnings: [],
    createdAtMs,
    ...totalsOf(run),
  };
}
