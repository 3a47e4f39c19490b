// A stored report, or else one computed from current data.
import { momentText } from '../../reading/moments.ts';
import type { KeptReport } from '../../store/reports/kept.ts';
import { notHere, PageRefusal, type Visit } from '../visit.ts';
import { computeReport, type ReportBody } from './body.ts';
import { bodyOfKept } from './kept.ts';
import {
  after,
  before,
  isCountable,
  type Period,
  type PeriodView,
  periodOf,
  periodView,
  settleMs,
} from './period.ts';

export interface ReportModel extends ReportBody {
  readonly period: PeriodView;
  /** Null if there is no report of it. */
  readonly previous: PeriodView | null;
  /** Null for the current period. */
  readonly next: PeriodView | null;
  /** Null if the report is computed from current data. */
  readonly made: { readonly report_id: number; readonly at: string; readonly by: string } | null;
  readonly can_be_made: boolean;
}

export async function reportModel(visit: Visit): Promise<ReportModel> {
  const { nowMs } = visit;
  const period = periodOf(visit.path['period'] ?? '');
  if (period === null) throw notHere('A report with this name');
  if (period.fromMs > nowMs) throw notHere('A report of a future period');
  const kept = await keptOf(visit, period);
  if (kept === null && !isCountable(period, nowMs)) {
    const why = 'It was not created in time: hourly counts are kept for 100 days.';
    throw new PageRefusal(404, 'Not found', why);
  }
  const past = before(period);
  const isPastThere = isCountable(past, nowMs) || (await keptOf(visit, past)) !== null;
  return {
    period: periodView(period, nowMs),
    previous: isPastThere ? periodView(past, nowMs) : null,
    next: nowMs < period.toMs ? null : periodView(after(period), nowMs),
    made: kept === null ? null : { report_id: kept.id, at: momentText(kept.madeAtMs), by: kept.madeBy },
    can_be_made: kept === null && nowMs >= period.toMs + settleMs,
    ...(kept === null ? await computeReport(visit, period) : await bodyOfKept(visit.deps.store, kept)),
  };
}

/** Throws 404 if the report is not stored. */
export async function keptReportModel(visit: Visit): Promise<ReportModel> {
  const model = await reportModel(visit);
  if (model.made === null) throw notHere('A saved report of this period');
  return model;
}

function keptOf(visit: Visit, { id }: Period): Promise<KeptReport | null> {
  return visit.deps.store.findReportOf(visit.project?.id ?? null, id);
}
