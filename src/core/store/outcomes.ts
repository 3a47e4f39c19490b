import type { EpochMs } from '../parsing/timestamps.ts';

const outcomeNames = [
  'accepted',
  'duplicate',
  'filtered',
  'rate_limited',
  'invalid',
  // Valid, but it could not be stored.
  'failed',
  'client_discard',
] as const;

export type OutcomeName = (typeof outcomeNames)[number];

export interface Outcome {
  readonly projectId: number;
  readonly atMs: EpochMs;
  readonly outcome: OutcomeName;
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}

export interface OutcomeHour {
  readonly atMs: EpochMs;
  readonly outcome: OutcomeName;
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}

export interface OutcomeStore {
  /** Accepted and duplicate events are counted by `recordEvent`, not here. */
  addOutcomes(outcomes: readonly Outcome[]): Promise<void>;
  listOutcomes(projectId: number, fromMs: EpochMs, toMs: EpochMs): Promise<OutcomeHour[]>;
}
