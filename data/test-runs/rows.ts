// Rows of test runs, uploads and cases, and what they are in the rules' words.
import type { TestResult, TestRun, TestUpload } from '../../src/core/store/test-runs.ts';
import { numberOrNull } from '../columns.ts';
import { unpackDetail } from './detail.ts';

/** Columns of a run; the table is called `r`. */
export const runColumns = `r.id, r.project_id, r.run_key, r.status, r.tests, r.passed, r.failed, r.errors, r.skipped, r.flaky,
  r.duration_ms, r.release, r.environment, r.commit_sha, r.branch, r.repository, r.suite, r.tool, r.ci, r.build, r.tags,
  r.metadata, r.exit_code, r.started_at_ms, r.finished_at_ms, r.created_at_ms, r.updated_at_ms`;

export interface RunRow {
  readonly id: number;
  readonly project_id: number;
  readonly run_key: string | null;
  readonly status: TestRun['status'];
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly skipped: number;
  readonly flaky: number;
  readonly duration_ms: number | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly commit_sha: string | null;
  readonly branch: string | null;
  readonly repository: string | null;
  readonly suite: string | null;
  readonly tool: string | null;
  readonly ci: string | null;
  readonly build: string | null;
  readonly tags: string | null;
  readonly metadata: string | null;
  readonly exit_code: number | null;
  readonly started_at_ms: number | null;
  readonly finished_at_ms: number | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

/** A run as the rules know it, from its row. */
export function runOf(row: RunRow): TestRun {
  return {
    id: Number(row.id),
    projectId: Number(row.project_id),
    runKey: row.run_key,
    // A run has no shard of its own: its uploads have.
    shard: null,
    status: row.status,
    ...totalsOf(row),
    durationMs: numberOrNull(row.duration_ms),
    release: row.release,
    environment: row.environment,
    commit: row.commit_sha,
    branch: row.branch,
    repository: row.repository,
    suite: row.suite,
    tool: row.tool,
    ci: row.ci,
    build: jsonOf(row.build),
    tags: jsonOf(row.tags),
    metadata: jsonOf(row.metadata),
    exitCode: numberOrNull(row.exit_code),
    startedAtMs: numberOrNull(row.started_at_ms),
    finishedAtMs: numberOrNull(row.finished_at_ms),
    createdAtMs: Number(row.created_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
  };
}

type TotalsRow = Pick<RunRow, 'tests' | 'passed' | 'failed' | 'errors' | 'skipped' | 'flaky'>;

export interface UploadRow extends TotalsRow {
  readonly id: number;
  readonly shard: string;
  readonly shard_name: string | null;
  readonly commit_sha: string;
  readonly environment: string;
  readonly suite: string;
  readonly format: string;
  readonly status: TestUpload['status'];
  readonly duration_ms: number | null;
  readonly reported: string | null;
  readonly warnings: string;
  readonly created_at_ms: number;
}

/** An upload as the rules know it, from its row. */
export function uploadOf(row: UploadRow): TestUpload {
  return {
    id: Number(row.id),
    place: row.shard,
    shardName: row.shard_name,
    // The columns take no null: what was not said has the empty text.
    commit: row.commit_sha || null,
    environment: row.environment || null,
    suite: row.suite || null,
    format: row.format,
    status: row.status,
    ...totalsOf(row),
    durationMs: numberOrNull(row.duration_ms),
    reported: jsonOf(row.reported),
    warnings: JSON.parse(row.warnings) as TestUpload['warnings'],
    createdAtMs: Number(row.created_at_ms),
  };
}

export interface ResultRow {
  readonly case_id: string;
  readonly name: string;
  readonly case_suite: string;
  readonly file: string | null;
  readonly case_status: TestResult['status'];
  readonly kind: TestResult['kind'];
  readonly flaky_rule: TestResult['flakyRule'];
  readonly case_duration_ms: number | null;
  readonly detail: Uint8Array;
  readonly known_flaky_rule: TestResult['caseFlakyRule'];
  readonly known_flaky_at_ms: number | null;
}

/**
 * Columns of a case in an upload; the tables are called `t` (case), `u` (upload) and `k` (what is known of
 * the case).
 */
export const resultColumns = `t.case_id, t.name, t.suite AS case_suite, t.file, t.status AS case_status, t.kind,
  t.flaky_rule, t.duration_ms AS case_duration_ms, t.detail, k.flaky_rule AS known_flaky_rule, k.flaky_at_ms AS known_flaky_at_ms`;

/** A case of a run as the rules know it, from its row. */
export function resultOf(row: ResultRow): TestResult {
  return {
    caseId: row.case_id,
    name: row.name,
    suite: row.case_suite,
    file: row.file,
    status: row.case_status,
    kind: row.kind,
    flakyRule: row.flaky_rule,
    durationMs: numberOrNull(row.case_duration_ms),
    detail: unpackDetail(row.detail),
    caseFlakyRule: row.known_flaky_rule,
    caseFlakyAtMs: numberOrNull(row.known_flaky_at_ms),
  };
}

/** The sums of a run or an upload. */
export function totalsOf(row: TotalsRow) {
  return {
    tests: Number(row.tests),
    passed: Number(row.passed),
    failed: Number(row.failed),
    errors: Number(row.errors),
    skipped: Number(row.skipped),
    flaky: Number(row.flaky),
  };
}

function jsonOf<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}
