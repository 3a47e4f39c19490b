// Who counts what became of what was sent: a type alone.
import type { Outcome } from '../store/outcomes.ts';

export interface OutcomeCounter {
  /** Adds to the counts; never waits and never throws. */
  count(outcome: Outcome): void;
  /**
   * Writes what was counted since the last time; what cannot be written is tried again with the next. Never
   * rejects.
   */
  flush(): Promise<void>;
  /** Flushes, and stops the clock. */
  close(): Promise<void>;
}
