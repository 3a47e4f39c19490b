// What became of everything that was sent, so that for each hour `accepted + each loss = sent` can be read.
import type { EpochMs } from '../reading/moments.ts';

const outcomeNames = [
  'accepted',
  'duplicate',
  'filtered',
  'rate_limited',
  'invalid',
  'client_discard',
] as const;
export type OutcomeName = (typeof outcomeNames)[number];

export interface Outcome {
  readonly projectId: number;
  readonly atMs: EpochMs;
  readonly outcome: OutcomeName;
  /** Such as `ratelimit_backoff`; empty for what was accepted. Cut at 64 characters. */
  readonly reason: string;
  /** Such as `error`, `feedback`, `session`. Cut at 64 characters. */
  readonly category: string;
  readonly quantity: number;
}

export interface OutcomeHour {
  /** The millisecond the hour begins at. */
  readonly hourMs: EpochMs;
  readonly outcome: OutcomeName;
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}

export interface OutcomeStore {
  /** Adds to the counts of each hour; one commit for all. Accepted events and duplicates are counted by `recordEvent`. */
  addOutcomes(outcomes: readonly Outcome[]): Promise<void>;
  /** The counts of the hours from `fromMs` up to, not including, `toMs`, in order of time. */
  listOutcomes(projectId: number, fromMs: EpochMs, toMs: EpochMs): Promise<OutcomeHour[]>;
}

/** What was sent in one hour and what became of it: `sent` is the sum of all the others. */
export type OutcomeSums = { readonly hourMs: EpochMs; readonly sent: number } & Readonly<
  Record<OutcomeName, number>
>;

/** The counts of each hour by outcome alone, in order of time; hours in which nothing was sent are absent. */
export function outcomeSums(rows: readonly OutcomeHour[]): OutcomeSums[] {
  const byHour = new Map<EpochMs, { sent: number } & Record<OutcomeName, number>>();
  for (const row of rows) {
    const sums = byHour.get(row.hourMs) ?? {
      sent: 0,
      accepted: 0,
      duplicate: 0,
      filtered: 0,
      rate_limited: 0,
      invalid: 0,
      client_discard: 0,
    };
    sums.sent += row.quantity;
    sums[row.outcome] += row.quantity;
    byHour.set(row.hourMs, sums);
  }
  return [...byHour].map(([hourMs, sums]) => ({ hourMs, ...sums }));
}
