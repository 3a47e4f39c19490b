import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { TestCase, TestResult, TestRun, TestUpload } from '../../src/core/store/test-runs.ts';
import {
  absentAs,
  bytes,
  defaulted,
  integer,
  json,
  named,
  nullable,
  oneOf,
  type RowOf,
  tableOf,
  text,
} from '../table.ts';

const totals = {
  tests: integer,
  passed: integer,
  failed: integer,
  errors: integer,
  skipped: integer,
  flaky: integer,
};

export const upsertedRuns = tableOf('test_runs', {
  id: defaulted(integer),
  projectId: integer,
  runKey: nullable(text),
  status: oneOf<TestRun['status']>(),
  ...totals,
  durationMs: defaulted(nullable(integer)),
  release: nullable(text),
  environment: nullable(text),
  commit: named('commit_sha', nullable(text)),
  branch: nullable(text),
  repository: nullable(text),
  suite: nullable(text),
  tool: nullable(text),
  ci: nullable(text),
  build: nullable(json<NonNullable<TestRun['build']>>()),
  tags: nullable(json<NonNullable<TestRun['tags']>>()),
  metadata: nullable(json<NonNullable<TestRun['metadata']>>()),
  exitCode: nullable(integer),
  startedAtMs: nullable(integer),
  finishedAtMs: nullable(integer),
  createdAtMs: integer,
  updatedAtMs: integer,
  upserts: defaulted(integer),
  searchText: defaulted(nullable(text)),
}).without('searchText');
export const runs = upsertedRuns.without('upserts');
export const runColumns = runs.columns('r');

export function runOf(found: unknown): TestRun {
  return { ...runs.rowOf(found), shard: null };
}

export const uploads = tableOf('test_uploads', {
  id: defaulted(integer),
  projectId: integer,
  runId: defaulted(nullable(integer)),
  place: named('shard', text),
  shardName: nullable(text),
  format: text,
  status: oneOf<TestUpload['status']>(),
  ...totals,
  durationMs: nullable(integer),
  commit: named('commit_sha', absentAs('', text)),
  environment: absentAs('', text),
  suite: absentAs('', text),
  reported: nullable(json<NonNullable<TestUpload['reported']>>()),
  warnings: json<TestUpload['warnings']>(),
  createdAtMs: integer,
  replacedAtMs: defaulted(nullable(integer)),
}).without('projectId', 'runId', 'replacedAtMs');

export const digests = tableOf('test_upload_digests', {
  projectId: integer,
  digest: text,
  uploadId: integer,
  atMs: integer,
});

export const results = tableOf('test_results', {
  uploadId: integer,
  position: integer,
  projectId: integer,
  caseId: text,
  name: text,
  suite: text,
  file: nullable(text),
  status: oneOf<TestResult['status']>(),
  kind: nullable(oneOf<NonNullable<TestResult['kind']>>()),
  severity: integer,
  flakyRule: nullable(oneOf<NonNullable<TestResult['flakyRule']>>()),
  durationMs: nullable(integer),
  detail: bytes,
  searchText: nullable(text),
});

export const cases = tableOf('test_cases', {
  projectId: integer,
  caseId: text,
  firstSeenMs: integer,
  lastSeenMs: integer,
  flakyRule: nullable(oneOf<NonNullable<TestResult['flakyRule']>>()),
  flakyAtMs: nullable(integer),
});

const plainResults = results.only('caseId', 'name', 'file', 'kind', 'flakyRule', 'detail');

/** For statements that call results `t`, uploads `u` and cases `k`; the names do not clash with those of a run. */
export const resultColumns = `${plainResults.columns('t')}, t.suite AS "caseSuite", t.status AS "caseStatus",
  t.duration_ms AS "caseDurationMs", k.flaky_rule AS "caseFlakyRule", k.flaky_at_ms AS "caseFlakyAtMs",
  (SELECT q.until_ms FROM quarantined_cases q WHERE q.project_id = t.project_id AND q.case_id = t.case_id)
    AS "quarantinedUntilMs"`;

export interface ResultRow extends RowOf<typeof plainResults> {
  readonly caseSuite: string;
  readonly caseStatus: TestResult['status'];
  readonly caseDurationMs: number | null;
  readonly caseFlakyRule: TestResult['flakyRule'];
  readonly caseFlakyAtMs: number | null;
  readonly quarantinedUntilMs: number | null;
}

export function splitResult<Row extends ResultRow>(row: Row) {
  const { caseId, name, file, kind, flakyRule, caseFlakyRule, caseFlakyAtMs, quarantinedUntilMs, ...more } =
    row;
  const { caseSuite: suite, caseStatus: status, caseDurationMs: durationMs, detail, ...rest } = more;
  const known = { caseId, name, suite, file, status, kind, flakyRule, durationMs };
  const ofCase = { caseFlakyRule, caseFlakyAtMs, quarantinedUntilMs };
  const result: TestResult = { ...known, detail: unpackDetail(detail), ...ofCase };
  return { result, rest };
}

export function resultOf(row: ResultRow): TestResult {
  return splitResult(row).result;
}

/** Larger than any accepted case (about 200,000 characters). */
const detailBytesMax = 4 * 1024 * 1024;

/** Only the page of one case shows this, and it is most of the bytes. */
export function packDetail(one: TestCase): Uint8Array {
  const detail = {
    message: one.message,
    trace: one.trace,
    line: one.line,
    raw_status: one.rawStatus,
    retries: one.retries,
    configuration: one.configuration,
    stdout: one.stdout,
    stderr: one.stderr,
    attempts: one.attempts.map((attempt) => ({
      status: attempt.status,
      duration_ms: attempt.durationMs,
      message: attempt.message,
      trace: attempt.trace,
    })),
    steps: one.steps,
    tags: one.tags,
    properties: one.properties.map(([name, value]) => ({ name, value })),
  };
  // A small window: allocating the usual one takes longer than compressing.
  return deflateRawSync(JSON.stringify(detail), { level: 1, windowBits: 12, memLevel: 5, chunkSize: 4096 });
}

/** @throws where the bytes are damaged. */
function unpackDetail(packed: Uint8Array): string {
  return inflateRawSync(packed, { maxOutputLength: detailBytesMax }).toString('utf8');
}
