import type { TestRunFilter, TestRunStore } from '../../src/core/store/test-runs.ts';
import type { Db, SqlValue } from '../db.ts';
import { countRows, readPage } from '../paging.ts';
import { matchCondition, toLikePattern } from '../search.ts';
import { type ResultRow, resultColumns, resultOf, runColumns, runOf, splitResult, uploads } from './rows.ts';

const uploadsMax = 1000;

const orders = {
  created_at: 'r.created_at_ms',
  duration_ms: 'COALESCE(r.duration_ms, 0)',
  failed: 'r.failed',
  tests: 'r.tests',
} as const;

export async function listTestRuns(
  db: Db,
  projectId: number,
  filter: TestRunFilter,
): ReturnType<TestRunStore['listTestRuns']> {
  const from = `FROM test_runs r WHERE r.project_id = $1
    AND (CAST($2 AS TEXT) IS NULL OR r.status = $2)
    AND (CAST($3 AS TEXT) IS NULL OR r.release = $3)
    AND (CAST($4 AS TEXT) IS NULL OR r.commit_sha = $4)
    AND (CAST($5 AS TEXT) IS NULL OR r.branch = $5)
    AND (CAST($6 AS TEXT) IS NULL OR r.run_key = $6)
    AND (CAST($7 AS TEXT) IS NULL OR
         ${matchCondition('r.search_text', ['r.suite', 'r.branch', 'r.commit_sha', 'r.release'], '$7')})`;
  const values: SqlValue[] = [
    projectId,
    filter.status ?? null,
    filter.release ?? null,
    filter.commit ?? null,
    filter.branch ?? null,
    filter.runKey ?? null,
    toLikePattern(filter.search),
  ];
  const direction = filter.descending ? 'DESC' : 'ASC';
  const order = `${orders[filter.orderBy]} ${direction}, r.id ${direction}`;
  const page = await readPage(db, { columns: runColumns, from, order, values }, filter);
  return { rows: page.rows.map(runOf), total: page.total };
}

export function listTestUploads(db: Db, testRunId: number): ReturnType<TestRunStore['listTestUploads']> {
  return uploads.list(db, `WHERE run_id = $1 AND replaced_at_ms IS NULL ORDER BY id LIMIT ${uploadsMax}`, [
    testRunId,
  ]);
}

/** Failures first. */
export async function listTestResults(
  db: Db,
  testRunId: number,
  filter: Parameters<TestRunStore['listTestResults']>[1],
): ReturnType<TestRunStore['listTestResults']> {
  const from = `FROM test_uploads u JOIN test_results t ON t.upload_id = u.id
    WHERE u.run_id = $1 AND u.replaced_at_ms IS NULL
      AND (CAST($2 AS TEXT) IS NULL OR t.status = $2)
      AND (CAST($3 AS TEXT) IS NULL OR ${matchCondition('t.search_text', ['t.name', 't.suite', 't.file'], '$3')})`;
  const values: SqlValue[] = [testRunId, filter.status ?? null, toLikePattern(filter.search)];
  // Narrow rows are sorted first: whole ones would be megabytes of traces.
  const rows = await db.all<ResultRow>(
    `SELECT ${resultColumns}
       FROM (SELECT t.upload_id, t.position ${from} ORDER BY t.severity, u.id, t.position LIMIT $4 OFFSET $5) AS picked
       JOIN test_results t ON t.upload_id = picked.upload_id AND t.position = picked.position
       JOIN test_uploads u ON u.id = t.upload_id
       LEFT JOIN test_cases k ON k.project_id = t.project_id AND k.case_id = t.case_id
      ORDER BY t.severity, u.id, t.position`,
    [...values, filter.limit, filter.offset],
  );
  return { rows: rows.map(resultOf), total: await countRows(db, from, values) };
}

export async function listCaseRuns(
  db: Db,
  projectId: number,
  caseId: string,
  filter: Parameters<TestRunStore['listCaseRuns']>[2],
): ReturnType<TestRunStore['listCaseRuns']> {
  const from = `FROM test_results t
      JOIN test_uploads u ON u.id = t.upload_id
      JOIN test_runs r ON r.id = u.run_id
      LEFT JOIN test_cases k ON k.project_id = t.project_id AND k.case_id = t.case_id
    WHERE t.project_id = $1 AND t.case_id = $2 AND u.replaced_at_ms IS NULL`;
  const direction = filter.descending ? 'DESC' : 'ASC';
  const order = `u.id ${direction}, t.position`;
  const list = { columns: `${runColumns}, ${resultColumns}`, from, order, values: [projectId, caseId] };
  const page = await readPage<ResultRow>(db, list, filter);
  const rows = page.rows.map(splitResult).map(({ result, rest }) => ({ run: runOf(rest), result }));
  return { rows, total: page.total };
}
