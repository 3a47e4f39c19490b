import type { Outcome } from '../store/outcomes.ts';

export interface OutcomeCounter {
  /** Never waits, never throws. */
  count(outcome: Outcome): void;
  /** Writes the counts since the last flush; failed writes are retried with the next one. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
