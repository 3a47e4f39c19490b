import {
  reportRequest,
  reportScheduleChangeRequest,
  reportScheduleRequest,
  reportSchedulesQuery,
  reportsQuery,
} from '../schemas/reports.ts';
import { keySource } from '../src/core/audit/audit.ts';
import { viewReportSchedule } from '../src/core/page-models/reports/report.ts';
import {
  createReport,
  deleteReport,
  getReport,
  periodOfReport,
  viewReport,
  viewReportHead,
} from '../src/core/reports/reports.ts';
import {
  createReportSchedule,
  deleteReportSchedule,
  getReportSchedule,
  updateReportSchedule,
} from '../src/core/reports/schedules.ts';
import { listInMemory } from '../src/http/api/list-response.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { deleteHandler, showHandler, updateHandler } from '../src/http/api/resource-handlers.ts';
import { created, handler, ok } from '../src/http/api/route.ts';

export const getReports = handler(async (deps, request) => {
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
});

export const postReports = handler(async (deps, request) => {
  const { period } = parseParameters(reportRequest, request);
  const { report, isNew } = await createReport(deps, request.project.id, period, keySource(request));
  const body = { accepted: true, ...(await viewReport(deps, report)) };
  return isNew ? created(body) : ok(body);
});

export const getOneReport = handler(async (deps, request) =>
  ok(await viewReport(deps, await getReport(deps, request.project.id, pathId(request, 'report')))),
);

export const deleteOneReport = deleteHandler('report', deleteReport, viewReportHead);

export const getReportSchedules = handler(async (deps, request) => {
  const query = parseParameters(reportSchedulesQuery, request);
  const rows = await deps.store.listReportSchedules(request.project.id);
  return listInMemory(request, query, rows, {
    path: '/report-schedules',
    text: ({ kind, zone }) => `${kind} ${zone}`,
    orders: { id: ({ id }) => id, date: ({ dueAtMs }) => dueAtMs },
    views: (found) => found.map(viewReportSchedule),
  });
});

export const postReportSchedules = handler(async (deps, request) => {
  const input = parseParameters(reportScheduleRequest, request);
  const { schedule, isNew } = await createReportSchedule(deps, request.project.id, input, keySource(request));
  const body = { accepted: true, ...viewReportSchedule(schedule) };
  return isNew ? created(body) : ok(body);
});

export const getOneReportSchedule = showHandler('report_schedule', getReportSchedule, viewReportSchedule);
export const postReportSchedule = updateHandler(
  'report_schedule',
  reportScheduleChangeRequest,
  updateReportSchedule,
  viewReportSchedule,
);
export const deleteOneReportSchedule = deleteHandler(
  'report_schedule',
  deleteReportSchedule,
  viewReportSchedule,
);
