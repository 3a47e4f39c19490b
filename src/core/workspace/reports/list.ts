import { askedWord } from '../delivery/lists.ts';
import type { Visit } from '../visit.ts';
import { sumsOfKept } from './kept.ts';
import { lastPeriods, type Period, type PeriodView, periodOf, periodView } from './period.ts';
import { movesWithin, readRange, type Sums, sumsOf } from './sums.ts';

const shown = { week: 13, month: 3 } as const;
/** Older stored reports to list. */
const keptShown = { week: 91, month: 33 } as const;
const availabilityGoal = 0.999;

export interface ReportsModel {
  readonly asked: { readonly span: 'week' | 'month' };
  readonly counts: { readonly week: number; readonly month: number };
  readonly goal: number;
  /** Newest first; the first is the current period. */
  readonly reports: ReadonlyArray<PeriodView & Sums>;
}

export async function reportsModel(visit: Visit): Promise<ReportsModel> {
  const span = askedWord(visit, 'span', ['week', 'month']) ?? 'week';
  const kept = await keptSums(visit);
  const last = lastPeriods(span, visit.nowMs, shown[span]);
  const counted = last.filter(({ id }) => !kept.has(id));
  const fromMs = counted.at(-1)?.fromMs ?? visit.nowMs;
  const read = await readRange(visit, { fromMs, toMs: counted[0]?.toMs ?? visit.nowMs });
  const reports = await Promise.all(
    [...last, ...keptBefore(visit, span, kept)].map(async (period) => ({
      ...periodView(period, visit.nowMs),
      ...(kept.get(period.id) ?? sumsOf(visit, period, read, await movesWithin(visit, period))),
    })),
  );
  const counts = {
    week: shown.week + keptBefore(visit, 'week', kept).length,
    month: shown.month + keptBefore(visit, 'month', kept).length,
  };
  return { asked: { span }, counts, goal: availabilityGoal, reports };
}

async function keptSums(visit: Visit): Promise<Map<string, Sums>> {
  const all = await visit.deps.store.listKeptReports(visit.project?.id ?? null);
  return new Map(all.map((report) => [report.period, sumsOfKept(report)]));
}

function keptBefore({ nowMs }: Visit, span: Period['kind'], kept: ReadonlyMap<string, Sums>): Period[] {
  const fromMs = lastPeriods(span, nowMs, shown[span]).at(-1)?.fromMs ?? nowMs;
  return [...kept.keys()]
    .flatMap((id) => periodOf(id) ?? [])
    .filter((period) => period.kind === span && period.fromMs < fromMs)
    .sort((one, other) => other.fromMs - one.fromMs)
    .slice(0, keptShown[span]);
}
