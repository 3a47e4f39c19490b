// Cases are written in portions; nothing is visible before the last transaction attaches the upload.

import type { StoreParts } from '../../src/core/store/store.ts';
import type {
  ImportedUpload,
  NewTestUpload,
  RecordedOutcome,
  TestRun,
  TestRunStore,
} from '../../src/core/store/test-runs.ts';
import { duplicateWindowMs, worstStatus } from '../../src/core/test-runs/test-runs.ts';
import { signal } from '../alerts/signals.ts';
import type { Db, Query } from '../db.ts';
import { updateFoldedColumn } from '../search.ts';
import { testRunQueries } from './page-queries.ts';
import { quarantineStore } from './quarantine.ts';
import { deleteResults, writeForeignResults, writeResults } from './results.ts';
import {
  digests,
  type ResultRow,
  resultColumns,
  resultOf,
  runColumns,
  runOf,
  runs,
  uploads,
  upsertedRuns,
} from './rows.ts';

export function testRunStore(db: Db): TestRunStore {
  return {
    ...testRunQueries(db),
    ...quarantineStore(db),
    ...importQueries(db),
    async recordTestRun(upload) {
      const known = await findRepeat(db, upload);
      if (known !== null) {
        return { run: known, outcome: 'repeat' };
      }
      const uploadId = await db.write((tx) => openUpload(tx, upload));
      const flaky = await writeResults(db, uploadId, upload);
      const closed = await db.write((tx) => closeUpload(tx, uploadId, upload, flaky));
      for (const unwanted of closed.unwantedUploads) {
        await deleteResults(db, unwanted);
      }
      return { run: closed.run, outcome: closed.outcome };
    },
    importTestUploadRecord: (upload) => importTestUploadRecord(db, upload),
    findTestRun: async (projectId, testRunId) => {
      const run = await runs.find(db, 'WHERE project_id = $1 AND id = $2', [projectId, testRunId]);
      return run && { ...run, shard: null };
    },
  };
}

/** Import: nothing is replaced and flaky cases are given. Other shards of the run may exist. */
async function importTestUploadRecord(db: Db, upload: ImportedUpload): Promise<boolean> {
  if (await uploadExists(db, upload)) return false;
  // Dated now until it is complete: old unfinished uploads are removed.
  const open = { ...upload, nowMs: upload.foreign.takenAtMs };
  const uploadId = await db.write((tx) => openUpload(tx, open));
  await writeForeignResults(db, uploadId, upload);
  const { run, runCreatedAtMs } = upload.foreign;
  const isTaken = await db.write(async (tx) => {
    // Of two imports of one file, the second finds the digest taken.
    if (!(await claimDigest(tx, uploadId, upload)) || (await uploadExists(tx, upload))) return false;
    const { runId } = await upsertRun(tx, { ...upload, facts: run }, runCreatedAtMs);
    await placeUpload(tx, uploadId, runId, upload.totals.flaky, upload.nowMs);
    await updateTotals(tx, runId);
    return true;
  });
  if (!isTaken) await deleteResults(db, uploadId);
  return isTaken;
}

function placeUpload(tx: Query, uploadId: number, runId: number, flaky: number, atMs: number) {
  return uploads.update(tx, { runId, flaky, createdAtMs: atMs }, { where: 'id = $1', values: [uploadId] });
}

/** The run of an equal upload of the last day. Checked first to save work; `claimDigest` decides. */
async function findRepeat(query: Query, upload: NewTestUpload): Promise<TestRun | null> {
  const row = await query.get(
    `SELECT ${runColumns} FROM test_upload_digests d
       JOIN test_uploads u ON u.id = d.upload_id AND u.replaced_at_ms IS NULL
       JOIN test_runs r ON r.id = u.run_id
      WHERE d.project_id = $1 AND d.digest = $2 AND d.at_ms >= $3`,
    [upload.projectId, upload.digest, upload.nowMs - duplicateWindowMs],
  );
  return row === undefined ? null : runOf(row);
}

/** Without a run, so that it is not visible yet. */
async function openUpload(tx: Query, upload: NewTestUpload): Promise<number> {
  const { projectId, format, status, totals, facts, reported, warnings } = upload;
  const { durationMs, commit, environment, suite } = facts;
  const { id } = await uploads.insertReturning(tx, {
    ...{ projectId, format, status, durationMs, commit, environment, suite, reported, warnings },
    ...totals,
    place: upload.shard,
    shardName: facts.shard,
    createdAtMs: upload.nowMs,
  });
  return id;
}

interface ClosedUpload {
  readonly run: TestRun;
  readonly outcome: RecordedOutcome;
  /** Uploads whose cases are no longer visible. */
  readonly unwantedUploads: number[];
}

/** Of two equal uploads at once, the second finds the digest taken and is dropped. */
async function closeUpload(
  tx: Query,
  uploadId: number,
  upload: NewTestUpload,
  flaky: number,
): Promise<ClosedUpload> {
  if (!(await claimDigest(tx, uploadId, upload))) {
    const run = await findRepeat(tx, upload);
    if (run !== null) {
      return { run, outcome: 'repeat', unwantedUploads: [uploadId] };
    }
  }
  const { runId, created, before } = await upsertRun(tx, upload, upload.nowMs);
  const replaced = await tx.all<{ id: number }>(
    `UPDATE test_uploads SET replaced_at_ms = $3 WHERE run_id = $1 AND shard = $2 AND replaced_at_ms IS NULL RETURNING id`,
    [runId, upload.shard, upload.nowMs],
  );
  await placeUpload(tx, uploadId, runId, flaky, upload.nowMs);
  const run = await updateTotals(tx, runId);
  // The run is locked: of shards that fail at once, one is the first.
  if (isFailure(run.status) && !isFailure(before)) await signalFailedRun(tx, run, upload.nowMs);
  return {
    run,
    outcome: replaced.length > 0 ? 'replaced' : created ? 'created' : 'added',
    unwantedUploads: replaced.map(({ id }) => id),
  };
}

function isFailure(status: TestRun['status']): boolean {
  return status === 'failed' || status === 'error';
}

async function signalFailedRun(tx: Query, run: TestRun, nowMs: number): Promise<void> {
  const { id, projectId, release, environment, suite, branch, tests, failed } = run;
  const suffix = `${suite === null ? '' : ` of ${suite}`}${branch === null ? '' : ` on ${branch}`}`;
  await signal(tx, {
    projectId,
    kind: 'test_run.failed',
    objectId: id,
    release,
    environment,
    atMs: nowMs,
    summary: {
      title: `Test run #${id}${suffix}`,
      detail: tests === 0 ? '' : `${failed} of ${tests} tests failed`,
      path: `/test-runs/${id}`,
    },
  });
}

/** False when an equal upload of the last day is in its run. */
async function claimDigest(tx: Query, uploadId: number, upload: NewTestUpload): Promise<boolean> {
  const { projectId, digest, nowMs } = upload;
  const claimed = await digests.insert(
    tx,
    { projectId, digest, uploadId, atMs: nowMs },
    { onConflict: takenOver, values: [nowMs - duplicateWindowMs] },
  );
  return claimed > 0;
}

const takenOver = `${digests.mergeOn({ key: ['projectId', 'digest'], otherwise: 'given' })}
  WHERE test_upload_digests.at_ms < $1
    OR EXISTS (SELECT 1 FROM test_uploads u WHERE u.id = test_upload_digests.upload_id AND u.replaced_at_ms IS NOT NULL)`;

/** Finds or makes the run of a key; without a key a new run. Known values are kept. */
async function upsertRun(
  tx: Query,
  upload: NewTestUpload,
  createdAtMs: number,
): Promise<{
  runId: number;
  created: boolean;
  /** Its status without this upload. */
  before: TestRun['status'];
}> {
  const row = await upsertedRuns.insertReturning(
    tx,
    {
      ...{ tests: 0, passed: 0, failed: 0, errors: 0, skipped: 0, flaky: 0 },
      ...upload.facts,
      projectId: upload.projectId,
      status: 'empty',
      createdAtMs,
      updatedAtMs: upload.nowMs,
    },
    { onConflict: joined },
  );
  if (row === null) throw new Error('an upsert of a test run returned no row');
  await updateFoldedColumn(tx, 'test_runs', row.id);
  return { runId: row.id, created: row.upserts === 1, before: row.status };
}

const joined = upsertedRuns.mergeOn({
  key: ['projectId', 'runKey'],
  otherwise: 'kept unless null',
  rules: {
    ...{ status: 'kept', createdAtMs: 'kept' },
    ...{ tests: 'kept', passed: 'kept', failed: 'kept', errors: 'kept', skipped: 'kept', flaky: 'kept' },
    exitCode: `SQL: CASE WHEN COALESCE(test_runs.exit_code, 0) = 0 THEN COALESCE(excluded.exit_code, test_runs.exit_code)
      ELSE test_runs.exit_code END`,
    startedAtMs: `SQL: CASE WHEN test_runs.started_at_ms IS NULL OR excluded.started_at_ms < test_runs.started_at_ms
      THEN excluded.started_at_ms ELSE test_runs.started_at_ms END`,
    finishedAtMs: `SQL: CASE WHEN test_runs.finished_at_ms IS NULL OR excluded.finished_at_ms > test_runs.finished_at_ms
      THEN excluded.finished_at_ms ELSE test_runs.finished_at_ms END`,
    updatedAtMs: 'greatest',
  },
  extraAssignment: 'upserts = test_runs.upserts + 1',
});

async function updateTotals(tx: Query, runId: number): Promise<TestRun> {
  const statuses = await tx.all<{ status: TestRun['status'] }>(
    'SELECT DISTINCT status FROM test_uploads WHERE run_id = $1 AND replaced_at_ms IS NULL',
    [runId],
  );
  const sums = ['tests', 'passed', 'failed', 'errors', 'skipped', 'flaky', 'duration_ms'].map(
    (column) =>
      `${column} = (SELECT SUM(u.${column}) FROM test_uploads u WHERE u.run_id = test_runs.id AND u.replaced_at_ms IS NULL)`,
  );
  await tx.run(`UPDATE test_runs SET status = $2, ${sums.join(', ')} WHERE id = $1`, [
    runId,
    worstStatus(statuses.map((row) => row.status)),
  ]);
  const run = await runs.find(tx, 'WHERE id = $1', [runId]);
  if (run === null) throw new Error('the test run was not found in the transaction that created it');
  return { ...run, shard: null };
}

function importQueries(db: Db) {
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
  } satisfies Partial<StoreParts>;
}

// With a key the shard is taken. Without one the upload is known by time, facts and outcomes.
async function uploadExists(query: Query, upload: ImportedUpload): Promise<boolean> {
  const { run, runCreatedAtMs } = upload.foreign;
  if (run.runKey !== null) {
    const existing = await query.get(
      `SELECT 1 AS there FROM test_runs r
         JOIN test_uploads u ON u.run_id = r.id AND u.shard = $3 AND u.replaced_at_ms IS NULL
        WHERE r.project_id = $1 AND r.run_key = $2`,
      [upload.projectId, run.runKey, upload.shard],
    );
    return existing !== undefined;
  }
  const { facts, totals } = upload;
  const candidates = await query.all<{ id: number }>(
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
  const newCases = upload.cases.map((one) => `${one.caseId} ${one.status}`).join('\n');
  for (const { id } of candidates) {
    const storedCases = await query.all<{ case_id: string; status: string }>(
      'SELECT case_id, status FROM test_results WHERE upload_id = $1 ORDER BY position',
      [id],
    );
    if (storedCases.map((one) => `${one.case_id} ${one.status}`).join('\n') === newCases) return true;
  }
  return false;
}
