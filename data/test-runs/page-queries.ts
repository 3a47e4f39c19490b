import type { StoreParts } from '../../src/core/store/store.ts';
import {
  type CaseCursor,
  caseResults,
  type RunPageFilter,
  type RunResult,
  type RunSummary,
  runResults,
  type TestRun,
  type TestRunPageStore,
  type TestRunStore,
} from '../../src/core/store/test-runs.ts';
import type { Db, SqlValue } from '../db.ts';
import { countRows, projectsCondition, readPage, readSlice } from '../paging.ts';
import { matchCondition, toLikePattern } from '../search.ts';
import { toValueList } from '../value-lists.ts';
import {
  type ResultRow,
  resultColumns,
  resultOf,
  runColumns,
  runOf,
  runs,
  splitResult,
  uploads,
} from './rows.ts';

const uploadsMax = 1_000;
const unstableRowsMax = 5_000;

const ofResult = `JOIN test_uploads u ON u.id = t.upload_id
  LEFT JOIN test_cases k ON k.project_id = t.project_id AND k.case_id = t.case_id`;

/** Narrow rows are sorted first, and then joined to the whole ones, which would be megabytes of traces. */
function pickedResults(picked: string): string {
  return `FROM (SELECT t.upload_id, t.position FROM test_uploads u JOIN test_results t ON t.upload_id = u.id
       WHERE u.run_id = $1 AND u.replaced_at_ms IS NULL ${picked}) AS picked
     JOIN test_results t ON t.upload_id = picked.upload_id AND t.position = picked.position ${ofResult}`;
}

const orders = {
  created_at: 'r.created_at_ms',
  duration_ms: 'COALESCE(r.duration_ms, 0)',
  failed: 'r.failed',
  tests: 'r.tests',
} as const;

type RunLists = Pick<TestRunStore, 'listTestRuns' | 'listTestUploads' | 'listTestResults' | 'listCaseRuns'>;

export function testRunQueries(db: Db): TestRunPageStore & RunLists {
  return { ...runLists(db), ...runReads(db), ...resultReads(db), ...caseReads(db) };
}

function runLists(db: Db) {
  return {
    async listTestRuns(projectId, filter) {
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
    },
    listTestUploads: (testRunId) =>
      uploads.list(db, `WHERE run_id = $1 AND replaced_at_ms IS NULL ORDER BY id LIMIT ${uploadsMax}`, [
        testRunId,
      ]),
    async listTestRunPage(projectIds, filter, slice) {
      const { from, values } = filterCondition(projectIds, filter);
      // Not bound: as a literal the planner can use it.
      const ended = filter.result === null ? '' : `AND ${resultOfRun} = '${filter.result}'`;
      const list = {
        columns: runColumns,
        from: `${from} ${ended}`,
        atMs: 'r.created_at_ms',
        id: 'r.id',
        values,
      };
      const sliced = await readSlice(db, list, slice);
      return { ...sliced, rows: sliced.rows.map(runOf) };
    },
    async countTestRuns(projectIds, filter) {
      const { from, values } = filterCondition(projectIds, filter);
      const rows = await db.all<{ result: RunResult; count: number }>(
        `SELECT ${resultOfRun} AS result, COUNT(*) AS count ${from} GROUP BY 1`,
        values,
      );
      const counted = new Map(rows.map(({ result, count }) => [result, count]));
      const [failed, flaky, passed, empty] = runResults.map((result) => counted.get(result) ?? 0);
      return { failed: failed ?? 0, flaky: flaky ?? 0, passed: passed ?? 0, empty: empty ?? 0 };
    },
  } satisfies Partial<StoreParts>;
}

function runReads(db: Db) {
  return {
    async recentTestRuns(projectIds, limit) {
      const projects = projectsCondition('r.project_id', projectIds, 1);
      return db.all<RunSummary>(
        `SELECT ${sketchColumns} FROM test_runs r WHERE ${projects.sql}
         ORDER BY r.created_at_ms DESC, r.id DESC LIMIT ${limit}`,
        projects.values,
      );
    },
    async testRunsOfReleases(projectIds, versions, limit) {
      if (projectIds.length === 0 || versions.length === 0) return [];
      const projects = toValueList(projectIds, 1);
      const named = toValueList(versions, 1 + projects.values.length);
      return db.all<RunSummary>(
        `SELECT ${sketchColumns} FROM test_runs r
         WHERE r.project_id IN (${projects.placeholders}) AND r.release IN (${named.placeholders})
         ORDER BY r.created_at_ms DESC, r.id DESC LIMIT ${limit}`,
        [...projects.values, ...named.values],
      );
    },
    async findTestRunAnywhere(testRunId) {
      const row = await db.get(`SELECT ${runColumns} FROM test_runs r WHERE r.id = $1`, [testRunId]);
      return row === undefined ? null : runOf(row);
    },
    testRunsUpTo: (run, limit) => runsBeside(db, run, '<=', limit),
    testRunAfter: async (run) => (await runsBeside(db, run, '>', 1))[0] ?? null,
  } satisfies Partial<StoreParts>;
}

const resultOfRun = `CASE WHEN r.status IN ('failed', 'error') THEN 'failed' WHEN r.status = 'empty' THEN 'empty'
  WHEN r.flaky > 0 THEN 'flaky' ELSE 'passed' END`;

const sketched = runs.only(
  'id',
  'projectId',
  'suite',
  'branch',
  'release',
  'status',
  'createdAtMs',
  'durationMs',
);
const sketchColumns = `${sketched.columns('r')}, r.tests, r.passed, r.failed, r.errors, r.skipped, r.flaky`;

function filterCondition(projectIds: readonly number[], { branch, search }: RunPageFilter) {
  const pattern = toLikePattern(search ?? undefined);
  const projects = projectsCondition('r.project_id', projectIds, 3);
  const from = `FROM test_runs r WHERE ${projects.sql}
    AND (CAST($1 AS TEXT) IS NULL OR r.branch = $1)
    AND (CAST($2 AS TEXT) IS NULL OR
         ${matchCondition('r.search_text', ['r.suite', 'r.branch', 'r.commit_sha', 'r.release'], '$2')})`;
  const values: SqlValue[] = [branch, pattern, ...projects.values];
  return { from, values };
}

function runsBeside(db: Db, run: TestRun, side: '<=' | '>', limit: number): Promise<RunSummary[]> {
  const direction = side === '>' ? 'ASC' : 'DESC';
  return db.all<RunSummary>(
    `SELECT ${sketchColumns} FROM test_runs r
     WHERE r.project_id = $1 AND (r.created_at_ms, r.id) ${side} ($2, $3)
       AND r.suite IS NOT DISTINCT FROM CAST($4 AS TEXT) AND r.branch IS NOT DISTINCT FROM CAST($5 AS TEXT)
     ORDER BY r.created_at_ms ${direction}, r.id ${direction} LIMIT ${limit}`,
    [run.projectId, run.createdAtMs, run.id, run.suite, run.branch],
  );
}

function resultReads(db: Db) {
  return {
    /** Failures first. */
    async listTestResults(testRunId, filter) {
      const matched = `AND (CAST($2 AS TEXT) IS NULL OR t.status = $2)
          AND (CAST($3 AS TEXT) IS NULL OR ${matchCondition('t.search_text', ['t.name', 't.suite', 't.file'], '$3')})`;
      const from = `FROM test_uploads u JOIN test_results t ON t.upload_id = u.id
      WHERE u.run_id = $1 AND u.replaced_at_ms IS NULL ${matched}`;
      const values: SqlValue[] = [testRunId, filter.status ?? null, toLikePattern(filter.search)];
      const picked = `${matched} ORDER BY t.severity, u.id, t.position LIMIT $4 OFFSET $5`;
      const rows = await db.all<ResultRow>(
        `SELECT ${resultColumns} ${pickedResults(picked)} ORDER BY t.severity, u.id, t.position`,
        [...values, filter.limit, filter.offset],
      );
      return { rows: rows.map(resultOf), total: await countRows(db, from, values) };
    },
    async walkTestResults(testRunId, filter, after, limit) {
      const values: SqlValue[] = [
        testRunId,
        filter.result === null ? null : caseResults.indexOf(filter.result),
        toLikePattern(filter.search ?? undefined),
        after?.severity ?? -1,
        after?.uploadId ?? 0,
        after?.position ?? 0,
      ];
      const picked = `AND (CAST($2 AS INTEGER) IS NULL OR t.severity = $2)
        AND (CAST($3 AS TEXT) IS NULL OR ${matchCondition('t.search_text', ['t.name', 't.suite', 't.file'], '$3')})
      AND (t.severity, u.id, t.position) > ($4, $5, $6)
      ORDER BY t.severity, u.id, t.position LIMIT ${limit}`;
      const rows = await db.all<ResultRow & CaseCursor>(
        `SELECT ${resultColumns}, t.severity, t.upload_id AS "uploadId", t.position ${pickedResults(picked)}
       ORDER BY t.severity, u.id, t.position`,
        values,
      );
      return rows.map(splitResult).map(({ result, rest }) => ({ result, near: rest }));
    },
    async slowestTestResults(testRunId, limit) {
      const rows = await db.all<ResultRow>(
        `SELECT ${resultColumns} ${pickedResults(`AND t.duration_ms > 0
           ORDER BY t.duration_ms DESC, u.id, t.position LIMIT ${limit}`)}
         ORDER BY t.duration_ms DESC, u.id, t.position`,
        [testRunId],
      );
      return rows.map(resultOf);
    },
    async listUnstableCases(runIds, limit) {
      if (runIds.length === 0) return [];
      const { placeholders, values } = toValueList(runIds, 1);
      return db.all(
        `SELECT project_id AS "projectId", case_id AS "caseId", MIN(name) AS name, MIN(file) AS file
       FROM (SELECT t.project_id, t.case_id, t.name, t.file, t.upload_id, t.severity
         FROM test_uploads u JOIN test_results t ON t.upload_id = u.id
         WHERE u.run_id IN (${placeholders}) AND u.replaced_at_ms IS NULL AND t.severity IN (0, 1)
         ORDER BY t.upload_id DESC, t.severity, t.position LIMIT ${unstableRowsMax}) AS troubled
       GROUP BY project_id, case_id ORDER BY MAX(upload_id) DESC, MIN(severity), case_id LIMIT ${limit}`,
        values,
      );
    },
  } satisfies Partial<StoreParts>;
}

function caseReads(db: Db) {
  return {
    async caseEnds(projectId, caseIds, runIds) {
      if (caseIds.length === 0 || runIds.length === 0) return [];
      const runs = toValueList(runIds, 1);
      const uploads = await db.all<{ id: number; run_id: number }>(
        `SELECT id, run_id FROM test_uploads WHERE run_id IN (${runs.placeholders}) AND replaced_at_ms IS NULL
       ORDER BY id DESC LIMIT ${uploadsMax}`,
        runs.values,
      );
      if (uploads.length === 0) return [];
      const runOfUpload = new Map(uploads.map(({ id, run_id: run }) => [id, run]));
      const cases = toValueList(caseIds, 2);
      const within = toValueList([...runOfUpload.keys()], 2 + cases.values.length);
      const rows = await db.all<{ case_id: string; upload_id: number; severity: number }>(
        `SELECT case_id, upload_id, severity FROM test_results
       WHERE project_id = $1 AND case_id IN (${cases.placeholders}) AND upload_id IN (${within.placeholders})`,
        [projectId, ...cases.values, ...within.values],
      );
      return rows.map((row) => ({
        runId: runOfUpload.get(row.upload_id) ?? 0,
        caseId: row.case_id,
        result: caseResults[row.severity] ?? 'passed',
      }));
    },
    async projectsOfCase(projectIds, caseId) {
      if (projectIds.length === 0) return [];
      const { placeholders, values } = toValueList(projectIds, 2);
      const rows = await db.all<{ project_id: number }>(
        `SELECT project_id FROM test_cases WHERE case_id = $1 AND project_id IN (${placeholders}) ORDER BY project_id`,
        [caseId, ...values],
      );
      return rows.map((row) => row.project_id);
    },
    async listCaseRuns(projectId, caseId, filter) {
      const from = `FROM test_results t ${ofResult} JOIN test_runs r ON r.id = u.run_id
      WHERE t.project_id = $1 AND t.case_id = $2 AND u.replaced_at_ms IS NULL`;
      const direction = filter.descending ? 'DESC' : 'ASC';
      const order = `u.id ${direction}, t.position`;
      const list = { columns: `${runColumns}, ${resultColumns}`, from, order, values: [projectId, caseId] };
      const page = await readPage<ResultRow>(db, list, filter);
      const rows = page.rows.map(splitResult).map(({ result, rest }) => ({ run: runOf(rest), result }));
      return { rows, total: page.total };
    },
    async listCaseRunPage(projectId, caseId, slice) {
      const list = {
        columns: `${runColumns}, ${resultColumns}, u.id AS upload_id, t.position`,
        from: `FROM test_results t ${ofResult} JOIN test_runs r ON r.id = u.run_id
          WHERE t.project_id = $1 AND t.case_id = $2 AND u.replaced_at_ms IS NULL`,
        // A report may hold a case twice: the position tells them apart.
        atMs: 'u.id',
        id: 't.position',
        values: [projectId, caseId],
      };
      const sliced = await readSlice<ResultRow & { upload_id: number; position: number }>(db, list, slice);
      const rows = sliced.rows.map(splitResult).map(({ result, rest }) => {
        const { upload_id: atMs, position: id, ...run } = rest;
        return { run: runOf(run), result, near: { atMs, id } };
      });
      return { ...sliced, rows };
    },
  } satisfies Partial<StoreParts>;
}
