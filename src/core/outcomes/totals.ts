import type { EpochMs } from '../parsing/timestamps.ts';
import type { OutcomeHour, OutcomeName } from '../store/outcomes.ts';

export type OutcomeTotals = {
  readonly atMs: EpochMs;
  readonly sent: number;
} & Readonly<Record<OutcomeName, number>>;

/** In order of time; hours without outcomes are left out. */
export function totalOutcomesByHour(rows: readonly OutcomeHour[]): OutcomeTotals[] {
  const byHour = new Map<EpochMs, { sent: number } & Record<OutcomeName, number>>();
  for (const row of rows) {
    const sums = byHour.get(row.atMs) ?? {
      sent: 0,
      accepted: 0,
      duplicate: 0,
      filtered: 0,
      rate_limited: 0,
      invalid: 0,
      failed: 0,
      client_discard: 0,
    };
    sums.sent += row.quantity;
    sums[row.outcome] += row.quantity;
    byHour.set(row.atMs, sums);
  }
  return [...byHour].map(([atMs, sums]) => ({ atMs, ...sums }));
}
