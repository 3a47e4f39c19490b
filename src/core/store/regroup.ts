import type { EpochMs } from '../parsing/timestamps.ts';
import type { Grouping } from './events.ts';
import type { ActorAndTime, Issue } from './issues.ts';

export interface RegroupEvent {
  readonly row: number;
  readonly issueId: number;
  readonly receivedAtMs: EpochMs;
  /** Null where the stored bytes are damaged: the event stays where it is. */
  readonly payload: string | null;
}

/** `firstSeenMs` is of its own events, without merged issues. */
export interface RegroupIssue extends Pick<Issue, 'id' | 'isOverflow' | 'title' | 'firstSeenMs'> {
  readonly headId: number;
  readonly keyHash: string;
}

export interface RegroupRun {
  readonly id: number;
  readonly versionAfter: string;
  readonly startedAtMs: EpochMs;
  readonly finishedAtMs: EpochMs | null;
}

export interface RegroupedEvent {
  readonly row: number;
  readonly grouping: Grouping;
}

export interface IssueGroupingChange {
  readonly issueId: number;
  readonly grouping: Grouping;
}

export interface RegroupStore {
  /** Sorted by issue, then received time; null starts at the first. */
  listRegroupEvents(
    projectId: number,
    after: Pick<RegroupEvent, 'issueId' | 'receivedAtMs' | 'row'> | null,
    limit: number,
  ): Promise<RegroupEvent[]>;
  listRegroupEventsOf(
    projectId: number,
    issueId: number,
    after: Pick<RegroupEvent, 'receivedAtMs' | 'row'> | null,
    limit: number,
  ): Promise<RegroupEvent[]>;
  listRegroupIssues(projectId: number, afterId: number, limit: number): Promise<RegroupIssue[]>;
  findRegroupHashes(projectId: number, hashes: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** At most 1,000. By secondary hash: the oldest primary hash with it that has an issue. */
  findRegroupLeads(
    projectId: number,
    secondaryHashes: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  findRegroupRun(projectId: number): Promise<RegroupRun | null>;
  /** Continues an interrupted run. All changes here throw `ProjectDeletedError` for a project being deleted. */
  beginRegroup(projectId: number, versionAfter: string, nowMs: EpochMs): Promise<RegroupRun>;
  claimRegroupHash(run: RegroupRun, projectId: number, grouping: Grouping, issueId: number): Promise<void>;
  /** `eventRow` is the oldest. Null when it was deleted. */
  splitRegroupIssue(
    run: RegroupRun,
    split: {
      readonly projectId: number;
      readonly fromId: number;
      readonly eventRow: number;
      readonly grouping: Grouping;
      readonly events: number;
    },
  ): Promise<number | null>;
  /** At most 100 events in one transaction; returns how many still existed. */
  moveRegrouped(
    run: RegroupRun,
    move: { readonly projectId: number; readonly fromId: number; readonly toId: number },
    events: readonly RegroupedEvent[],
  ): Promise<number>;
  joinRegrouped(
    run: RegroupRun,
    projectId: number,
    intoId: number,
    issueIds: readonly number[],
  ): Promise<void>;
  labelRegrouped(projectId: number, labels: readonly IssueGroupingChange[]): Promise<void>;
  /** Recounts one issue that lost or gained events; false when none is left. */
  recountRegrouped(run: RegroupRun, projectId: number): Promise<boolean>;
  finishRegroup(run: RegroupRun, projectId: number, nowMs: EpochMs): Promise<void>;
}

// Moves events whose hash changed when a source map arrived after them.

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
  planRegrouping(projectId: number, issueId: number, action: ActorAndTime): Promise<RegroupingPlan>;
  /** Returns how many events were read, 0 when none are left. */
  moveRegroupedEvents(
    projectId: number,
    issueId: number,
    move: PendingMove,
    action: ActorAndTime,
  ): Promise<number>;
  finishRegrouping(
    projectId: number,
    issueId: number,
    decision: RegroupingPlan,
    action: ActorAndTime,
  ): Promise<void>;
}
