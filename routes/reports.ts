import {
  reportRequest,
  reportScheduleChangeRequest,
  reportScheduleRequest,
  reportSchedulesQuery,
  reportsQuery,
} from '../schemas/reports.ts';
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
import { pathId } from '../src/http/api/parse-parameters.ts';
import { deleteHandler, showHandler, updateHandler } from '../src/http/api/resource-handlers.ts';
import { created, handler, inputHandler, ok } from '../src/http/api/route.ts';

export const getReports = inputHandler(reportsQuery, async (deps, request, query) => {
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

export const postReports = inputHandler(reportRequest, async (deps, request, { period }) => {
  const { report, isNew } = await createReport(deps, request.project.id, period, request.by);
  const body = { accepted: true, ...(await viewReport(deps, report)) };
  return isNew ? created(body) : ok(body);
});

export const getOneReport = handler(async (deps, request) =>
  ok(await viewReport(deps, await getReport(deps, request.project.id, pathId(request, 'report')))),
);

export const deleteOneReport = deleteHandler('report', deleteReport, viewReportHead);

export const getReportSchedules = inputHandler(reportSchedulesQuery, async (deps, request, query) => {
  const rows = await deps.store.listReportSchedules(request.project.id);
  return listInMemory(request, query, rows, {
    path: '/report-schedules',
    text: ({ kind, zone }) => `${kind} ${zone}`,
    orders: { id: ({ id }) => id, date: ({ dueAtMs }) => dueAtMs },
    views: (found) => found.map(viewReportSchedule),
  });
});

export const postReportSchedules = inputHandler(reportScheduleRequest, async (deps, request, input) => {
  const { schedule, isNew } = await createReportSchedule(deps, request.project.id, input, request.by);
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
