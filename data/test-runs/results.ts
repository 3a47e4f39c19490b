import { hourMs } from '../../src/core/parsing/durations.ts';
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import type { NewTestUpload, TestCase } from '../../src/core/store/test-runs.ts';
import type { Db, Query } from '../db.ts';
import { toValueList } from '../value-lists.ts';
import { cases, packDetail, results } from './rows.ts';

/** Cases of one transaction: a few milliseconds. */
const portionCases = 50;
const siblingsMax = 50;
const unfinishedMs = hourMs;
const clearBatchSize = 20;

interface PositionedCase {
  readonly testCase: TestCase;
  readonly position: number;
  readonly flakyRule: TestCase['flakyRule'];
}

/** Answers how many cases are flaky, within this run or across runs. */
export async function writeResults(db: Db, uploadId: number, upload: NewTestUpload): Promise<number> {
  return writeCases(db, uploadId, upload, await siblingUploads(db, upload));
}

export function writeForeignResults(db: Db, uploadId: number, upload: NewTestUpload): Promise<number> {
  return writeCases(db, uploadId, upload, []);
}

async function writeCases(db: Db, uploadId: number, upload: NewTestUpload, siblings: readonly number[]) {
  let flaky = upload.cases.length === 0 ? upload.totals.flaky : 0;
  for (let from = 0; from < upload.cases.length; from += portionCases) {
    const cases = upload.cases.slice(from, from + portionCases);
    const opposites = await oppositeOutcomes(db, upload.projectId, siblings, cases);
    const positioned = cases.map((one, index): PositionedCase => {
      const isFlakyAcrossRuns = opposites.has(`${one.caseId} ${one.status}`);
      return {
        testCase: one,
        position: from + index,
        flakyRule: one.flakyRule ?? (isFlakyAcrossRuns ? 'across_runs' : null),
      };
    });
    flaky += positioned.filter((each) => each.flakyRule !== null).length;
    const bytes = cases.reduce(
      (sum, one) => sum + 500 + (one.message?.length ?? 0) + (one.trace?.length ?? 0),
      0,
    );
    await db.write((tx) => writePortion(tx, uploadId, upload, positioned), bytes);
  }
  return flaky;
}

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

/** Removes uploads of a process that ended in the middle; returns how many. */
export async function clearUnfinished(db: Db, nowMs: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const unfinished = await db.all<{ id: number }>(
      `SELECT id FROM test_uploads WHERE run_id IS NULL AND created_at_ms < $1 LIMIT ${clearBatchSize}`,
      [nowMs - unfinishedMs],
    );
    for (const { id } of unfinished) {
      await deleteResults(db, Number(id));
      await db.write((tx) => tx.run('DELETE FROM test_uploads WHERE id = $1 AND run_id IS NULL', [id]));
      removed += 1;
    }
    if (unfinished.length < clearBatchSize) return removed;
  }
}

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

/** "case status" of each case that had the opposite outcome in one of them. */
async function oppositeOutcomes(
  db: Db,
  projectId: number,
  siblings: readonly number[],
  cases: readonly TestCase[],
): Promise<Set<string>> {
  if (siblings.length === 0 || cases.length === 0) {
    return new Set();
  }
  const ids = toValueList(
    cases.map((one) => one.caseId),
    2,
  );
  const uploads = toValueList(siblings, 2 + ids.values.length);
  const rows = await db.all<{ case_id: string; status: string }>(
    `SELECT DISTINCT case_id, status FROM test_results
      WHERE project_id = $1 AND case_id IN (${ids.placeholders}) AND upload_id IN (${uploads.placeholders})
        AND status IN ('passed', 'failed')`,
    [projectId, ...ids.values, ...uploads.values],
  );
  return new Set(rows.map((row) => `${row.case_id} ${row.status === 'passed' ? 'failed' : 'passed'}`));
}

async function writePortion(
  tx: Query,
  uploadId: number,
  upload: NewTestUpload,
  positioned: readonly PositionedCase[],
): Promise<void> {
  await results.insertMany(
    tx,
    positioned.map((each) => resultRow(uploadId, upload.projectId, each)),
  );
  // Once a case: PostgreSQL refuses to change a row twice in one statement.
  const known = new Map<string, Parameters<typeof cases.insert>[1]>();
  const { projectId, nowMs } = upload;
  const seen = { projectId, firstSeenMs: nowMs, lastSeenMs: nowMs };
  for (const { testCase: one, flakyRule } of positioned) {
    const { caseId } = one;
    if (!known.has(caseId) || flakyRule !== null) {
      known.set(caseId, { ...seen, caseId, flakyRule, flakyAtMs: flakyRule === null ? null : nowMs });
    }
  }
  await cases.insertMany(tx, [...known.values()], onKnownCase);
}

/** Imports may be older than what is stored. */
const isNoNewFlake = 'excluded.flaky_at_ms IS NULL OR excluded.flaky_at_ms < test_cases.flaky_at_ms';
const onKnownCase = cases.mergeOn({
  key: ['projectId', 'caseId'],
  otherwise: 'kept',
  rules: {
    firstSeenMs: 'least',
    lastSeenMs: 'greatest',
    flakyRule: `SQL: CASE WHEN ${isNoNewFlake} THEN test_cases.flaky_rule ELSE excluded.flaky_rule END`,
    flakyAtMs: `SQL: CASE WHEN ${isNoNewFlake} THEN test_cases.flaky_at_ms ELSE excluded.flaky_at_ms END`,
  },
});

function resultRow(
  uploadId: number,
  projectId: number,
  { testCase: one, position, flakyRule }: PositionedCase,
) {
  const { caseId, name, file, status, kind, durationMs } = one;
  const suite = JSON.stringify(one.suite);
  return {
    ...{ uploadId, position, projectId, caseId, name, suite, file, status, kind, flakyRule, durationMs },
    severity: status === 'failed' ? 0 : flakyRule !== null ? 1 : status === 'skipped' ? 2 : 3,
    detail: packDetail(one),
    searchText: foldSearchTexts([name, suite, file]),
  };
}
