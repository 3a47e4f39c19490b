// Test reports are parsed as a stream (src/core/test-reports); the request schema only names members.
import { z } from 'zod';
import { collectionArguments } from './collection.ts';

const testRunStatuses = ['passed', 'failed', 'error', 'empty'] as const;
export type TestRunStatus = (typeof testRunStatuses)[number];

/** For OPTIONS and the namespace index; the parser validates. */
export const testRunRequest = z.looseObject({
  format: z.unknown().optional().describe('Format of report: ctrf or junit.'),
  report: z.unknown().optional().describe('A CTRF object, JUnit XML as text, or a list of them.'),
  results: z.unknown().optional().describe('A CTRF report.'),
  status: z.unknown().optional().describe('passed, failed or error, if there are no test cases.'),
  total: z.unknown().optional().describe('Number of tests, if there are no test cases.'),
  tests: z.unknown().optional().describe('Number of tests, or a list of test cases.'),
  passed: z.unknown().optional(),
  failed: z.unknown().optional(),
  skipped: z.unknown().optional(),
  flaky: z.unknown().optional(),
  release: z.unknown().optional().describe('At most 200 characters.'),
  environment: z.unknown().optional().describe('At most 64 characters.'),
  commit: z.unknown().optional().describe('At most 64 characters.'),
  branch: z.unknown().optional().describe('At most 255 characters.'),
  repository: z.unknown().optional().describe('At most 512 characters.'),
  suite: z.unknown().optional().describe('At most 200 characters.'),
  tool: z.unknown().optional().describe('At most 100 characters.'),
  run_key: z
    .unknown()
    .optional()
    .describe('Key of the run: uploads with the same key are one run; at most 128 characters.'),
  shard: z.unknown().optional().describe('Shard of the run; sending the same shard again replaces it.'),
  build: z.unknown().optional().describe('id, number, url, name.'),
  ci: z.unknown().optional().describe('At most 128 characters.'),
  started_at: z.unknown().optional(),
  finished_at: z.unknown().optional(),
  duration_ms: z.unknown().optional(),
  exit_code: z
    .unknown()
    .optional()
    .describe('Exit code; if it is not 0 and no test case failed, the run is an error.'),
  tags: z
    .unknown()
    .optional()
    .describe('Tags: at most 50 names of 64 characters with values of 200 characters.'),
  metadata: z.unknown().optional().describe('At most 50 scalars, 16 KiB as JSON.'),
});

interface TestRunWarning {
  readonly code: string;
  readonly path?: string;
  readonly message: string;
}

export interface TestRunResponse {
  readonly accepted: true;
  readonly test_run_id: number;
  readonly status: TestRunStatus;
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly flaky: number;
  readonly duration_ms: number;
  readonly reported?: Readonly<Record<string, number>>;
  readonly duplicate?: true;
  readonly warnings: readonly TestRunWarning[];
}

export interface TestRunView {
  readonly test_run_id: number;
  readonly status: TestRunStatus;
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly skipped: number;
  readonly flaky: number;
  readonly duration_ms: number | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly commit: string | null;
  readonly branch: string | null;
  readonly repository: string | null;
  readonly suite: string | null;
  readonly tool: string | null;
  readonly run_key: string | null;
  readonly ci: string | null;
  readonly build: unknown;
  readonly tags: unknown;
  readonly metadata: unknown;
  readonly exit_code: number | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

export interface TestUploadView {
  readonly shard: string | null;
  readonly format: string;
  readonly status: TestRunStatus;
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly flaky: number;
  readonly duration_ms: number | null;
  readonly reported: unknown;
  readonly warnings: unknown;
  readonly created_at: string | null;
}

export interface TestCaseView {
  readonly case_id: string;
  readonly name: string;
  readonly suite: unknown;
  readonly file: string | null;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** For failures: failed assertion, or error in the test. */
  readonly kind: 'failure' | 'error' | null;
  readonly duration_ms: number | null;
  readonly flaky: boolean;
  readonly flaky_rule: 'same_run' | 'across_runs' | null;
  /** Across runs: flaky until 14 days after the last time. */
  readonly case_flaky: { readonly rule: string; readonly last_at: string | null } | null;
  /** Its failures are excused now. */
  readonly quarantined: boolean;
  readonly [detail: string]: unknown;
}

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
