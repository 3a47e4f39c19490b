// /test-runs and /test-cases (docs/test-reports.md).
import { caseRunsQuery, testRunQuery, testRunsQuery } from '../schemas/test-runs.ts';
import { createNotFoundError } from '../src/core/errors.ts';
import { getTestRun, recordTestRun } from '../src/core/test-runs/test-runs.ts';
import { viewCaseRun, viewTestResult, viewTestRun, viewTestUpload } from '../src/core/test-runs/views.ts';
import { listResponse, toListWindow } from '../src/http/api/list-response.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import { created, handler, inputHandler, ok } from '../src/http/api/route.ts';
import { readTestReport } from '../src/http/uploads/test-report/read-test-report.ts';

/** 201, or 200 for a repeat within a day. */
export const postTestRuns = handler(async (deps, request) => {
  const { report, digest } = await readTestReport(deps, request.incoming, request.query, request.project);
  const recorded = await recordTestRun(deps, request.project, report, digest);
  return recorded.created ? created(recorded.response) : ok(recorded.response);
});

export const getTestRuns = inputHandler(testRunsQuery, async (deps, request, query) => {
  const page = await deps.store.listTestRuns(request.project.id, {
    status: query.status,
    release: query.release,
    commit: query.commit,
    branch: query.branch,
    runKey: query.run_key,
    search: query.search,
    orderBy: query.orderby,
    descending: query.order === 'desc',
    ...toListWindow(query),
  });
  return listResponse(request, '/test-runs', query, {
    rows: page.rows.map(viewTestRun),
    total: page.total,
  });
});

/** With uploads and a page of cases, failures first; `X-WP-Total` counts the cases. */
export const getOneTestRun = inputHandler(testRunQuery, async (deps, request, query) => {
  const run = await getTestRun(deps, request.project, pathId(request, 'test_run'));
  const uploads = await deps.store.listTestUploads(run.id);
  const page = await deps.store.listTestResults(run.id, {
    status: query.status,
    search: query.search,
    ...toListWindow(query),
  });
  const nowMs = deps.now();
  const body = {
    ...viewTestRun(run),
    uploads: uploads.map(viewTestUpload),
    cases: page.rows.map((result) => viewTestResult(result, nowMs)),
  };
  const answer = listResponse(request, `/test-runs/${run.id}`, query, { rows: [], total: page.total });
  return { ...answer, body };
});

/** 404 for a case that the project never had. */
export const getCaseRuns = inputHandler(caseRunsQuery, async (deps, request, query) => {
  const caseId = request.path['id'] ?? '';
  const page = await deps.store.listCaseRuns(request.project.id, caseId, {
    descending: query.order === 'desc',
    ...toListWindow(query),
  });
  if (page.total === 0) throw createNotFoundError('test_case');
  const nowMs = deps.now();
  const rows = page.rows.map(({ run, result }) => viewCaseRun(run, result, nowMs));
  return listResponse(request, `/test-cases/${caseId}/runs`, query, { rows, total: page.total });
});
