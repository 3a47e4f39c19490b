// Test runs and their cases as the store keeps them: types alone.
import type { TestRunStatus } from '../../../schemas/test-runs.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { ListWindow, Page } from './page.ts';

export type CaseStatus = 'passed' | 'failed' | 'skipped';

export type FailureKind = 'failure' | 'error';

export type ReportFormat = 'ctrf' | 'junit' | 'flat';

/**
 * Which rule called a case flaky: within one run, or across runs of one commit. docs/test-reports.md,
 * "Flaky".
 */
type FlakyRule = 'same_run' | 'across_runs';

export interface Attempt {
  readonly status: CaseStatus;
  readonly durationMs: number | null;
  readonly message: string | null;
  readonly trace: string | null;
}

/** One case, bounded. */
export interface TestCase {
  readonly caseId: string;
  readonly name: string;
  /** From the outermost suite to the innermost. */
  readonly suite: readonly string[];
  readonly file: string | null;
  readonly line: number | null;
  readonly status: CaseStatus;
  readonly kind: FailureKind | null;
  /** The reporter's own word, where it was another. */
  readonly rawStatus: string | null;
  readonly durationMs: number | null;
  readonly retries: number;
  readonly flakyRule: FlakyRule | null;
  readonly message: string | null;
  readonly trace: string | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
  readonly attempts: readonly Attempt[];
  readonly steps: ReadonlyArray<{ readonly name: string; readonly status: CaseStatus }>;
  readonly tags: readonly string[];
  readonly properties: ReadonlyArray<readonly [string, string]>;
  /** Browser, device or host that tells apart cases of one name. */
  readonly configuration: string | null;
}

export interface ReportWarning {
  readonly code: string;
  readonly path?: string;
  readonly message: string;
}

export interface Totals {
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  /** Of the failed: those that broke rather than failed an assertion. */
  readonly errors: number;
  readonly skipped: number;
  readonly flaky: number;
}

/** The report's own totals, as it gave them. */
export type ReportedTotals = Readonly<Record<string, number>>;

export interface RunFacts {
  readonly release: string | null;
  readonly environment: string | null;
  readonly commit: string | null;
  readonly branch: string | null;
  readonly repository: string | null;
  readonly suite: string | null;
  readonly tool: string | null;
  readonly runKey: string | null;
  readonly shard: string | null;
  readonly ci: string | null;
  readonly build: Readonly<Record<string, string>> | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly exitCode: number | null;
  readonly startedAtMs: EpochMs | null;
  readonly finishedAtMs: EpochMs | null;
  readonly durationMs: number | null;
}

export interface TestRun extends RunFacts, Totals {
  readonly id: number;
  readonly projectId: number;
  readonly status: TestRunStatus;
  readonly createdAtMs: EpochMs;
  readonly updatedAtMs: EpochMs;
}

export interface TestUpload extends Totals {
  readonly id: number;
  readonly shardName: string | null;
  readonly format: string;
  readonly status: TestRunStatus;
  readonly durationMs: number | null;
  readonly reported: ReportedTotals | null;
  readonly warnings: readonly ReportWarning[];
  readonly createdAtMs: EpochMs;
}

export interface NewTestUpload {
  readonly projectId: number;
  /** sha256 of the upload and of what was said beside it. */
  readonly digest: string;
  readonly facts: RunFacts;
  /** The place of the upload in its run: the same place again replaces what is there. */
  readonly shard: string;
  readonly format: string;
  readonly status: TestRunStatus;
  readonly totals: Totals;
  readonly reported: ReportedTotals | null;
  readonly warnings: readonly ReportWarning[];
  readonly cases: readonly TestCase[];
  readonly nowMs: EpochMs;
}

/**
 * `created`: a new run; `added`: a new part of a run; `replaced`: a part came again; `repeat`: nothing was
 * stored.
 */
export type RecordedOutcome = 'created' | 'added' | 'replaced' | 'repeat';

export interface TestResult {
  readonly caseId: string;
  readonly name: string;
  readonly suite: string;
  readonly file: string | null;
  readonly status: TestCase['status'];
  readonly kind: TestCase['kind'];
  readonly flakyRule: FlakyRule | null;
  readonly durationMs: number | null;
  readonly detail: string;
  readonly caseFlakyRule: FlakyRule | null;
  readonly caseFlakyAtMs: EpochMs | null;
}

export interface TestRunFilter extends ListWindow {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly release?: string | undefined;
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly runKey?: string | undefined;
  readonly orderBy: 'created_at' | 'duration_ms' | 'failed' | 'tests';
  readonly descending: boolean;
}

export interface TestRunStore {
  /**
   * Files an upload: its cases in portions that nobody sees, then, in one transaction, the upload itself, its
   * place in the run and the run's totals. The same digest within a day changes nothing.
   */
  recordTestRun(upload: NewTestUpload): Promise<{ run: TestRun; outcome: RecordedOutcome }>;
  findTestRun(projectId: number, testRunId: number): Promise<TestRun | null>;
  listTestRuns(projectId: number, filter: TestRunFilter): Promise<Page<TestRun>>;
  /** The uploads of a run, oldest first, at most 1,000. */
  listTestUploads(testRunId: number): Promise<TestUpload[]>;
  /** Cases of a run: failures, then flaky ones, then skipped, then passed. */
  listTestResults(
    testRunId: number,
    filter: ListWindow & { status?: string | undefined; search?: string | undefined },
  ): Promise<Page<TestResult>>;
  /** The runs of a case, newest first unless `descending` is false. */
  listCaseRuns(
    projectId: number,
    caseId: string,
    filter: ListWindow & { descending: boolean },
  ): Promise<Page<{ run: TestRun; result: TestResult }>>;
}
