import type { ReportHeadView } from '../../../schemas/reports.ts';
import type { Deps } from '../deps.ts';
import { momentText } from '../reading/moments.ts';
import type { KeptReport, KeptReportHead } from '../store/reports/kept.ts';
import type { ReportBody } from '../workspace/reports/body.ts';
import { bodyOfKept, sumsOfKept } from '../workspace/reports/kept.ts';
import { type Period, periodOf } from '../workspace/reports/period.ts';

export function viewHead(report: KeptReportHead): ReportHeadView {
  const { id, kind, fromMs, toMs } = periodOfReport(report);
  return {
    report_id: report.id,
    period: id,
    kind,
    from: momentText(fromMs),
    to: momentText(toMs),
    made_at: momentText(report.madeAtMs),
    made_by: report.madeBy,
    sums: sumsOfKept(report),
  };
}

export async function viewReport(
  { store }: Pick<Deps, 'store'>,
  report: KeptReport,
): Promise<ReportHeadView & ReportBody> {
  return { ...viewHead(report), ...(await bodyOfKept(store, report)) };
}

export function periodOfReport({ period: name }: Pick<KeptReport, 'period'>): Period {
  const period = periodOf(name);
  if (period === null) throw new Error(`A report of ${name} is kept, which is no period.`);
  return period;
}
