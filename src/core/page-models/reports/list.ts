import type { ReportTotals } from '../../../../schemas/reports.ts';
import { enumParam } from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { listLastPeriods, type Period, parsePeriod, viewPeriod } from './period.ts';
import { parseReportTotals } from './stored-report.ts';
import { computeReportTotals, listProjectActivity, readReportData } from './totals.ts';

const shown = { week: 13, month: 3 } as const;
/** Older stored reports to list. */
const keptShown = { week: 91, month: 33 } as const;
const availabilityGoal = 0.999;

export type ReportListModel = Awaited<ReturnType<typeof reportListModel>>;

export async function reportListModel(context: RequestContext) {
  const span = enumParam(context, 'span', ['week', 'month']) ?? 'week';
  const stored = await keptSums(context);
  const last = listLastPeriods(span, context.nowMs, shown[span]);
  const counted = last.filter(({ id }) => !stored.has(id));
  const fromMs = counted.at(-1)?.fromMs ?? context.nowMs;
  const read = await readReportData(context, { fromMs, toMs: counted[0]?.toMs ?? context.nowMs });
  const reports = await Promise.all(
    [...last, ...keptBefore(context, span, stored)].map(async (period) => ({
      ...viewPeriod(period, context.nowMs),
      ...(stored.get(period.id) ??
        computeReportTotals(context, period, read, await listProjectActivity(context, period))),
    })),
  );
  const counts = {
    week: shown.week + keptBefore(context, 'week', stored).length,
    month: shown.month + keptBefore(context, 'month', stored).length,
  };
  return { filters: { span }, counts, goal: availabilityGoal, reports };
}

async function keptSums(context: RequestContext): Promise<Map<string, ReportTotals>> {
  const all = await context.deps.store.listSavedReports(context.project?.id ?? null);
  return new Map(all.map((report) => [report.period, parseReportTotals(report)]));
}

function keptBefore(
  { nowMs }: RequestContext,
  span: Period['kind'],
  stored: ReadonlyMap<string, ReportTotals>,
): Period[] {
  const fromMs = listLastPeriods(span, nowMs, shown[span]).at(-1)?.fromMs ?? nowMs;
  return [...stored.keys()]
    .flatMap((id) => parsePeriod(id) ?? [])
    .filter((period) => period.kind === span && period.fromMs < fromMs)
    .sort((one, other) => other.fromMs - one.fromMs)
    .slice(0, keptShown[span]);
}
