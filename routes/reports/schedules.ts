// /report-schedules: reports sent to e-mail channels.
import {
  reportScheduleChangeRequest,
  reportScheduleRequest,
  reportSchedulesQuery,
} from '../../schemas/reports.ts';
import { byKey } from '../../src/core/audit/audit.ts';
import type { Deps } from '../../src/core/deps.ts';
import {
  changeSchedule,
  endSchedule,
  getSchedule,
  sendReports,
  viewSchedule,
} from '../../src/core/reports/schedules.ts';
import { listedOf } from '../../src/http/api/collection.ts';
import { parseBody } from '../../src/http/api/parse-body.ts';
import { pathId } from '../../src/http/api/path-id.ts';
import { created, type Handler, ok } from '../../src/http/api/route.ts';

export function getReportSchedules(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(reportSchedulesQuery, request);
    const rows = await deps.store.listReportSchedules(request.project.id);
    return listedOf(request, asked, rows, {
      path: '/report-schedules',
      text: ({ kind, zone }) => `${kind} ${zone}`,
      orders: { id: ({ id }) => id, date: ({ dueAtMs }) => dueAtMs },
      views: (found) => found.map(viewSchedule),
    });
  };
}

/** 201, or 200 if the channel has a schedule, which is updated. */
export function postReportSchedules(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(reportScheduleRequest, request);
    const { schedule, isNew } = await sendReports(deps, request.project.id, asked, byKey(request));
    const body = { accepted: true, ...viewSchedule(schedule) };
    return isNew ? created(body) : ok(body);
  };
}

export function getOneReportSchedule(deps: Deps): Handler {
  return async (request) =>
    ok(viewSchedule(await getSchedule(deps, request.project.id, pathId(request, 'report_schedule'))));
}

export function postReportSchedule(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'report_schedule');
    const asked = parseBody(reportScheduleChangeRequest, request);
    const changed = await changeSchedule(deps, request.project.id, id, asked, byKey(request));
    return ok({ accepted: true, ...viewSchedule(changed) });
  };
}

export function deleteOneReportSchedule(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'report_schedule');
    const previous = await endSchedule(deps, request.project.id, id, byKey(request));
    return ok({ deleted: true, previous: viewSchedule(previous) });
  };
}
