// Events whose key a late map changed, as the store moves them: types alone.
import type { Act } from './issues.ts';

/** Events of an issue that belong elsewhere, by the key that they have now. */
export interface LateMove {
  readonly hash: string;
  readonly toId: number;
}

export interface LateDecision {
  readonly moves: readonly LateMove[];
  /** The issue that this one is joined with once the moves are done; null where it goes on by itself. */
  readonly joinInto: number | null;
}

export interface LateGroupingStore {
  /** Issues with events whose key a late map changed, the lowest number first. */
  issuesToRegroup(projectId: number): Promise<number[]>;
  /**
   * Decides, a few keys a transaction, where the events of an issue belong whose key a late map changed, and
   * lets each new key lead somewhere: to the issue itself where nobody else has it and no other key is its
   * own, else to a new one; past the cap on new issues their events stay. Asked again after an interruption
   * it decides the same.
   */
  decideLate(projectId: number, issueId: number, act: Act): Promise<LateDecision>;
  /** Moves a slice of events; answers how many were looked at, 0 when none are left. */
  moveLate(projectId: number, issueId: number, move: LateMove, act: Act): Promise<number>;
  /** Ends what was decided for an issue: its users are counted anew, and it is joined. */
  finishLate(projectId: number, issueId: number, decision: LateDecision, act: Act): Promise<void>;
}
