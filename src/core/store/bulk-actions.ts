import type { EpochMs } from '../parsing/timestamps.ts';
import type { ActorAndTime, IssueState } from './issues.ts';

export type BulkActionKind = 'resolved' | 'ignored' | 'unresolved' | 'assigned' | 'unassigned' | 'merged';

export interface BulkAction {
  readonly id: number;
  readonly action: BulkActionKind;
  readonly atMs: EpochMs;
}

interface AssigneeIds {
  readonly assignedTo: number | null;
  readonly assignedTeam: number | null;
}

/** What is undone, and what the issue must still have for that. */
export type UndoStep =
  | { readonly of: 'state'; readonly before: IssueState; readonly after: IssueState }
  | { readonly of: 'assignee'; readonly before: AssigneeIds; readonly after: AssigneeIds }
  | { readonly of: 'merge'; readonly mergeId: number };

export interface BulkStep {
  readonly projectId: number;
  readonly issueId: number;
  readonly step: UndoStep;
}

export interface BulkActionStore {
  /** Deletes actions before `expiredBeforeMs`, of everybody. */
  addBulkAction(
    action: Omit<BulkAction, 'id'> & { readonly ownerId: number },
    expiredBeforeMs: EpochMs,
  ): Promise<number>;
  addBulkSteps(bulkId: number, steps: readonly BulkStep[]): Promise<void>;
  /** The newest one of the owner since then that has something to undo, with the number of its issues. */
  findBulkAction(
    ownerId: number,
    sinceMs: EpochMs,
  ): Promise<(BulkAction & { readonly issues: number }) | null>;
  /** Removes the steps that it answers. */
  takeBulkSteps(bulkId: number, limit: number): Promise<BulkStep[]>;
  /** False where the state is no longer `after`. */
  restoreIssueState(
    projectId: number,
    issueId: number,
    states: { readonly before: IssueState; readonly after: IssueState },
    act: ActorAndTime,
  ): Promise<boolean>;
}
