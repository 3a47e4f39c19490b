// Moves events whose hash changed when a source map arrived after them.
import type { Act } from './issues.ts';

export interface LateMove {
  readonly hash: string;
  readonly toId: number;
}

export interface LateDecision {
  readonly moves: readonly LateMove[];
  readonly joinInto: number | null;
}

export interface LateGroupingStore {
  issuesToRegroup(projectId: number): Promise<number[]>;
  /**
   * A new hash goes to the issue itself if it is its only one and no other issue has it, otherwise to a new
   * issue. Gives the same result when it runs again after an interruption.
   */
  decideLate(projectId: number, issueId: number, act: Act): Promise<LateDecision>;
  /** Returns how many events were read, 0 when none are left. */
  moveLate(projectId: number, issueId: number, move: LateMove, act: Act): Promise<number>;
  finishLate(projectId: number, issueId: number, decision: LateDecision, act: Act): Promise<void>;
}
