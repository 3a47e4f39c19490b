// /reports: weeks and months over all projects, or one of them: computed, and kept as they were made.
import { byVisit } from '../../src/core/audit/audit.ts';
import { deleteReport, makeReport } from '../../src/core/reports/making.ts';
import { endSchedule, sendReports } from '../../src/core/reports/schedules.ts';
import { reportsModel } from '../../src/core/workspace/reports/list.ts';
import { keptReportModel, reportModel } from '../../src/core/workspace/reports/report.ts';
import { schedulesModel } from '../../src/core/workspace/reports/schedules.ts';
import { inWords, notHere, pathNumber, type Visit } from '../../src/core/workspace/visit.ts';
import { type ActAnswer, act, type Declaration, page, sure } from '../../src/http/pages/declare.ts';
import type { Posted } from '../../src/pages/parts/form.ts';
import { deleteReportPage } from '../../src/pages/reports/forms.ts';
import { reportsPage } from '../../src/pages/reports/list.ts';
import { reportPage } from '../../src/pages/reports/report.ts';
import { scheduleForm, schedulesPage } from '../../src/pages/reports/schedules.ts';

const one = '/reports/{period}';
const schedules = '/reports/schedules';

/** The list of reports, the report of one period, and acts on it. */
export function reportPages(): Declaration[] {
  return [
    page({ path: '/reports', model: reportsModel, view: reportsPage }),
    page({ path: schedules, model: schedulesModel, view: schedulesPage }),
    page({ path: one, model: reportModel, view: reportPage }),
    page({ path: `${one}/delete`, needs: 'admin', model: keptReportModel, view: deleteReportPage }),
    act({ path: schedules, needs: 'admin', form: scheduleForm.schema, act: schedule }),
    act({ path: `${schedules}/{schedule_id}/stop`, needs: 'admin', act: stop }),
    act({ path: `${one}/keep`, needs: 'member', act: keep }),
    act({ path: `${one}/delete`, needs: 'admin', form: sure, act: remove }),
  ];
}

async function keep(visit: Visit): Promise<ActAnswer> {
  const period = visit.path['period'] ?? '';
  await inWords(makeReport(visit.deps, visit.project?.id ?? null, period, byVisit(visit)));
  return { to: `/reports/${period}` };
}

async function remove(visit: Visit): Promise<ActAnswer> {
  const { deps, project } = visit;
  const report = await deps.store.findReportOf(project?.id ?? null, visit.path['period'] ?? '');
  if (report === null) throw notHere('A report that was kept of this period');
  await deleteReport(deps, null, report.id, byVisit(visit));
  return { to: '/reports' };
}

async function schedule(
  visit: Visit,
  { channel, kind, at, timezone }: Posted<typeof scheduleForm>,
): Promise<ActAnswer> {
  const asked = { alert_channel_id: channel, kind, at, timezone };
  await inWords(sendReports(visit.deps, null, asked, byVisit(visit)));
  return { to: schedules };
}

async function stop(visit: Visit): Promise<ActAnswer> {
  const id = pathNumber(visit, 'schedule_id', 'A schedule of this number');
  await endSchedule(visit.deps, null, id, byVisit(visit));
  return { to: schedules };
}
