// Moves events whose hash changed when a source map arrived after them.
import type { ActorAndTime } from './issues.ts';

export interface PendingMove {
  readonly hash: string;
  readonly toId: number;
}

export interface RegroupingPlan {
  readonly moves: readonly PendingMove[];
  readonly joinInto: number | null;
}

export interface PendingRegroupingStore {
  issuesToRegroup(projectId: number): Promise<number[]>;
  /** A new hash goes to the issue itself if it is its only one and no other issue has it, otherwise to a new issue.
   * Gives the same result when it runs again after an interruption. */
  planRegrouping(projectId: number, issueId: number, act: ActorAndTime): Promise<RegroupingPlan>;
  /** Returns how many events were read, 0 when none are left. */
  moveRegroupedEvents(
    projectId: number,
    issueId: number,
    move: PendingMove,
    act: ActorAndTime,
  ): Promise<number>;
  finishRegrouping(
    projectId: number,
    issueId: number,
    decision: RegroupingPlan,
    act: ActorAndTime,
  ): Promise<void>;
}
