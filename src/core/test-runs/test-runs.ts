// The rules of test runs: what a report belongs to, how a run is judged, shards, repeats, flaky cases. No
// Express, no SQL.

import type { TestRunResponse, TestRunStatus } from '../../../schemas/test-runs.ts';
import type { Deps } from '../deps.ts';
import { invalidId } from '../errors.ts';
import type { ParsedReport } from '../ports/report-reader.ts';
import { dayMs } from '../reading/spans.ts';
import { type FieldKinds, scrubIdentity, scrubRecord } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import type { NewTestUpload, RecordedOutcome, ReportWarning, RunFacts, TestRun } from '../store/test-runs.ts';
import { readRunFacts } from './facts.ts';

/** A repeat of the same upload within this time is answered with the first. */
export const repeatMs = dayMs;

/**
 * Records a report that was read: judges it, places it in its run, notes which cases are flaky.
 * `created` is false for a repeat alone: a part of a run that came again was stored.
 * docs/test-reports.md, "Runs, shards, repeats".
 */
export async function recordTestRun(
  deps: Deps,
  project: Project,
  report: ParsedReport,
  digest: string,
): Promise<{ response: TestRunResponse; created: boolean }> {
  const { facts, warnings } = readRunFacts(report);
  const upload: NewTestUpload = {
    projectId: project.id,
    digest,
    facts: scrubFacts(facts, project),
    shard: scrubIdentity(placeOf(facts, report), project),
    format: report.format,
    status: judge(report, facts.exitCode),
    totals: report.totals,
    reported: report.reported,
    warnings: scrubWarnings([...report.warnings, ...warnings], project),
    cases: report.cases,
    nowMs: deps.now(),
  };
  const { run, outcome } = await deps.store.recordTestRun(upload);
  deps.log.info(
    { projectId: project.id, testRunId: run.id, cases: report.cases.length, outcome },
    'test run recorded',
  );
  return { response: responseOf(run, upload, outcome), created: outcome !== 'repeat' };
}

/** What a run belongs to, without secrets. */
export function scrubFacts(facts: RunFacts, project: Project): RunFacts {
  return scrubRecord(facts, factKinds, project);
}

/** What is said of a report, without the secrets in it. */
export function scrubWarnings(warnings: readonly ReportWarning[], project: Project): ReportWarning[] {
  return warnings.map((warning) => scrubRecord(warning, warningKinds, project));
}

const factKinds: FieldKinds<RunFacts> = {
  release: 'version',
  environment: 'text',
  commit: 'text',
  branch: 'text',
  repository: 'text',
  suite: 'text',
  tool: 'text',
  runKey: 'identity',
  shard: 'identity',
  ci: 'text',
  build: 'text',
  tags: 'text',
  metadata: 'text',
  exitCode: 'kept',
  startedAtMs: 'kept',
  finishedAtMs: 'kept',
  durationMs: 'kept',
};
const warningKinds: FieldKinds<ReportWarning> = { code: 'text', path: 'text', message: 'text' };

/** A run of this project; 404 for an id that names none here. */
export async function getTestRun(deps: Deps, project: Project, testRunId: number): Promise<TestRun> {
  const run = await deps.store.findTestRun(project.id, testRunId);
  if (run === null) {
    throw invalidId('test_run');
  }
  return run;
}

/**
 * Failed if any case failed, or the report says so of itself; error if it says that, or the exit code is not
 * 0 with nothing failed; empty if there is nothing in it; else passed.
 */
export function judge(
  report: Pick<ParsedReport, 'totals' | 'givenStatus'>,
  exitCode: number | null,
): TestRunStatus {
  const { totals, givenStatus } = report;
  if (totals.failed > 0 || givenStatus === 'failed') {
    return 'failed';
  }
  if (givenStatus === 'error' || (exitCode !== null && exitCode !== 0)) {
    return 'error';
  }
  return totals.tests === 0 && givenStatus !== 'passed' ? 'empty' : 'passed';
}

/** The status of a run from those of its parts: the worst of them. */
export function worstStatus(statuses: readonly TestRunStatus[]): TestRunStatus {
  const order: readonly TestRunStatus[] = ['failed', 'error', 'passed', 'empty'];
  return order.find((status) => statuses.includes(status)) ?? 'empty';
}

/**
 * A named shard is its own place. Without a name, reports of another suite, tool or root name stand beside
 * each other.
 */
function placeOf(facts: RunFacts, report: ParsedReport): string {
  return facts.shard === null
    ? `report:${JSON.stringify([facts.suite, facts.tool, report.reportName, report.format])}`
    : `shard:${facts.shard}`;
}

function responseOf(run: TestRun, upload: NewTestUpload, outcome: RecordedOutcome): TestRunResponse {
  const replaced: ReportWarning[] =
    outcome === 'replaced' && upload.facts.shard === null
      ? [
          {
            code: 'upload_replaced',
            path: 'run_key',
            message:
              'An earlier upload of this run was replaced. Use a separate shard for each part of a run.',
          },
        ]
      : [];
  return {
    accepted: true,
    test_run_id: run.id,
    status: run.status,
    tests: run.tests,
    passed: run.passed,
    failed: run.failed,
    skipped: run.skipped,
    flaky: run.flaky,
    duration_ms: run.durationMs ?? 0,
    ...(upload.reported === null ? {} : { reported: upload.reported }),
    ...(outcome === 'repeat' ? { duplicate: true as const } : {}),
    warnings: [...upload.warnings, ...replaced],
  };
}
