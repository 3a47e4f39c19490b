import type { TestRunStatus } from '../../../schemas/test-runs.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { CursorPage, CursorWindow, OffsetWindow, Page, TimeCursor } from './pagination.ts';

export type CaseStatus = 'passed' | 'failed' | 'skipped';

export type FailureKind = 'failure' | 'error';

export type ReportFormat = 'ctrf' | 'junit' | 'flat';

/** See docs/test-reports.md, "Flaky". */
type FlakyRule = 'same_run' | 'across_runs';

export interface Attempt {
  readonly status: CaseStatus;
  readonly durationMs: number | null;
  readonly message: string | null;
  readonly trace: string | null;
}

export interface TestCase {
  readonly caseId: string;
  readonly name: string;
  readonly suite: readonly string[];
  readonly file: string | null;
  readonly line: number | null;
  readonly status: CaseStatus;
  readonly kind: FailureKind | null;
  /** The reporter's own status where it differs. */
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
  /** Browser, device or host that distinguishes cases of the same name. */
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
  readonly errors: number;
  readonly skipped: number;
  readonly flaky: number;
}

export type ReportedTotals = Readonly<Record<string, number>>;

export interface RunDetails {
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

export interface TestRun extends RunDetails, Totals {
  readonly id: number;
  readonly projectId: number;
  readonly status: TestRunStatus;
  readonly createdAtMs: EpochMs;
  readonly updatedAtMs: EpochMs;
}

export interface TestUpload
  extends Totals,
    Pick<RunDetails, 'commit' | 'environment' | 'suite' | 'durationMs'> {
  readonly id: number;
  /** Shard of the run: a part uploaded again is recognised by it. */
  readonly place: string;
  readonly shardName: string | null;
  readonly format: string;
  readonly status: TestRunStatus;
  readonly reported: ReportedTotals | null;
  readonly warnings: readonly ReportWarning[];
  readonly createdAtMs: EpochMs;
}

export interface NewTestUpload {
  readonly projectId: number;
  readonly digest: string;
  readonly facts: RunDetails;
  /** An upload of the same shard replaces the earlier one. */
  readonly shard: string;
  readonly format: string;
  readonly status: TestRunStatus;
  readonly totals: Totals;
  readonly reported: ReportedTotals | null;
  readonly warnings: readonly ReportWarning[];
  readonly cases: readonly TestCase[];
  readonly nowMs: EpochMs;
}

/** `nowMs` is when the other database received it. */
export interface ImportedUpload extends NewTestUpload {
  readonly foreign: {
    readonly run: RunDetails;
    readonly runCreatedAtMs: EpochMs;
    readonly takenAtMs: EpochMs;
  };
}

/** `added`: a new part of a run. `replaced`: a part was uploaded again. `repeat`: nothing was stored. */
export type RecordedOutcome = 'created' | 'added' | 'replaced' | 'repeat';

export interface TestResult
  extends Pick<TestCase, 'caseId' | 'name' | 'file' | 'status' | 'kind' | 'flakyRule' | 'durationMs'> {
  readonly suite: string;
  readonly detail: string;
  readonly caseFlakyRule: FlakyRule | null;
  readonly caseFlakyAtMs: EpochMs | null;
  /** May be past. */
  readonly quarantinedUntilMs: EpochMs | null;
}

interface TestRunFilter extends OffsetWindow {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly release?: string | undefined;
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly runKey?: string | undefined;
  readonly orderBy: 'created_at' | 'duration_ms' | 'failed' | 'tests';
  readonly descending: boolean;
}

export interface TestRunStore extends TestRunPageStore, QuarantineStore {
  /** The cases become visible in one transaction. A digest that was stored within a day changes nothing. */
  recordTestRun(upload: NewTestUpload): Promise<{ run: TestRun; outcome: RecordedOutcome }>;
  /** False where the upload, or another one of the same shard, exists. */
  importTestUploadRecord(upload: ImportedUpload): Promise<boolean>;
  hasTestRun(projectId: number, runKey: string | null, createdAtMs: EpochMs): Promise<boolean>;
  listUploadResults(uploadId: number): Promise<TestResult[]>;
  findTestRun(projectId: number, testRunId: number): Promise<TestRun | null>;
  listTestRuns(projectId: number, filter: TestRunFilter): Promise<Page<TestRun>>;
  listTestUploads(testRunId: number): Promise<TestUpload[]>;
  /** Failed first, then flaky, skipped, passed. */
  listTestResults(
    testRunId: number,
    filter: OffsetWindow & { status?: string | undefined; search?: string | undefined },
  ): Promise<Page<TestResult>>;
  listCaseRuns(
    projectId: number,
    caseId: string,
    filter: OffsetWindow & { descending: boolean },
  ): Promise<Page<{ run: TestRun; result: TestResult }>>;
}

/** A run that passed with a flaky case is `flaky`. */
export const runResults = ['failed', 'flaky', 'passed', 'empty'] as const;

export type RunResult = (typeof runResults)[number];

export type RunSummary = Pick<
  TestRun,
  'id' | 'projectId' | 'suite' | 'branch' | 'release' | 'status' | 'createdAtMs' | 'durationMs'
> &
  Totals;

export interface RunPageFilter {
  readonly result: RunResult | null;
  readonly branch: string | null;
  readonly search: string | null;
}

/** A flaky case that passed in the end is `flaky`. */
export const caseResults = ['failed', 'flaky', 'skipped', 'passed'] as const;

export type CaseResult = (typeof caseResults)[number];

export interface CaseCursor {
  readonly severity: number;
  readonly uploadId: number;
  readonly position: number;
}

export interface ResultWithCursor {
  readonly result: TestResult;
  readonly near: CaseCursor;
}

interface UnstableCase extends Pick<TestCase, 'caseId' | 'name' | 'file'> {
  readonly projectId: number;
}

/** A case that ran several times in a run has one entry for each. */
export interface CaseRunResult {
  readonly runId: number;
  readonly caseId: string;
  readonly result: CaseResult;
}

/** At most 1,000 projects, cases or runs at once. */
export interface TestRunPageStore {
  listTestRunPage(
    projectIds: readonly number[],
    filter: RunPageFilter,
    slice: CursorWindow,
  ): Promise<CursorPage<TestRun>>;
  countTestRuns(projectIds: readonly number[], filter: RunPageFilter): Promise<Record<RunResult, number>>;
  recentTestRuns(projectIds: readonly number[], limit: number): Promise<RunSummary[]>;
  testRunsOfReleases(
    projectIds: readonly number[],
    versions: readonly string[],
    limit: number,
  ): Promise<RunSummary[]>;
  findTestRunAnywhere(testRunId: number): Promise<TestRun | null>;
  testRunsUpTo(run: TestRun, limit: number): Promise<RunSummary[]>;
  testRunAfter(run: TestRun): Promise<RunSummary | null>;
  walkTestResults(
    testRunId: number,
    filter: { readonly result: CaseResult | null; readonly search: string | null },
    after: CaseCursor | null,
    limit: number,
  ): Promise<ResultWithCursor[]>;
  slowestTestResults(testRunId: number, limit: number): Promise<TestResult[]>;
  listUnstableCases(runIds: readonly number[], limit: number): Promise<UnstableCase[]>;
  caseEnds(
    projectId: number,
    caseIds: readonly string[],
    runIds: readonly number[],
  ): Promise<CaseRunResult[]>;
  projectsOfCase(projectIds: readonly number[], caseId: string): Promise<number[]>;
  /** Newest first; the position is the time and id of the upload. */
  listCaseRunPage(
    projectId: number,
    caseId: string,
    slice: CursorWindow,
  ): Promise<CursorPage<{ readonly run: TestRun; readonly result: TestResult; readonly near: TimeCursor }>>;
}

export interface QuarantinedCase {
  readonly id: number;
  readonly projectId: number;
  readonly caseId: string;
  readonly name: string;
  /** JSON list, as in `TestResult`. */
  readonly suite: string;
  readonly file: string | null;
  readonly reason: string;
  readonly issueId: number | null;
  readonly untilMs: EpochMs;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
}

export interface QuarantineStore {
  /** Those that have not ended at `nowMs`, the next to end first, at most `quarantinedCasesMax`. */
  listQuarantinedCases(projectId: number, nowMs: EpochMs): Promise<QuarantinedCase[]>;
  /** Null for one that has ended. */
  findQuarantinedCase(projectId: number, caseId: string, nowMs: EpochMs): Promise<QuarantinedCase | null>;
  /** Replaces an entry of the same case. */
  putQuarantinedCase(entry: Omit<QuarantinedCase, 'id'>): Promise<QuarantinedCase>;
  removeQuarantinedCase(projectId: number, id: number): Promise<QuarantinedCase | null>;
  removeEndedQuarantine(projectId: number, nowMs: EpochMs): Promise<void>;
}

export const quarantinedCasesMax = 500;
