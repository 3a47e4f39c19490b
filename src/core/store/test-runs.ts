// Test runs and their cases as the store keeps them: types alone.
import type { TestRunStatus } from '../../../schemas/test-runs.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { ListWindow, Near, Page, Slice, Sliced } from './page.ts';

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
  /** Its place in the run, by which a part that comes again is known. */
  readonly place: string;
  readonly shardName: string | null;
  readonly commit: string | null;
  readonly environment: string | null;
  readonly suite: string | null;
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

/** An upload of another database, with its run as it was there. `nowMs` is when it came there. */
export interface ForeignUpload extends NewTestUpload {
  readonly foreign: {
    readonly run: RunFacts;
    readonly runCreatedAtMs: EpochMs;
    readonly takenAtMs: EpochMs;
  };
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

export interface TestRunStore extends TestRunLooks {
  /**
   * Files an upload: its cases in portions that nobody sees, then, in one transaction, the upload itself, its
   * place in the run and the run's totals. The same digest within a day changes nothing.
   */
  recordTestRun(upload: NewTestUpload): Promise<{ run: TestRun; outcome: RecordedOutcome }>;
  /** Files an upload of elsewhere as it was; false where it, or another in its place, is there already. */
  takeOverTestUpload(upload: ForeignUpload): Promise<boolean>;
  /** Whether there is a run of this key; of none, one that was made at this moment. */
  hasTestRun(projectId: number, runKey: string | null, createdAtMs: EpochMs): Promise<boolean>;
  /** The cases of an upload as `TestResult`s, in the order in which its report had them. */
  listUploadResults(uploadId: number): Promise<TestResult[]>;
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

/** How a run ended, as its mark says: a run that passed with a flaky case is `flaky`. */
export const runResults = ['failed', 'flaky', 'passed', 'empty'] as const;

export type RunResult = (typeof runResults)[number];

/** A run without what only its own page says. */
export type RunSketch = Pick<
  TestRun,
  'id' | 'projectId' | 'suite' | 'branch' | 'release' | 'status' | 'createdAtMs' | 'durationMs'
> &
  Totals;

export interface RunLookFilter {
  readonly result: RunResult | null;
  readonly branch: string | null;
  readonly search: string | null;
}

/** How a case ended, as its mark says: one that was flaky and passed is `flaky`. */
export const caseResults = ['failed', 'flaky', 'skipped', 'passed'] as const;

export type CaseResult = (typeof caseResults)[number];

/** A case's place among those of a run, failures first. */
export interface CaseNear {
  readonly severity: number;
  readonly uploadId: number;
  readonly position: number;
}

/** A case of a run, with its place in it. */
export interface PlacedResult {
  readonly result: TestResult;
  readonly near: CaseNear;
}

/** A case that failed or was flaky in one of some runs. */
interface TroubledCase {
  readonly projectId: number;
  readonly caseId: string;
  readonly name: string;
  readonly file: string | null;
}

/** How a case ended in a run; where it ran more than once there, each time. */
export interface CaseEnd {
  readonly runId: number;
  readonly caseId: string;
  readonly result: CaseResult;
}

/** What the pages ask, over one project or many; at most 1,000 projects, cases or runs are named at once. */
export interface TestRunLooks {
  sliceTestRuns(projectIds: readonly number[], filter: RunLookFilter, slice: Slice): Promise<Sliced<TestRun>>;
  /** How many runs ended how, `result` of the filter aside. */
  countTestRuns(projectIds: readonly number[], filter: RunLookFilter): Promise<Record<RunResult, number>>;
  /** The newest runs, newest first. */
  recentTestRuns(projectIds: readonly number[], limit: number): Promise<RunSketch[]>;
  /** Runs that name one of these versions in one of these projects, newest first; 100 of each at most. */
  testRunsOfReleases(
    projectIds: readonly number[],
    versions: readonly string[],
    limit: number,
  ): Promise<RunSketch[]>;
  /** A run by its number alone. */
  lookUpTestRun(testRunId: number): Promise<TestRun | null>;
  /** A run and those before it of the same project, suite and branch, newest first. */
  testRunsUpTo(run: TestRun, limit: number): Promise<RunSketch[]>;
  /** The next run of the same project, suite and branch. */
  testRunAfter(run: TestRun): Promise<RunSketch | null>;
  /** Cases of a run after a place, failures first. */
  walkTestResults(
    testRunId: number,
    filter: { readonly result: CaseResult | null; readonly search: string | null },
    after: CaseNear | null,
    limit: number,
  ): Promise<PlacedResult[]>;
  /** The cases of a run that took longest, those first. */
  slowestTestResults(testRunId: number, limit: number): Promise<TestResult[]>;
  /** Cases that failed or were flaky in one of these runs; the newest runs' first. */
  troubledCases(runIds: readonly number[], limit: number): Promise<TroubledCase[]>;
  /** How these cases ended in these runs of one project. */
  caseEnds(projectId: number, caseIds: readonly string[], runIds: readonly number[]): Promise<CaseEnd[]>;
  /** Of these projects those that have a case of this id. */
  projectsOfCase(projectIds: readonly number[], caseId: string): Promise<number[]>;
  /** The runs of a case, newest first; the place of one is the time and the number of its upload. */
  sliceCaseRuns(
    projectId: number,
    caseId: string,
    slice: Slice,
  ): Promise<Sliced<{ readonly run: TestRun; readonly result: TestResult; readonly near: Near }>>;
}
