import type { TestCaseView, TestUploadView } from '../../../../schemas/test-runs.ts';
import { momentText } from '../../reading/moments.ts';
import {
  type CaseEnd,
  type CaseNear,
  type CaseResult,
  caseResults,
  type RunResult,
  type RunSketch,
  type TestRun,
} from '../../store/test-runs.ts';
import { viewTestResult, viewTestUpload } from '../../test-runs/views.ts';
import { type IncidentOfView, incidentsOf } from '../incidents-of.ts';
import { notHere, pathNumber, type Visit } from '../visit.ts';
import { type CaseDetail, caseDetail } from './case-detail.ts';
import { askedText, askedWord, projectOf } from './lists.ts';
import { type ListedRun, listedRun, resultOfRun } from './test-runs.ts';

/** Results in the last runs, oldest first; null if it did not run. */
export type CaseEnds = ReadonlyArray<CaseResult | null>;

export interface FailureView extends CaseDetail {
  readonly ends: CaseEnds;
}

export interface RunMark {
  readonly test_run_id: number;
  readonly created_at: string;
  readonly result: RunResult;
}

export interface MatrixRow {
  readonly case_id: string;
  readonly name: string;
  readonly file: string | null;
  readonly ends: CaseEnds;
}

export interface TestRunModel {
  readonly run: ListedRun;
  readonly uploads: readonly TestUploadView[];
  readonly failures: readonly FailureView[];
  /** The previous run of the same project, suite and branch. */
  readonly before: (RunMark & Pick<RunSketch, 'tests' | 'failed' | 'skipped' | 'flaky'> & Took) | null;
  readonly newer_test_run_id: number | null;
  readonly last_runs: readonly RunMark[];
  readonly troubled: readonly MatrixRow[];
  readonly slowest: readonly CaseLine[];
  readonly incidents?: readonly IncidentOfView[];
}

interface Took {
  readonly duration_ms: number | null;
}

export type CaseLine = Pick<
  TestCaseView,
  'case_id' | 'name' | 'suite' | 'file' | 'duration_ms' | 'status' | 'flaky'
> & { readonly result: CaseResult };

export interface RunCasesModel {
  readonly run: ListedRun;
  readonly asked: { readonly result: CaseResult | null; readonly q: string | null };
  readonly cases: readonly CaseLine[];
  readonly more: string | null;
}

const failuresShown = 10;
const lastRunsMax = 20;
const troubledMax = 25;
const slowestMax = 10;
const uploadsShown = 100;
const casesAPage = 100;

export async function testRunModel(visit: Visit): Promise<TestRunModel> {
  const { store } = visit.deps;
  const { run, listed } = await runOf(visit);
  const [last, newer, uploads, failed, slowest, incidents] = await Promise.all([
    store.testRunsUpTo(run, lastRunsMax),
    store.testRunAfter(run),
    store.listTestUploads(run.id),
    store.walkTestResults(run.id, { result: 'failed', search: null }, null, failuresShown),
    store.slowestTestResults(run.id, slowestMax),
    incidentsOf(visit, 'test_run', [run.id]),
  ]);
  const runs = last.toReversed();
  const runIds = runs.map(({ id }) => id);
  const troubled = await store.troubledCases(runIds, troubledMax);
  const wanted = [...failed.map(({ result }) => result.caseId), ...troubled.map(({ caseId }) => caseId)];
  const ends = endsByCase(await store.caseEnds(run.projectId, [...new Set(wanted)], runIds), runIds);
  return {
    run: listed,
    uploads: uploads.slice(0, uploadsShown).map(viewTestUpload),
    failures: failed.map(({ result }) => ({
      ...caseDetail(viewTestResult(result, visit.nowMs), 'short'),
      ends: ends(result.caseId),
    })),
    before: beforeOf(last[1]),
    newer_test_run_id: newer?.id ?? null,
    last_runs: runs.map(runMark),
    troubled: troubled.map(({ caseId, name, file }) => ({ case_id: caseId, name, file, ends: ends(caseId) })),
    slowest: slowest.map((result) => caseLine(viewTestResult(result, visit.nowMs))),
    ...incidents,
  };
}

export async function runCasesModel(visit: Visit): Promise<RunCasesModel> {
  const { run, listed } = await runOf(visit);
  const asked = { result: askedWord(visit, 'result', caseResults), q: askedText(visit, 'q') };
  const found = await visit.deps.store.walkTestResults(
    run.id,
    { result: asked.result, search: asked.q },
    caseNear(visit.query.get('after')),
    casesAPage + 1,
  );
  const shown = found.slice(0, casesAPage);
  const last = shown.at(-1)?.near;
  const isMore = found.length > casesAPage && last !== undefined;
  return {
    run: listed,
    asked,
    cases: shown.map(({ result }) => caseLine(viewTestResult(result, visit.nowMs))),
    more: isMore ? `${last.severity}-${last.uploadId}-${last.position}` : null,
  };
}

export function runMark(run: RunSketch): RunMark {
  return { test_run_id: run.id, created_at: momentText(run.createdAtMs), result: resultOfRun(run) };
}

export function resultOfCase({ status, flaky }: Pick<TestCaseView, 'status' | 'flaky'>): CaseResult {
  return status === 'failed' ? 'failed' : flaky ? 'flaky' : status;
}

async function runOf(visit: Visit): Promise<{ run: TestRun; listed: ListedRun }> {
  const what = 'A test run with this number';
  const run = await visit.deps.store.lookUpTestRun(pathNumber(visit, 'test_run_id', what));
  if (run === null) throw notHere(what);
  return { run, listed: listedRun(run, projectOf(visit, run.projectId, what)) };
}

function beforeOf(run: RunSketch | undefined): TestRunModel['before'] {
  if (run === undefined) return null;
  const { tests, failed, skipped, flaky, durationMs } = run;
  return { ...runMark(run), tests, failed, skipped, flaky, duration_ms: durationMs };
}

function caseLine(view: TestCaseView): CaseLine {
  const { case_id: id, name, suite, file, duration_ms: took, status, flaky } = view;
  return { case_id: id, name, suite, file, duration_ms: took, status, flaky, result: resultOfCase(view) };
}

function caseNear(text: string | null): CaseNear | null {
  const [, severity, uploadId, position] = /^([0-3])-(\d{1,15})-(\d{1,9})$/.exec(text ?? '') ?? [];
  if (severity === undefined) return null;
  return { severity: Number(severity), uploadId: Number(uploadId), position: Number(position) };
}

/** Results of a case in the order of `runIds`; the worst one if it ran several times. */
export function endsByCase(
  ends: readonly CaseEnd[],
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
