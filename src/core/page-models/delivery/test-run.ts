import type { TestCaseView } from '../../../../schemas/test-runs.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import {
  type CaseCursor,
  type CaseResult,
  type CaseRunResult,
  caseResults,
  type RunSummary,
  type TestRun,
} from '../../store/test-runs.ts';
import { viewTestResult, viewTestUpload } from '../../test-runs/views.ts';
import { viewLinkedIncidents } from '../linked-incidents.ts';
import { enumParam, requireViewedProject, textParam } from '../list-params.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import { viewCaseDetail } from './case-detail.ts';
import { type ListedRun, runResult, viewListedRun } from './test-runs.ts';

/** Results in the last runs, oldest first; null if it did not run. */
export type CaseResultHistory = ReadonlyArray<CaseResult | null>;

export type FailureView = TestRunModel['failures'][number];

export type RunMark = ReturnType<typeof viewRunMark>;

export type MatrixRow = TestRunModel['troubled'][number];

export type TestRunModel = Awaited<ReturnType<typeof testRunModel>>;

export type CaseLine = ReturnType<typeof caseLine>;

export type RunCasesModel = Awaited<ReturnType<typeof runCasesModel>>;

const failuresShown = 10;
const lastRunsMax = 20;
const unstableMax = 25;
const slowestMax = 10;
const uploadsShown = 100;
const casesAPage = 100;

export async function testRunModel(context: RequestContext) {
  const { store } = context.deps;
  const { run, listed } = await findRun(context);
  const [last, newer, uploads, failed, slowest, incidents] = await Promise.all([
    store.testRunsUpTo(run, lastRunsMax),
    store.testRunAfter(run),
    store.listTestUploads(run.id),
    store.walkTestResults(run.id, { result: 'failed', search: null }, null, failuresShown),
    store.slowestTestResults(run.id, slowestMax),
    viewLinkedIncidents(context, 'test_run', [run.id]),
  ]);
  const runs = last.toReversed();
  const runIds = runs.map(({ id }) => id);
  const unstable = await store.listUnstableCases(runIds, unstableMax);
  const caseIds = [...failed.map(({ result }) => result.caseId), ...unstable.map(({ caseId }) => caseId)];
  const ends = resultsByCase(await store.caseEnds(run.projectId, [...new Set(caseIds)], runIds), runIds);
  return {
    run: listed,
    uploads: uploads.slice(0, uploadsShown).map(viewTestUpload),
    failures: failed.map(({ result }) => ({
      ...viewCaseDetail(viewTestResult(result, context.nowMs), 'short'),
      ends: ends(result.caseId),
    })),
    /** The previous run of the same project, suite and branch. */
    before: beforeOf(last[1]),
    newer_test_run_id: newer?.id ?? null,
    last_runs: runs.map(viewRunMark),
    troubled: unstable.map(({ caseId, name, file }) => ({ case_id: caseId, name, file, ends: ends(caseId) })),
    slowest: slowest.map((result) => caseLine(viewTestResult(result, context.nowMs))),
    ...incidents,
  };
}

export async function runCasesModel(context: RequestContext) {
  const { run, listed } = await findRun(context);
  const filters = { result: enumParam(context, 'result', caseResults), q: textParam(context, 'q') };
  const found = await context.deps.store.walkTestResults(
    run.id,
    { result: filters.result, search: filters.q },
    readCaseCursor(context.query.get('after')),
    casesAPage + 1,
  );
  const shown = found.slice(0, casesAPage);
  const last = shown.at(-1)?.near;
  const isMore = found.length > casesAPage && last !== undefined;
  return {
    run: listed,
    filters,
    cases: shown.map(({ result }) => caseLine(viewTestResult(result, context.nowMs))),
    more: isMore ? `${last.severity}-${last.uploadId}-${last.position}` : null,
  };
}

export function viewRunMark(run: RunSummary) {
  return { test_run_id: run.id, created_at: formatTime(run.createdAtMs), result: runResult(run) };
}

export function caseResult({ status, flaky }: Pick<TestCaseView, 'status' | 'flaky'>): CaseResult {
  return status === 'failed' ? 'failed' : flaky ? 'flaky' : status;
}

async function findRun(context: RequestContext): Promise<{ run: TestRun; listed: ListedRun }> {
  const subject = 'A test run with this number';
  const run = await context.deps.store.findTestRunAnywhere(pathId(context, 'test_run_id', subject));
  if (run === null) throw pageNotFound(subject);
  return { run, listed: viewListedRun(run, requireViewedProject(context, run.projectId, subject)) };
}

function beforeOf(run: RunSummary | undefined) {
  if (run === undefined) return null;
  const { tests, failed, skipped, flaky, durationMs } = run;
  return { ...viewRunMark(run), tests, failed, skipped, flaky, duration_ms: durationMs };
}

function caseLine(view: TestCaseView) {
  const { case_id, name, suite, file, duration_ms, status, flaky, quarantined } = view;
  return { case_id, name, suite, file, duration_ms, status, flaky, quarantined, result: caseResult(view) };
}

function readCaseCursor(text: string | null): CaseCursor | null {
  const [, severity, uploadId, position] = /^([0-3])-(\d{1,15})-(\d{1,9})$/.exec(text ?? '') ?? [];
  if (severity === undefined) return null;
  return { severity: Number(severity), uploadId: Number(uploadId), position: Number(position) };
}

/** Results of a case in the order of `runIds`; the worst one if it ran several times. */
export function resultsByCase(
  ends: readonly CaseRunResult[],
  runIds: readonly number[],
): (caseId: string) => Array<CaseResult | null> {
  const worst = new Map<string, CaseResult>();
  for (const { caseId, runId, result } of ends) {
    const key = `${runId} ${caseId}`;
    const before = worst.get(key);
    if (before === undefined || caseResults.indexOf(result) < caseResults.indexOf(before)) {
      worst.set(key, result);
    }
  }
  return (caseId) => runIds.map((runId) => worst.get(`${runId} ${caseId}`) ?? null);
}
