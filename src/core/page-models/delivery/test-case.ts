import { formatTime } from '../../parsing/timestamps.ts';
import type { TestResult, TestRun } from '../../store/test-runs.ts';
import { viewQuarantinedCase } from '../../test-runs/quarantine.ts';
import { viewTestResult } from '../../test-runs/views.ts';
import { pageCursors, requireViewedProject, sliceParam, viewedProjectIds } from '../list-params.ts';
import { pageNotFound, type RequestContext } from '../request-context.ts';
import { viewCaseDetail } from './case-detail.ts';
import { caseResult } from './test-run.ts';

export type CaseRunLine = ReturnType<typeof lineOf>;

export type TestCaseModel = Awaited<ReturnType<typeof testCaseModel>>;

const runsAPage = 40;

/** Of the selected project, otherwise of the first one that has the case. */
export async function testCaseModel(context: RequestContext) {
  const { store } = context.deps;
  const subject = 'A test case with this ID';
  const caseId = context.path.case_id ?? '';
  const [projectId, ...others] = await store.projectsOfCase(viewedProjectIds(context), caseId);
  const project = requireViewedProject(context, projectId, subject);
  const sliced = await store.listCaseRunPage(project.project_id, caseId, sliceParam(context, runsAPage));
  const newest = sliced.rows[0];
  if (newest === undefined) throw pageNotFound(subject);
  const quarantined = await store.findQuarantinedCase(project.project_id, caseId, context.nowMs);
  return {
    project,
    /** Case ids are made from names, so other projects can have the same one. */
    also_in: others.map((id) => requireViewedProject(context, id, subject)),
    case: viewCaseDetail(viewTestResult(newest.result, context.nowMs), 'whole'),
    quarantine: quarantined === null ? null : viewQuarantinedCase(quarantined),
    runs: sliced.rows.map(({ run, result }) => lineOf(run, result, context.nowMs)),
    ...pageCursors(sliced, ({ near }) => near),
  };
}

function lineOf(run: TestRun, result: TestResult, nowMs: number) {
  const view = viewTestResult(result, nowMs);
  const { message, retries } = viewCaseDetail(view, 'short');
  return {
    test_run_id: run.id,
    created_at: formatTime(run.createdAtMs),
    run_suite: run.suite,
    branch: run.branch,
    commit: run.commit,
    release: run.release,
    environment: run.environment,
    result: caseResult(view),
    duration_ms: view.duration_ms,
    retries,
    message: message?.split('\n', 1)[0] ?? null,
  };
}
