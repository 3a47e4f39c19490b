import type { TestCaseView, TestRunView, TestUploadView } from '../../../schemas/test-runs.ts';
import { dayMs } from '../parsing/durations.ts';
import { type EpochMs, formatTime } from '../parsing/timestamps.ts';
import type { TestResult, TestRun, TestUpload } from '../store/test-runs.ts';

const flakyMs = 14 * dayMs;

export function viewTestRun(run: TestRun): TestRunView {
  return {
    test_run_id: run.id,
    status: run.status,
    tests: run.tests,
    passed: run.passed,
    failed: run.failed,
    errors: run.errors,
    skipped: run.skipped,
    flaky: run.flaky,
    duration_ms: run.durationMs,
    release: run.release,
    environment: run.environment,
    commit: run.commit,
    branch: run.branch,
    repository: run.repository,
    suite: run.suite,
    tool: run.tool,
    run_key: run.runKey,
    ci: run.ci,
    build: run.build,
    tags: run.tags,
    metadata: run.metadata,
    exit_code: run.exitCode,
    started_at: formatTime(run.startedAtMs),
    finished_at: formatTime(run.finishedAtMs),
    created_at: formatTime(run.createdAtMs),
    updated_at: formatTime(run.updatedAtMs),
  };
}

export function viewTestUpload(upload: TestUpload): TestUploadView {
  return {
    shard: upload.shardName,
    format: upload.format,
    status: upload.status,
    tests: upload.tests,
    passed: upload.passed,
    failed: upload.failed,
    skipped: upload.skipped,
    flaky: upload.flaky,
    duration_ms: upload.durationMs,
    reported: upload.reported,
    warnings: upload.warnings,
    created_at: formatTime(upload.createdAtMs),
  };
}

/** JSON representation of a case; at `nowMs` an old finding may no longer make it flaky. */
export function viewTestResult(result: TestResult, nowMs: EpochMs): TestCaseView {
  const { caseFlakyRule: rule, caseFlakyAtMs: at } = result;
  const stillFlaky = rule !== null && at !== null && nowMs - at <= flakyMs;
  return {
    case_id: result.caseId,
    name: result.name,
    suite: JSON.parse(result.suite),
    file: result.file,
    status: result.status,
    kind: result.kind,
    duration_ms: result.durationMs,
    flaky: result.flakyRule !== null,
    flaky_rule: result.flakyRule,
    case_flaky: stillFlaky ? { rule, last_at: formatTime(at) } : null,
    quarantined: result.quarantinedUntilMs !== null && result.quarantinedUntilMs > nowMs,
    ...JSON.parse(result.detail),
  };
}

export function viewCaseRun(run: TestRun, result: TestResult, nowMs: EpochMs): object {
  const { release, environment, commit, branch } = run;
  return {
    test_run_id: run.id,
    created_at: formatTime(run.createdAtMs),
    release,
    environment,
    commit,
    branch,
    run_suite: run.suite,
    ...viewTestResult(result, nowMs),
  };
}
