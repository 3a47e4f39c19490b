// What pages ask of cases: those of a run a portion at a time, and how some ended in many runs.
import {
  type CaseEnd,
  type CaseNear,
  type CaseResult,
  caseResults,
  type PlacedResult,
  type TestRunLooks,
} from '../../src/core/store/test-runs.ts';
import type { Db, SqlValue } from '../db.ts';
import { containing, matching } from '../search.ts';
import { readSlice } from '../slices.ts';
import { listOf } from '../value-lists.ts';
import { type ResultRow, type RunRow, resultColumns, resultOf, runColumns, runOf } from './rows.ts';

type CaseLooks = Pick<
  TestRunLooks,
  'walkTestResults' | 'slowestTestResults' | 'troubledCases' | 'caseEnds' | 'projectsOfCase' | 'sliceCaseRuns'
>;

/** Uploads of some runs that one look takes in; a run has a thousand at most. */
const uploadsMax = 1_000;
/** Cases that failed or were flaky, of which `troubledCases` picks. */
const troubledRowsMax = 5_000;

const whole = `test_results t JOIN test_uploads u ON u.id = t.upload_id
  LEFT JOIN test_cases k ON k.project_id = t.project_id AND k.case_id = t.case_id`;

/** The reads of cases. */
export function caseLooks(db: Db): CaseLooks {
  return {
    walkTestResults: (testRunId, filter, after, limit) => walkResults(db, testRunId, filter, after, limit),
    async slowestTestResults(testRunId, limit) {
      const rows = await db.all<ResultRow>(
        `SELECT ${resultColumns} FROM (SELECT t.upload_id, t.position
           FROM test_uploads u JOIN test_results t ON t.upload_id = u.id
           WHERE u.run_id = $1 AND u.replaced_at_ms IS NULL AND t.duration_ms > 0
           ORDER BY t.duration_ms DESC, u.id, t.position LIMIT ${limit}) AS picked
         JOIN test_results t ON t.upload_id = picked.upload_id AND t.position = picked.position
         JOIN test_uploads u ON u.id = t.upload_id
         LEFT JOIN test_cases k ON k.project_id = t.project_id AND k.case_id = t.case_id
         ORDER BY t.duration_ms DESC, u.id, t.position`,
        [testRunId],
      );
      return rows.map(resultOf);
    },
    troubledCases: (runIds, limit) => troubledCases(db, runIds, limit),
    caseEnds: (projectId, caseIds, runIds) => caseEnds(db, projectId, caseIds, runIds),
    async projectsOfCase(projectIds, caseId) {
      if (projectIds.length === 0) return [];
      const { marks, values } = listOf(projectIds, 2);
      const rows = await db.all<{ project_id: number }>(
        `SELECT project_id FROM test_cases WHERE case_id = $1 AND project_id IN (${marks}) ORDER BY project_id`,
        [caseId, ...values],
      );
      return rows.map((row) => Number(row.project_id));
    },
    async sliceCaseRuns(projectId, caseId, slice) {
      const list = {
        columns: `${runColumns}, ${resultColumns}, u.created_at_ms AS upload_at_ms, u.id AS upload_id`,
        from: `FROM ${whole} JOIN test_runs r ON r.id = u.run_id
          WHERE t.project_id = $1 AND t.case_id = $2 AND u.replaced_at_ms IS NULL`,
        // A report may hold a case twice: by its place in it each is told from the other.
        atMs: 'u.id',
        id: 't.position',
        values: [projectId, caseId],
      };
      const sliced = await readSlice<RunRow & ResultRow & { upload_id: number; position: number }>(
        db,
        { ...list, columns: `${list.columns}, t.position` },
        slice,
      );
      const rows = sliced.rows.map((row) => ({
        run: runOf(row),
        result: resultOf(row),
        near: { atMs: Number(row.upload_id), id: Number(row.position) },
      }));
      return { ...sliced, rows };
    },
  };
}

async function walkResults(
  db: Db,
  testRunId: number,
  filter: { readonly result: CaseResult | null; readonly search: string | null },
  after: CaseNear | null,
  limit: number,
): Promise<PlacedResult[]> {
  const values: SqlValue[] = [
    testRunId,
    filter.result === null ? null : caseResults.indexOf(filter.result),
    containing(filter.search ?? undefined),
    after?.severity ?? -1,
    after?.uploadId ?? 0,
    after?.position ?? 0,
  ];
  // The page is picked from narrow rows first: to sort whole ones would read megabytes of traces.
  const rows = await db.all<ResultRow & { severity: number; upload_id: number; position: number }>(
    `SELECT ${resultColumns}, t.severity, t.upload_id, t.position FROM (SELECT t.upload_id, t.position
       FROM test_uploads u JOIN test_results t ON t.upload_id = u.id
       WHERE u.run_id = $1 AND u.replaced_at_ms IS NULL
         AND (CAST($2 AS INTEGER) IS NULL OR t.severity = $2)
         AND (CAST($3 AS TEXT) IS NULL OR ${matching('t.folded', ['t.name', 't.suite', 't.file'], '$3')})
         AND (t.severity, u.id, t.position) > ($4, $5, $6)
       ORDER BY t.severity, u.id, t.position LIMIT ${limit}) AS picked
     JOIN test_results t ON t.upload_id = picked.upload_id AND t.position = picked.position
     JOIN test_uploads u ON u.id = t.upload_id
     LEFT JOIN test_cases k ON k.project_id = t.project_id AND k.case_id = t.case_id
     ORDER BY t.severity, u.id, t.position`,
    values,
  );
  return rows.map((row) => ({
    result: resultOf(row),
    near: {
      severity: Number(row.severity),
      uploadId: Number(row.upload_id),
      position: Number(row.position),
    },
  }));
}

async function troubledCases(
  db: Db,
  runIds: readonly number[],
  limit: number,
): ReturnType<TestRunLooks['troubledCases']> {
  if (runIds.length === 0) return [];
  const { marks, values } = listOf(runIds, 1);
  const rows = await db.all<{ project_id: number; case_id: string; name: string; file: string | null }>(
    `SELECT project_id, case_id, MIN(name) AS name, MIN(file) AS file, MAX(upload_id) AS newest,
       MIN(severity) AS worst
     FROM (SELECT t.project_id, t.case_id, t.name, t.file, t.upload_id, t.severity
       FROM test_uploads u JOIN test_results t ON t.upload_id = u.id
       WHERE u.run_id IN (${marks}) AND u.replaced_at_ms IS NULL AND t.severity IN (0, 1)
       ORDER BY t.upload_id DESC, t.severity, t.position LIMIT ${troubledRowsMax}) AS troubled
     GROUP BY project_id, case_id ORDER BY newest DESC, worst, case_id LIMIT ${limit}`,
    values,
  );
  return rows.map((row) => ({
    projectId: Number(row.project_id),
    caseId: row.case_id,
    name: row.name,
    file: row.file,
  }));
}

async function caseEnds(
  db: Db,
  projectId: number,
  caseIds: readonly string[],
  runIds: readonly number[],
): Promise<CaseEnd[]> {
  if (caseIds.length === 0 || runIds.length === 0) return [];
  const runs = listOf(runIds, 1);
  const uploads = await db.all<{ id: number; run_id: number }>(
    `SELECT id, run_id FROM test_uploads WHERE run_id IN (${runs.marks}) AND replaced_at_ms IS NULL
     ORDER BY id DESC LIMIT ${uploadsMax}`,
    runs.values,
  );
  if (uploads.length === 0) return [];
  const runOfUpload = new Map(uploads.map(({ id, run_id: run }) => [Number(id), Number(run)]));
  const cases = listOf(caseIds, 2);
  const within = listOf([...runOfUpload.keys()], 2 + cases.values.length);
  const rows = await db.all<{ case_id: string; upload_id: number; severity: number }>(
    `SELECT case_id, upload_id, severity FROM test_results
     WHERE project_id = $1 AND case_id IN (${cases.marks}) AND upload_id IN (${within.marks})`,
    [projectId, ...cases.values, ...within.values],
  );
  return rows.map((row) => ({
    runId: runOfUpload.get(Number(row.upload_id)) ?? 0,
    caseId: row.case_id,
    result: caseResults[Number(row.severity)] ?? 'passed',
  }));
}
