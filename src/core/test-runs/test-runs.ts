import type { TestRunResponse, TestRunStatus } from '../../../schemas/test-runs.ts';
import type { Deps } from '../deps.ts';
import { createNotFoundError } from '../errors.ts';
import { dayMs } from '../parsing/durations.ts';
import type { ParsedTestReport } from '../ports/test-report-reader.ts';
import { type FieldKinds, scrubIdentity, scrubRecord } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import type {
  NewTestUpload,
  RecordedOutcome,
  ReportWarning,
  RunDetails,
  TestRun,
} from '../store/test-runs.ts';
import { readRunDetails } from './run-details.ts';

/** The same upload within this time is not stored again. */
export const duplicateWindowMs = dayMs;

/** `created` is false only for a repeat. docs/test-reports.md, "Runs, shards, repeats". */
export async function recordTestRun(
  deps: Deps,
  project: Project,
  report: ParsedTestReport,
  digest: string,
): Promise<{ response: TestRunResponse; created: boolean }> {
  const { facts, warnings } = readRunDetails(report);
  const upload: NewTestUpload = {
    projectId: project.id,
    digest,
    facts: scrubRunDetails(facts, project),
    shard: scrubIdentity(shardKeyOf(facts, report), project),
    format: report.format,
    status: computeRunStatus(report, facts.exitCode),
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

export function scrubRunDetails(facts: RunDetails, project: Project): RunDetails {
  return scrubRecord(facts, factKinds, project);
}

/** A copy of the warnings without secrets, since they may quote the report. */
export function scrubWarnings(warnings: readonly ReportWarning[], project: Project): ReportWarning[] {
  return warnings.map((warning) => scrubRecord(warning, warningKinds, project));
}

const factKinds: FieldKinds<RunDetails> = {
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

/** @throws 404 */
export async function getTestRun(deps: Deps, project: Project, testRunId: number): Promise<TestRun> {
  const run = await deps.store.findTestRun(project.id, testRunId);
  if (run === null) {
    throw createNotFoundError('test_run');
  }
  return run;
}

/** Failed by a case or the report; error by the report or an exit code not 0; empty without tests; else passed. */
export function computeRunStatus(
  report: Pick<ParsedTestReport, 'totals' | 'givenStatus'>,
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

export function worstStatus(statuses: readonly TestRunStatus[]): TestRunStatus {
  const order: readonly TestRunStatus[] = ['failed', 'error', 'passed', 'empty'];
  return order.find((status) => statuses.includes(status)) ?? 'empty';
}

function shardKeyOf(facts: RunDetails, report: ParsedTestReport): string {
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
