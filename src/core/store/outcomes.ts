// What became of what was sent, hour by hour, as the store keeps it: types alone.
import type { EpochMs } from '../reading/moments.ts';

const outcomeNames = [
  'accepted',
  'duplicate',
  'filtered',
  'rate_limited',
  'invalid',
  // Nothing was wrong with what was sent: we could not store it.
  'failed',
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
  readonly atMs: EpochMs;
  readonly outcome: OutcomeName;
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}

export interface OutcomeStore {
  /**
   * Adds to the counts of each hour; one commit for all. Accepted events and duplicates are counted by
   * `recordEvent`.
   */
  addOutcomes(outcomes: readonly Outcome[]): Promise<void>;
  /** The counts of the hours from `fromMs` up to, not including, `toMs`, in order of time. */
  listOutcomes(projectId: number, fromMs: EpochMs, toMs: EpochMs): Promise<OutcomeHour[]>;
}
