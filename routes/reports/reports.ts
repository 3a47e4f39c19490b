import { reportRequest, reportsQuery } from '../../schemas/reports.ts';
import { byKey } from '../../src/core/audit/audit.ts';
import type { Deps } from '../../src/core/deps.ts';
import { deleteReport, getReport, makeReport } from '../../src/core/reports/making.ts';
import { periodOfReport, viewHead, viewReport } from '../../src/core/reports/views.ts';
import { listedOf } from '../../src/http/api/collection.ts';
import { parseBody } from '../../src/http/api/parse-body.ts';
import { pathId } from '../../src/http/api/path-id.ts';
import { created, type Handler, ok } from '../../src/http/api/route.ts';

export function getReports(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(reportsQuery, request);
    const rows = (await deps.store.listKeptReports(request.project.id)).filter(
      (report) => asked.kind == null || periodOfReport(report).kind === asked.kind,
    );
    return listedOf(request, asked, rows, {
      path: '/reports',
      text: ({ period }) => period,
      orders: { date: (report) => periodOfReport(report).toMs, id: ({ id }) => id },
      views: (found) => found.map(viewHead),
    });
  };
}

/** 201, or 200 with the existing report. */
export function postReports(deps: Deps): Handler {
  return async (request) => {
    const { period } = parseBody(reportRequest, request);
    const { report, isNew } = await makeReport(deps, request.project.id, period, byKey(request));
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
    const previous = await deleteReport(deps, request.project.id, id, byKey(request));
    return ok({ deleted: true, previous: viewHead(previous) });
  };
}
