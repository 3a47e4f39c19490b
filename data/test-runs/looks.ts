// What pages ask of test runs, over one project or many. The cases of a run are in case-looks.ts.
import type { Slice, Sliced } from '../../src/core/store/page.ts';
import {
  type RunLookFilter,
  type RunResult,
  type RunSketch,
  runResults,
  type TestRun,
  type TestRunLooks,
} from '../../src/core/store/test-runs.ts';
import { numberOrNull } from '../columns.ts';
import type { Db, SqlValue } from '../db.ts';
import { containing, matching } from '../search.ts';
import { ofProjects, readSlice } from '../slices.ts';
import { listOf } from '../value-lists.ts';
import { caseLooks } from './case-looks.ts';
import { type RunRow, runColumns, runOf, totalsOf } from './rows.ts';

/** The reads of `TestRunLooks`. */
export function testRunLooks(db: Db): TestRunLooks {
  return {
    ...caseLooks(db),
    sliceTestRuns: (projectIds, filter, slice) => sliceTestRuns(db, projectIds, filter, slice),
    countTestRuns: (projectIds, filter) => countTestRuns(db, projectIds, filter),
    async recentTestRuns(projectIds, limit) {
      const projects = ofProjects('r.project_id', projectIds, 1);
      const rows = await db.all<SketchRow>(
        `SELECT ${sketchColumns} FROM test_runs r WHERE ${projects.sql}
         ORDER BY r.created_at_ms DESC, r.id DESC LIMIT ${limit}`,
        projects.values,
      );
      return rows.map(sketchOf);
    },
    async testRunsOfReleases(projectIds, versions, limit) {
      if (projectIds.length === 0 || versions.length === 0) return [];
      const projects = listOf(projectIds, 1);
      const named = listOf(versions, 1 + projects.values.length);
      const rows = await db.all<SketchRow>(
        `SELECT ${sketchColumns} FROM test_runs r
         WHERE r.project_id IN (${projects.marks}) AND r.release IN (${named.marks})
         ORDER BY r.created_at_ms DESC, r.id DESC LIMIT ${limit}`,
        [...projects.values, ...named.values],
      );
      return rows.map(sketchOf);
    },
    async lookUpTestRun(testRunId) {
      const row = await db.get<RunRow>(`SELECT ${runColumns} FROM test_runs r WHERE r.id = $1`, [testRunId]);
      return row === undefined ? null : runOf(row);
    },
    testRunsUpTo: (run, limit) => runsBeside(db, run, '<=', limit),
    testRunAfter: async (run) => (await runsBeside(db, run, '>', 1))[0] ?? null,
  };
}

/** How a run ended, in SQL. */
const resultOfRun = `CASE WHEN r.status IN ('failed', 'error') THEN 'failed' WHEN r.status = 'empty' THEN 'empty'
  WHEN r.flaky > 0 THEN 'flaky' ELSE 'passed' END`;

const sketchColumns = `r.id, r.project_id, r.suite, r.branch, r.release, r.status, r.created_at_ms, r.duration_ms,
  r.tests, r.passed, r.failed, r.errors, r.skipped, r.flaky`;

type SketchRow = Pick<
  RunRow,
  | 'id'
  | 'project_id'
  | 'suite'
  | 'branch'
  | 'release'
  | 'status'
  | 'created_at_ms'
  | 'duration_ms'
  | 'tests'
  | 'passed'
  | 'failed'
  | 'errors'
  | 'skipped'
  | 'flaky'
>;

function sketchOf(row: SketchRow): RunSketch {
  return {
    id: Number(row.id),
    projectId: Number(row.project_id),
    suite: row.suite,
    branch: row.branch,
    release: row.release,
    status: row.status,
    createdAtMs: Number(row.created_at_ms),
    durationMs: numberOrNull(row.duration_ms),
    ...totalsOf(row),
  };
}

/** `FROM … WHERE …` of the runs that a filter lets through. */
function fitting(projectIds: readonly number[], { branch, search }: RunLookFilter) {
  const pattern = containing(search ?? undefined);
  const projects = ofProjects('r.project_id', projectIds, 3);
  const from = `FROM test_runs r WHERE ${projects.sql}
    AND (CAST($1 AS TEXT) IS NULL OR r.branch = $1)
    AND (CAST($2 AS TEXT) IS NULL OR
         ${matching('r.folded', ['r.suite', 'r.branch', 'r.commit_sha', 'r.release'], '$2')})`;
  const values: SqlValue[] = [branch, pattern, ...projects.values];
  return { from, values };
}

async function sliceTestRuns(
  db: Db,
  projectIds: readonly number[],
  filter: RunLookFilter,
  slice: Slice,
): Promise<Sliced<TestRun>> {
  const { from, values } = fitting(projectIds, filter);
  // A word of ours, checked by its type; as text it can be told by the planner.
  const ended = filter.result === null ? '' : `AND ${resultOfRun} = '${filter.result}'`;
  const list = {
    columns: runColumns,
    from: `${from} ${ended}`,
    atMs: 'r.created_at_ms',
    id: 'r.id',
    values,
  };
  const sliced = await readSlice<RunRow>(db, list, slice);
  return { ...sliced, rows: sliced.rows.map(runOf) };
}

async function countTestRuns(
  db: Db,
  projectIds: readonly number[],
  filter: RunLookFilter,
): Promise<Record<RunResult, number>> {
  const { from, values } = fitting(projectIds, filter);
  const rows = await db.all<{ result: RunResult; runs: number }>(
    `SELECT ${resultOfRun} AS result, COUNT(*) AS runs ${from} GROUP BY 1`,
    values,
  );
  const counted = new Map(rows.map(({ result, runs }) => [result, Number(runs)]));
  const [failed, flaky, passed, empty] = runResults.map((result) => counted.get(result) ?? 0);
  return { failed: failed ?? 0, flaky: flaky ?? 0, passed: passed ?? 0, empty: empty ?? 0 };
}

/** Runs of one project, suite and branch beside one of them, the nearest first. */
async function runsBeside(db: Db, run: TestRun, side: '<=' | '>', limit: number): Promise<RunSketch[]> {
  const direction = side === '>' ? 'ASC' : 'DESC';
  const rows = await db.all<SketchRow>(
    `SELECT ${sketchColumns} FROM test_runs r
     WHERE r.project_id = $1 AND (r.created_at_ms, r.id) ${side} ($2, $3)
       AND r.suite IS NOT DISTINCT FROM CAST($4 AS TEXT) AND r.branch IS NOT DISTINCT FROM CAST($5 AS TEXT)
     ORDER BY r.created_at_ms ${direction}, r.id ${direction} LIMIT ${limit}`,
    [run.projectId, run.createdAtMs, run.id, run.suite, run.branch],
  );
  return rows.map(sketchOf);
}
