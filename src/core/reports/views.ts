import type { ReportHeadView } from '../../../schemas/reports.ts';
import type { Deps } from '../deps.ts';
import type { ReportBody } from '../page-models/reports/body.ts';
import { type Period, parsePeriod } from '../page-models/reports/period.ts';
import { loadReportBody, parseReportTotals } from '../page-models/reports/stored-report.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { SavedReport, SavedReportSummary } from '../store/reports/report-records.ts';

export function viewReportHead(report: SavedReportSummary): ReportHeadView {
  const { id, kind, fromMs, toMs } = periodOfReport(report);
  return {
    report_id: report.id,
    period: id,
    kind,
    from: formatTime(fromMs),
    to: formatTime(toMs),
    made_at: formatTime(report.madeAtMs),
    made_by: report.madeBy,
    sums: parseReportTotals(report),
  };
}

export async function viewReport(
  { store }: Pick<Deps, 'store'>,
  report: SavedReport,
): Promise<ReportHeadView & ReportBody> {
  return { ...viewReportHead(report), ...(await loadReportBody(store, report)) };
}

export function periodOfReport({ period: name }: Pick<SavedReport, 'period'>): Period {
  const period = parsePeriod(name);
  if (period === null) throw new Error(`A report of ${name} is kept, which is no period.`);
  return period;
}
