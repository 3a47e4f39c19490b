// Test runs that come from another database: whether they are there already, and what goes elsewhere of one.
import type { ForeignUpload, TestRunStore } from '../../src/core/store/test-runs.ts';
import type { Db, Query } from '../db.ts';
import { type ResultRow, resultColumns, resultOf } from './rows.ts';

/** What taking over asks of the store. */
export function takingOverQueries(db: Db): Pick<TestRunStore, 'hasTestRun' | 'listUploadResults'> {
  return {
    async hasTestRun(projectId, runKey, createdAtMs) {
      const row = await db.get(
        runKey === null
          ? 'SELECT 1 AS there FROM test_runs WHERE project_id = $1 AND created_at_ms = $2 AND run_key IS NULL LIMIT 1'
          : 'SELECT 1 AS there FROM test_runs WHERE project_id = $1 AND run_key = $2',
        [projectId, runKey ?? createdAtMs],
      );
      return row !== undefined;
    },
    async listUploadResults(uploadId) {
      const rows = await db.all<ResultRow>(
        `SELECT ${resultColumns} FROM test_results t JOIN test_uploads u ON u.id = t.upload_id
           LEFT JOIN test_cases k ON k.project_id = t.project_id AND k.case_id = t.case_id
          WHERE t.upload_id = $1 ORDER BY t.position`,
        [uploadId],
      );
      return rows.map(resultOf);
    },
  };
}

/**
 * Whether this upload is there. In a run with a key, its place is taken; a run without one has a single
 * upload, which is known by when it came, what it belongs to and how each of its cases ended.
 */
export async function isUploadThere(query: Query, upload: ForeignUpload): Promise<boolean> {
  const { run, runCreatedAtMs } = upload.foreign;
  if (run.runKey !== null) {
    const taken = await query.get(
      `SELECT 1 AS there FROM test_runs r
         JOIN test_uploads u ON u.run_id = r.id AND u.shard = $3 AND u.replaced_at_ms IS NULL
        WHERE r.project_id = $1 AND r.run_key = $2`,
      [upload.projectId, run.runKey, upload.shard],
    );
    return taken !== undefined;
  }
  const { facts, totals } = upload;
  const alike = await query.all<{ id: number }>(
    `SELECT u.id FROM test_runs r JOIN test_uploads u ON u.run_id = r.id AND u.shard = $3 AND u.replaced_at_ms IS NULL
      WHERE r.project_id = $1 AND r.created_at_ms = $2 AND r.run_key IS NULL
        AND u.commit_sha = $4 AND u.environment = $5 AND COALESCE(r.release, '') = $6 AND COALESCE(r.branch, '') = $7
        AND u.tests = $8 AND u.passed = $9 AND u.failed = $10 AND u.skipped = $11 ORDER BY u.id LIMIT 1000`,
    [
      upload.projectId,
      runCreatedAtMs,
      upload.shard,
      facts.commit ?? '',
      facts.environment ?? '',
      run.release ?? '',
      run.branch ?? '',
      totals.tests,
      totals.passed,
      totals.failed,
      totals.skipped,
    ],
  );
  const given = upload.cases.map((one) => `${one.caseId} ${one.status}`).join('\n');
  for (const { id } of alike) {
    const there = await query.all<{ case_id: string; status: string }>(
      'SELECT case_id, status FROM test_results WHERE upload_id = $1 ORDER BY position',
      [id],
    );
    if (there.map((one) => `${one.case_id} ${one.status}`).join('\n') === given) return true;
  }
  return false;
}
