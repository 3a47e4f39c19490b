// What became of everything that was sent, so that for each hour `accepted + each loss = sent` can be read.

import type { EpochMs } from '../reading/moments.ts';
import type { OutcomeHour, OutcomeName } from '../store/outcomes.ts';

/** What was sent in one hour and what became of it: `sent` is the sum of all the others. */
export type OutcomeSums = {
  /** The millisecond the hour begins at. */ readonly atMs: EpochMs;
  readonly sent: number;
} & Readonly<Record<OutcomeName, number>>;

/** The counts of each hour by outcome alone, in order of time; hours in which nothing was sent are absent. */
export function outcomeSums(rows: readonly OutcomeHour[]): OutcomeSums[] {
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
