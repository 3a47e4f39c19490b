import { reportRequest, reportsQuery } from '../../schemas/reports.ts';
import { keySource } from '../../src/core/audit/audit.ts';
import type { Deps } from '../../src/core/deps.ts';
import {
  createReport,
  deleteReport,
  getReport,
  periodOfReport,
  viewReport,
  viewReportHead,
} from '../../src/core/reports/reports.ts';
import { listInMemory } from '../../src/http/api/list-response.ts';
import { parseParameters, pathId } from '../../src/http/api/parse-parameters.ts';
import { created, type Handler, ok } from '../../src/http/api/route.ts';

export function getReports(deps: Deps): Handler {
  return async (request) => {
    const query = parseParameters(reportsQuery, request);
    const rows = (await deps.store.listSavedReports(request.project.id)).filter(
      (report) => query.kind == null || periodOfReport(report).kind === query.kind,
    );
    return listInMemory(request, query, rows, {
      path: '/reports',
      text: ({ period }) => period,
      orders: { date: (report) => periodOfReport(report).toMs, id: ({ id }) => id },
      views: (found) => found.map(viewReportHead),
    });
  };
}

export function postReports(deps: Deps): Handler {
  return async (request) => {
    const { period } = parseParameters(reportRequest, request);
    const { report, isNew } = await createReport(deps, request.project.id, period, keySource(request));
    const body = { accepted: true, ...(await viewReport(deps, report)) };
    return isNew ? created(body) : ok(body);
  };
}

export function getOneReport(deps: Deps): Handler {
  return async (request) =>
    ok(await viewReport(deps, await getReport(deps, request.project.id, pathId(request, 'report'))));
}

export function deleteOneReport(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'report');
    const previous = await deleteReport(deps, request.project.id, id, keySource(request));
    return ok({ deleted: true, previous: viewReportHead(previous) });
  };
}
