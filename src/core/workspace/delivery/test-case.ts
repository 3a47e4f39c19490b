import { momentText } from '../../reading/moments.ts';
import type { CaseResult, TestResult, TestRun } from '../../store/test-runs.ts';
import { viewTestResult } from '../../test-runs/views.ts';
import { notHere, type Visit } from '../visit.ts';
import { type CaseDetail, caseDetail } from './case-detail.ts';
import {
  askedSlice,
  type Neighbours,
  neighboursOf,
  type ProjectName,
  projectIdsOf,
  projectOf,
} from './lists.ts';
import { resultOfCase } from './test-run.ts';

export interface CaseRunLine {
  readonly test_run_id: number;
  readonly created_at: string;
  readonly run_suite: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly result: CaseResult;
  readonly duration_ms: number | null;
  readonly retries: number;
  readonly message: string | null;
}

export interface TestCaseModel extends Neighbours {
  readonly project: ProjectName;
  /** Case ids are made from names, so other projects can have the same one. */
  readonly also_in: readonly ProjectName[];
  readonly case: CaseDetail;
  readonly runs: readonly CaseRunLine[];
}

const runsAPage = 40;

/** Of the selected project, otherwise of the first one that has the case. */
export async function testCaseModel(visit: Visit): Promise<TestCaseModel> {
  const { store } = visit.deps;
  const what = 'A test case with this ID';
  const caseId = visit.path.case_id ?? '';
  const [projectId, ...others] = await store.projectsOfCase(projectIdsOf(visit), caseId);
  const project = projectOf(visit, projectId, what);
  const sliced = await store.sliceCaseRuns(project.project_id, caseId, askedSlice(visit, runsAPage));
  const newest = sliced.rows[0];
  if (newest === undefined) throw notHere(what);
  return {
    project,
    also_in: others.map((id) => projectOf(visit, id, what)),
    case: caseDetail(viewTestResult(newest.result, visit.nowMs), 'whole'),
    runs: sliced.rows.map(({ run, result }) => lineOf(run, result, visit.nowMs)),
    ...neighboursOf(sliced, ({ near }) => near),
  };
}

function lineOf(run: TestRun, result: TestResult, nowMs: number): CaseRunLine {
  const view = viewTestResult(result, nowMs);
  const { message, retries } = caseDetail(view, 'short');
  return {
    test_run_id: run.id,
    created_at: momentText(run.createdAtMs),
    run_suite: run.suite,
    branch: run.branch,
    commit: run.commit,
    release: run.release,
    environment: run.environment,
    result: resultOfCase(view),
    duration_ms: view.duration_ms,
    retries,
    message: message?.split('\n', 1)[0] ?? null,
  };
}
