// What the live tail asks of the store: events in the order of their commits. Types alone.
import type { Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { OutcomeName } from './outcomes.ts';

/** An event as it passes by. */
export interface LiveEvent {
  /** The number of its row: higher than that of every event that was stored before it. */
  readonly row: number;
  readonly projectId: number;
  /** The issue that stands for it now. */
  readonly issueId: number;
  readonly eventId: string;
  readonly receivedAtMs: EpochMs;
  readonly level: Level;
  readonly title: string;
  readonly culprit: string;
}

/** Which of the events that pass by are wanted; null means all. */
export interface LiveFilter {
  readonly projectId: number | null;
  readonly level: Level | null;
}

/** How much became of something, over some hours. */
export interface OutcomeSum {
  readonly projectId: number;
  readonly outcome: OutcomeName;
  readonly reason: string;
  readonly quantity: number;
}

export interface LiveStore {
  /**
   * Whether a commit that is seen means that all rows of lower numbers are seen too. Where several connections
   * write it does not: a number is drawn before its commit.
   */
  readonly rowsInOrder: boolean;
  /** The highest number of a row there is; 0 where there is none. */
  newestEventRow(): Promise<number>;
  /** Events from that number on, itself included, in their order; at most 1,000. */
  listEventsFrom(row: number, limit: number): Promise<LiveEvent[]>;
  /** The newest of the events that fit with a number above `afterRow`, up to `upToRow`; newest first. */
  listEventsBetween(
    afterRow: number,
    upToRow: number,
    filter: LiveFilter,
    limit: number,
  ): Promise<LiveEvent[]>;
  /** Sums of events, by what became of them, of the hours from `fromMs` up to, not including, `toMs`. */
  sumOutcomes(projectIds: readonly number[], fromMs: EpochMs, toMs: EpochMs): Promise<OutcomeSum[]>;
}
