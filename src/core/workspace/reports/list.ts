// What the page of all reports says: the last weeks or months, each by its figures, computed when asked.
import { askedWord } from '../delivery/lists.ts';
import type { Visit } from '../visit.ts';
import { lastPeriods, type PeriodView, periodView } from './period.ts';
import { readRange, type Sums, sumsOf } from './sums.ts';

const shown = { week: 13, month: 3 } as const;
/** What all monitors together should reach. */
const availabilityGoal = 0.999;

export interface ReportsModel {
  readonly asked: { readonly span: 'week' | 'month' };
  readonly counts: { readonly week: number; readonly month: number };
  readonly goal: number;
  /** Newest first; the first is still running. */
  readonly reports: ReadonlyArray<PeriodView & Sums>;
}

/** The last 13 weeks, or the last three months. */
export async function reportsModel(visit: Visit): Promise<ReportsModel> {
  const span = askedWord(visit, 'span', ['week', 'month']) ?? 'week';
  const periods = lastPeriods(span, visit.nowMs, shown[span]);
  const fromMs = periods.at(-1)?.fromMs ?? visit.nowMs;
  const read = await readRange(visit, { fromMs, toMs: periods[0]?.toMs ?? visit.nowMs });
  const reports = await Promise.all(
    periods.map(async (period) => ({
      ...periodView(period, visit.nowMs),
      ...(await sumsOf(visit, period, read)),
    })),
  );
  return { asked: { span }, counts: shown, goal: availabilityGoal, reports };
}
