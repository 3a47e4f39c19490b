// The cases of an upload in SQL: written and deleted in portions, each a transaction of its own.
import { foldedTexts } from '../../src/core/reading/fold-text.ts';
import { hourMs } from '../../src/core/reading/spans.ts';
import type { NewTestUpload, TestCase } from '../../src/core/store/test-runs.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { listOf, portionsOf } from '../value-lists.ts';
import { packDetail } from './detail.ts';

/** Cases of one transaction: a few milliseconds of the writer. */
const portionCases = 50;
/** Other uploads of the same commit that are looked at for rule (b). */
const siblingsMax = 50;
/** Uploads that were never finished are cleared away after this. */
const unfinishedMs = hourMs;
const clearedAtOnce = 20;

interface PlacedCase {
  readonly one: TestCase;
  readonly position: number;
  readonly flakyRule: TestCase['flakyRule'];
}

/**
 * Writes the cases of an upload and answers how many of them are flaky, by the rule of one run or by that
 * across runs.
 */
export async function writeResults(db: Db, uploadId: number, upload: NewTestUpload): Promise<number> {
  return writeFound(db, uploadId, upload, await siblingUploads(db, upload));
}

/** The same for an upload of elsewhere: which of its cases are flaky was found there. */
export function writeForeignResults(db: Db, uploadId: number, upload: NewTestUpload): Promise<number> {
  return writeFound(db, uploadId, upload, []);
}

async function writeFound(
  db: Db,
  uploadId: number,
  upload: NewTestUpload,
  siblings: readonly number[],
): Promise<number> {
  let flaky = upload.cases.length === 0 ? upload.totals.flaky : 0;
  for (let from = 0; from < upload.cases.length; from += portionCases) {
    const cases = upload.cases.slice(from, from + portionCases);
    const opposites = await oppositeOutcomes(db, upload.projectId, siblings, cases);
    const placed = cases.map((one, index): PlacedCase => {
      const across = opposites.has(`${one.caseId} ${one.status}`);
      return { one, position: from + index, flakyRule: one.flakyRule ?? (across ? 'across_runs' : null) };
    });
    flaky += placed.filter((each) => each.flakyRule !== null).length;
    const bytes = cases.reduce(
      (sum, one) => sum + 500 + (one.message?.length ?? 0) + (one.trace?.length ?? 0),
      0,
    );
    await db.write((tx) => writePortion(tx, uploadId, upload, placed), bytes);
  }
  return flaky;
}

/** Removes the cases of an upload that nobody sees. */
export async function deleteResults(db: Db, uploadId: number): Promise<void> {
  for (let from = 0; ; from += 500) {
    const { changes } = await db.write((tx) =>
      tx.run('DELETE FROM test_results WHERE upload_id = $1 AND position >= $2 AND position < $3', [
        uploadId,
        from,
        from + 500,
      ]),
    );
    if (changes === 0) {
      return;
    }
  }
}

/**
 * Clears away what a process left behind that ended in the middle of an upload; answers how many uploads
 * went.
 */
export async function clearUnfinished(db: Db, nowMs: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const left = await db.all<{ id: number }>(
      `SELECT id FROM test_uploads WHERE run_id IS NULL AND created_at_ms < $1 LIMIT ${clearedAtOnce}`,
      [nowMs - unfinishedMs],
    );
    for (const { id } of left) {
      await deleteResults(db, Number(id));
      await db.write((tx) => tx.run('DELETE FROM test_uploads WHERE id = $1 AND run_id IS NULL', [id]));
      removed += 1;
    }
    if (left.length < clearedAtOnce) return removed;
  }
}

/** Uploads of the same commit, environment and suite: where a case may have ended otherwise. */
async function siblingUploads(db: Db, upload: NewTestUpload): Promise<number[]> {
  const { commit, environment, suite } = upload.facts;
  if (commit === null) {
    return [];
  }
  const rows = await db.all<{ id: number }>(
    `SELECT id FROM test_uploads
      WHERE project_id = $1 AND commit_sha = $2 AND environment = $3 AND suite = $4 AND run_id IS NOT NULL
      ORDER BY id DESC LIMIT ${siblingsMax}`,
    [upload.projectId, commit, environment ?? '', suite ?? ''],
  );
  return rows.map((row) => Number(row.id));
}

/** "case status" of each case that ended the other way in one of those uploads. */
async function oppositeOutcomes(
  db: Db,
  projectId: number,
  siblings: readonly number[],
  cases: readonly TestCase[],
): Promise<Set<string>> {
  if (siblings.length === 0 || cases.length === 0) {
    return new Set();
  }
  const ids = listOf(
    cases.map((one) => one.caseId),
    2,
  );
  const uploads = listOf(siblings, 2 + ids.values.length);
  const rows = await db.all<{ case_id: string; status: string }>(
    `SELECT DISTINCT case_id, status FROM test_results
      WHERE project_id = $1 AND case_id IN (${ids.marks}) AND upload_id IN (${uploads.marks})
        AND status IN ('passed', 'failed')`,
    [projectId, ...ids.values, ...uploads.values],
  );
  return new Set(rows.map((row) => `${row.case_id} ${row.status === 'passed' ? 'failed' : 'passed'}`));
}

async function writePortion(
  tx: Query,
  uploadId: number,
  upload: NewTestUpload,
  placed: readonly PlacedCase[],
): Promise<void> {
  await insertRows(
    tx,
    `INSERT INTO test_results (upload_id, position, project_id, case_id, name, suite, file, status, kind, severity,
                               flaky_rule, duration_ms, detail, folded) VALUES`,
    placed.map((each) => resultValues(uploadId, upload.projectId, each)),
    '',
  );
  // One row a case: PostgreSQL refuses to change a row twice in one statement.
  const known = new Map<string, SqlValue[]>();
  for (const { one, flakyRule } of placed) {
    const before = known.get(one.caseId);
    if (before === undefined || flakyRule !== null) {
      const at = flakyRule === null ? null : upload.nowMs;
      known.set(one.caseId, [upload.projectId, one.caseId, upload.nowMs, upload.nowMs, flakyRule, at]);
    }
  }
  await insertRows(
    tx,
    'INSERT INTO test_cases (project_id, case_id, first_seen_ms, last_seen_ms, flaky_rule, flaky_at_ms) VALUES',
    [...known.values()],
    // What is taken over from elsewhere may be older than what is there.
    `ON CONFLICT (project_id, case_id) DO UPDATE SET
       first_seen_ms = CASE WHEN excluded.first_seen_ms < test_cases.first_seen_ms
                            THEN excluded.first_seen_ms ELSE test_cases.first_seen_ms END,
       last_seen_ms = CASE WHEN excluded.last_seen_ms > test_cases.last_seen_ms
                           THEN excluded.last_seen_ms ELSE test_cases.last_seen_ms END,
       flaky_rule = CASE WHEN excluded.flaky_at_ms IS NULL OR excluded.flaky_at_ms < test_cases.flaky_at_ms
                         THEN test_cases.flaky_rule ELSE excluded.flaky_rule END,
       flaky_at_ms = CASE WHEN excluded.flaky_at_ms IS NULL OR excluded.flaky_at_ms < test_cases.flaky_at_ms
                          THEN test_cases.flaky_at_ms ELSE excluded.flaky_at_ms END`,
  );
}

async function insertRows(
  tx: Query,
  head: string,
  rows: ReadonlyArray<readonly SqlValue[]>,
  tail: string,
): Promise<void> {
  const width = rows[0]?.length ?? 0;
  for (const some of portionsOf(rows)) {
    const tuples = some.map(
      (row, index) => `(${row.map((_value, column) => `$${index * width + column + 1}`).join(', ')})`,
    );
    await tx.run(`${head} ${tuples.join(', ')} ${tail}`, some.flat());
  }
}

function resultValues(
  uploadId: number,
  projectId: number,
  { one, position, flakyRule }: PlacedCase,
): SqlValue[] {
  const severity = one.status === 'failed' ? 0 : flakyRule !== null ? 1 : one.status === 'skipped' ? 2 : 3;
  const suite = JSON.stringify(one.suite);
  return [
    uploadId,
    position,
    projectId,
    one.caseId,
    one.name,
    suite,
    one.file,
    one.status,
    one.kind,
    severity,
    flakyRule,
    one.durationMs,
    packDetail(one),
    foldedTexts([one.name, suite, one.file]),
  ];
}
