import { formatTime } from '../../parsing/timestamps.ts';
import type { SavedReport } from '../../store/reports.ts';
import { PageError, pageNotFound, type RequestContext } from '../request-context.ts';
import { computeReport, type ReportBody } from './body.ts';
import {
  countDelayMs,
  isCountable,
  nextPeriod,
  type Period,
  type PeriodView,
  parsePeriod,
  previousPeriod,
  viewPeriod,
} from './period.ts';
import { loadReportBody } from './stored-report.ts';

export interface ReportModel extends ReportBody {
  readonly period: PeriodView;
  readonly previous: PeriodView | null;
  /** Null for the current period. */
  readonly next: PeriodView | null;
  /** Null if the report is computed from current data. */
  readonly made: { readonly report_id: number; readonly at: string; readonly by: string } | null;
  readonly can_be_made: boolean;
}

export async function reportModel(context: RequestContext): Promise<ReportModel> {
  const { nowMs } = context;
  const period = parsePeriod(context.path['period'] ?? '');
  if (period === null) throw pageNotFound('A report with this name');
  if (period.fromMs > nowMs) throw pageNotFound('A report of a future period');
  const stored = await findStoredReport(context, period);
  if (stored === null && !isCountable(period, nowMs)) {
    const message = 'It was not created in time: hourly counts are kept for 100 days.';
    throw new PageError(404, 'Not found', message);
  }
  const past = previousPeriod(period);
  const isPastThere = isCountable(past, nowMs) || (await findStoredReport(context, past)) !== null;
  return {
    period: viewPeriod(period, nowMs),
    previous: isPastThere ? viewPeriod(past, nowMs) : null,
    next: nowMs < period.toMs ? null : viewPeriod(nextPeriod(period), nowMs),
    made:
      stored === null ? null : { report_id: stored.id, at: formatTime(stored.madeAtMs), by: stored.madeBy },
    can_be_made: stored === null && nowMs >= period.toMs + countDelayMs,
    ...(stored === null
      ? await computeReport(context, period)
      : await loadReportBody(context.deps.store, stored)),
  };
}

/** Throws 404 if the report is not stored. */
export async function storedReportModel(context: RequestContext): Promise<ReportModel> {
  const model = await reportModel(context);
  if (model.made === null) throw pageNotFound('A saved report of this period');
  return model;
}

function findStoredReport(context: RequestContext, { id }: Period): Promise<SavedReport | null> {
  return context.deps.store.findReportOf(context.project?.id ?? null, id);
}
