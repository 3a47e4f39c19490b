// Test reports are parsed as a stream (src/core/test-reports); the request schema only names members.
import { z } from 'zod';
import { collectionArguments } from './fields.ts';

const testRunStatuses = ['passed', 'failed', 'error', 'empty'] as const;
export type TestRunStatus = (typeof testRunStatuses)[number];

const anything = z.unknown().optional();

export const testRunRequest = z.looseObject({
  format: anything.describe('Format of report: ctrf or junit.'),
  report: anything.describe('A CTRF object, JUnit XML as text, or a list of them.'),
  results: anything.describe('A CTRF report.'),
  status: anything.describe('passed, failed or error, if there are no test cases.'),
  total: anything.describe('Number of tests, if there are no test cases.'),
  tests: anything.describe('Number of tests, or a list of test cases.'),
  passed: anything,
  failed: anything,
  skipped: anything,
  flaky: anything,
  release: anything.describe('At most 200 characters.'),
  environment: anything.describe('At most 64 characters.'),
  commit: anything.describe('At most 64 characters.'),
  branch: anything.describe('At most 255 characters.'),
  repository: anything.describe('At most 512 characters.'),
  suite: anything.describe('At most 200 characters.'),
  tool: anything.describe('At most 100 characters.'),
  run_key: anything.describe(
    'Key of the run: uploads with the same key are one run; at most 128 characters.',
  ),
  shard: anything.describe('Shard of the run; sending the same shard again replaces it.'),
  build: anything.describe('id, number, url, name.'),
  ci: anything.describe('At most 128 characters.'),
  started_at: anything,
  finished_at: anything,
  duration_ms: anything,
  exit_code: anything.describe('Exit code; if it is not 0 and no test case failed, the run is an error.'),
  tags: anything.describe('Tags: at most 50 names of 64 characters with values of 200 characters.'),
  metadata: anything.describe('At most 50 scalars, 16 KiB as JSON.'),
});

const ofBuildkite = z.record(z.string(), z.string()).optional();

/** A form without files: counts, and what else is said of the run. */
export const testRunFields = z.looseObject({
  ...testRunRequest.shape,
  tests: anything.describe('Number of tests.'),
  build: ofBuildkite.describe('id, number, url, name.'),
  tags: ofBuildkite.describe('At most 50 names of 64 characters with values of 200 characters.'),
  metadata: ofBuildkite.describe('At most 50 scalars, 16 KiB as JSON.'),
  run_env: ofBuildkite.describe(
    "Of Buildkite's collectors: key, CI, branch, commit_sha, url, number, job_id, name.",
  ),
});

const report = z.union([z.file(), z.string()]).describe('A report, as a file or as text.').optional();

/** Every file is a report, whatever its part is named. */
export const testRunForm = testRunFields.extend({ data: report, report }).catchall(z.file());

const testRunWarning = z.object({
  code: z.string(),
  path: z.string().optional(),
  message: z.string(),
});

export const testRunResponse = z.object({
  accepted: z.literal(true),
  test_run_id: z.number().int(),
  status: z.enum(testRunStatuses),
  tests: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  flaky: z.number().int(),
  duration_ms: z.number().int(),
  reported: z.record(z.string(), z.number()).optional(),
  duplicate: z.literal(true).optional(),
  warnings: z.array(testRunWarning).readonly(),
});
export type TestRunResponse = z.infer<typeof testRunResponse>;

export const testRunView = z.object({
  test_run_id: z.number().int(),
  status: z.enum(testRunStatuses),
  tests: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  errors: z.number().int(),
  skipped: z.number().int(),
  flaky: z.number().int(),
  duration_ms: z.number().int().nullable(),
  release: z.string().nullable(),
  environment: z.string().nullable(),
  commit: z.string().nullable(),
  branch: z.string().nullable(),
  repository: z.string().nullable(),
  suite: z.string().nullable(),
  tool: z.string().nullable(),
  run_key: z.string().nullable(),
  ci: z.string().nullable(),
  build: z.record(z.string(), z.unknown()).nullable(),
  tags: z.record(z.string(), z.unknown()).nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  exit_code: z.number().int().nullable(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
});
export type TestRunView = z.infer<typeof testRunView>;

const testUpload = z.object({
  shard: z.string().nullable(),
  format: z.string(),
  status: z.enum(testRunStatuses),
  tests: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  flaky: z.number().int(),
  duration_ms: z.number().int().nullable(),
  reported: z.record(z.string(), z.unknown()).nullable(),
  warnings: z.array(testRunWarning).readonly(),
  created_at: z.string().nullable(),
});
export type TestUploadView = z.infer<typeof testUpload>;

export const testCase = z.looseObject({
  case_id: z.string(),
  name: z.string(),
  suite: z.array(z.string()),
  file: z.string().nullable(),
  status: z.enum(['passed', 'failed', 'skipped']),
  /** For failures: failed assertion, or error in the test. */
  kind: z.enum(['failure', 'error']).nullable(),
  duration_ms: z.number().int().nullable(),
  flaky: z.boolean(),
  flaky_rule: z.enum(['same_run', 'across_runs']).nullable(),
  /** Across runs: flaky until 14 days after the last time. */
  case_flaky: z.object({ rule: z.string(), last_at: z.string().nullable() }).nullable(),
  /** Its failures are excused now. */
  quarantined: z.boolean(),
});
export type TestCaseView = z.infer<typeof testCase>;

const testRunOrders = ['created_at', 'duration_ms', 'failed', 'tests'] as const;
const caseStatuses = ['passed', 'failed', 'skipped'] as const;

export const testRunsQuery = z.looseObject({
  ...collectionArguments(testRunOrders),
  status: z.enum(testRunStatuses).describe('Limit results to runs with this status.').optional(),
  release: z.string().describe('Limit results to runs of this release.').optional(),
  commit: z.string().describe('Limit results to runs of this commit.').optional(),
  branch: z.string().describe('Limit results to runs of this branch.').optional(),
  run_key: z.string().describe('Limit results to the run of this key.').optional(),
});

const { page, per_page, search, order } = collectionArguments(['status']);

/** Failed cases come first. */
export const testRunQuery = z.looseObject({
  page,
  per_page: per_page.default(100),
  search,
  status: z.enum(caseStatuses).describe('Limit test cases to those with this status.').optional(),
});

export const caseRunsQuery = z.looseObject({ page, per_page, order });

export const testRunDetails = testRunView.extend({
  uploads: z.array(testUpload),
  cases: z.array(testCase),
});

export const caseRun = testCase.extend({
  test_run_id: z.number().int(),
  created_at: z.string().nullable(),
  release: z.string().nullable(),
  environment: z.string().nullable(),
  commit: z.string().nullable(),
  branch: z.string().nullable(),
  run_suite: z.string().nullable(),
});
