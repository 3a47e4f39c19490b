import type { Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { EventFilter, EventSummary, Grouping, IssueStatus, IssueSubstatus } from './events.ts';
import type { OffsetWindow, Page } from './pagination.ts';
import type { ResolvedTerm } from './search-terms.ts';

export interface Issue {
  readonly id: number;
  readonly projectId: number;
  readonly mergedInto: number | null;
  /** True for an issue that collects events above the limit on new issues. */
  readonly isOverflow: boolean;
  readonly title: string;
  readonly culprit: string;
  readonly level: Level;
  readonly platform: string;
  readonly grouping: Grouping;
  readonly state: IssueState;
  readonly regressionsCount: number;
  /** All events ever stored, including those of merged issues and deleted events. */
  readonly eventsCount: number;
  /** Distinct users; `issueUsersMax` means that many or more. */
  readonly usersCount: number;
  readonly firstSeenMs: EpochMs;
  readonly lastSeenMs: EpochMs;
  readonly firstRelease: string | null;
  readonly lastRelease: string | null;
  /** Ids of a member and of a team; an issue has one of them, or neither. */
  readonly assignedTo: number | null;
  readonly assignedTeam: number | null;
}

export interface IssueFilter extends OffsetWindow {
  readonly search?: string | undefined;
  readonly status?: IssueStatus | undefined;
  readonly substatus?: IssueSubstatus | undefined;
  readonly level?: Level | undefined;
  readonly platform?: string | undefined;
  /** Issues with an event of this release, of this environment, or of both at once. */
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  readonly firstRelease?: string | undefined;
  /** Terms of `query`, which must all hold. */
  readonly terms?: readonly ResolvedTerm[] | undefined;
  readonly orderBy: 'last_seen' | 'first_seen' | 'events' | 'users' | 'id';
  readonly descending: boolean;
}

export interface Activity {
  readonly id: number;
  readonly issueId: number;
  readonly kind: ActivityKind;
  /** `event` where an event caused it. */
  readonly actor: string;
  readonly atMs: EpochMs;
  /** Such as `unresolved/new`, `resolved`, `ignored`; empty where the state did not change. */
  readonly from: string;
  readonly to: string;
  readonly eventId: string | null;
  readonly release: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface IssueHour {
  readonly issueId: number;
  readonly atMs: EpochMs;
  readonly events: number;
}

export interface IssueMerge {
  readonly id: number;
  /** Includes issues merged into one of them before. */
  readonly issueIds: readonly number[];
  readonly actor: string;
  readonly atMs: EpochMs;
  readonly undoneAtMs: EpochMs | null;
}

export interface ActorAndTime {
  readonly actor: string;
  readonly nowMs: EpochMs;
}

/** Ids of another project are treated as missing. */
export interface IssueStore {
  listIssues(projectId: number, filter: IssueFilter): Promise<Page<Issue>>;
  issuesOf(projectId: number, ids: readonly number[]): Promise<Issue[]>;
  findIssue(projectId: number, issueId: number): Promise<Issue | null>;
  listIssueEvents(
    projectId: number,
    issueId: number,
    filter: EventFilter,
  ): Promise<Page<EventSummary> | null>;
  listIssueActivity(projectId: number, issueId: number, window: OffsetWindow): Promise<Page<Activity>>;
  /** At most 100 issues, in order of time; hours without events are absent. */
  listIssueHours(
    projectId: number,
    issueIds: readonly number[],
    fromMs: EpochMs,
    toMs: EpochMs,
  ): Promise<IssueHour[]>;
  changeIssue(
    projectId: number,
    issueId: number,
    change: IssueChange,
    action: ActorAndTime,
  ): Promise<Issue | null>;
  /** Null when an issue is missing or none is left. Merged issues keep their counts for `unmergeIssues`. */
  mergeIssues(
    projectId: number,
    intoIssueId: number,
    issueIds: readonly number[],
    action: ActorAndTime,
  ): Promise<IssueMerge | null>;
  /** Later events move back too. Null when the merge is missing, of another group, or undone already. */
  unmergeIssues(
    projectId: number,
    issueId: number,
    mergeId: number,
    action: ActorAndTime,
  ): Promise<IssueMerge | null>;
  /** The newest 100, including undone ones. */
  listMerges(projectId: number, issueId: number): Promise<IssueMerge[]>;
}

/** `after` is the newest release of the package when the issue was resolved. */
export type Resolution =
  | { readonly in: 'now' }
  | { readonly in: 'next_release'; readonly after: string | null }
  | { readonly in: 'release'; readonly release: string };

/** `eventsBefore` and `usersBefore` are the issue's counts when it was ignored. */
export type IgnoreCondition =
  | { readonly until: 'forever' }
  | { readonly until: 'date'; readonly atMs: EpochMs }
  | {
      readonly until: 'count';
      readonly count: number;
      readonly windowMs: number | null;
      readonly eventsBefore: number;
    }
  | { readonly until: 'users'; readonly users: number; readonly usersBefore: number };

export interface IssueState {
  readonly status: IssueStatus;
  readonly substatus: IssueSubstatus | null;
  readonly resolution: Resolution | null;
  readonly ignore: IgnoreCondition | null;
  readonly changedAtMs: EpochMs;
}

export type ActivityKind =
  | 'first_seen'
  | 'regressed'
  | 'ongoing'
  | 'ignore_ended'
  | 'resolved'
  | 'ignored'
  | 'unresolved'
  | 'merged'
  | 'unmerged'
  | 'hash_added'
  | 'events_moved'
  | 'split'
  | 'mapped'
  | 'assigned'
  | 'linked'
  | 'unlinked';

export type IssueChange =
  | { readonly status: 'unresolved' }
  | { readonly status: 'resolved'; readonly in: 'now' | 'next_release' }
  | { readonly status: 'resolved'; readonly in: 'release'; readonly release: string }
  | { readonly status: 'ignored'; readonly until: 'forever' }
  | { readonly status: 'ignored'; readonly until: 'date'; readonly atMs: EpochMs }
  | {
      readonly status: 'ignored';
      readonly until: 'count';
      readonly count: number;
      readonly windowMs: number | null;
    }
  | { readonly status: 'ignored'; readonly until: 'users'; readonly users: number };

/** A comment as another database has it: who wrote it is a name there. */
export interface ImportedComment {
  readonly issueId: number;
  readonly author: string;
  readonly atMs: EpochMs;
  readonly body: string;
}

export type Assignee =
  | { readonly memberId: number; readonly name: string }
  | { readonly teamId: number; readonly name: string };

export interface ImportStore {
  /** False where a user has changed the state here, or it is the same already. */
  importIssueStateRecord(
    projectId: number,
    issueId: number,
    state: IssueState,
    action: ActorAndTime,
  ): Promise<boolean>;
  /** False where the issue was assigned or unassigned here before. */
  importAssignee(projectId: number, issueId: number, to: Assignee, action: ActorAndTime): Promise<boolean>;
  /** False where the same author has the same comment at the same time. */
  importCommentRecord(projectId: number, comment: ImportedComment): Promise<boolean>;
  /** With the first stored event of each issue that the merge moved. */
  findForeignMerge(
    projectId: number,
    mergeId: number,
  ): Promise<{ readonly actor: string; readonly atMs: EpochMs; readonly events: readonly string[] } | null>;
  findCommentByNumber(projectId: number, commentId: number): Promise<ImportedComment | null>;
}

export interface ActiveIssue {
  readonly issueId: number;
  readonly projectId: number;
  readonly events: number;
  readonly users: number;
  readonly lastSeenMs: EpochMs;
}

interface IssueTimeRange extends Pick<ActiveIssue, 'projectId' | 'issueId'> {
  readonly fromMs: EpochMs;
}

export interface EventCountGroup {
  readonly environment: string | null;
  readonly release: string | null;
  readonly level: string;
  readonly user: string | null;
  readonly events: number;
}

interface SessionsOfRelease {
  readonly releaseId: number;
  readonly version: string;
  readonly sessions: number;
  readonly crashed: number;
}

interface EventCountSlot {
  readonly atMs: EpochMs;
  readonly events: number;
}

export interface IssueActivityStore {
  listSessionsOfReleases(
    projectId: number,
    sinceMs: EpochMs,
    minimum: number,
  ): Promise<readonly SessionsOfRelease[]>;
  /** Without merged and ignored issues; last seen first, at most 20,000. */
  listActiveIssues(threshold: {
    readonly sinceMs: EpochMs;
    readonly over: number;
  }): Promise<readonly ActiveIssue[]>;
  /** Stops counting at `limit` + 1. */
  countSeen(issue: IssueTimeRange, unit: 'events' | 'users', limit: number): Promise<number>;
  /** Grouped by what filters compare, and by user. Beyond `limit` only events in the slots of `listSeenSlots`. */
  seenParts(
    issue: IssueTimeRange,
    unit: 'events' | 'users',
    toMs: EpochMs,
    limit: number,
  ): Promise<readonly EventCountGroup[]>;
  /** Includes empty slots. Ends with the slot that brings the sum over `limit`, read from `toMs` back. */
  listSeenSlots(issue: IssueTimeRange, toMs: EpochMs, limit: number): Promise<readonly EventCountSlot[]>;
  newestEventOf(issue: Pick<ActiveIssue, 'projectId' | 'issueId'>): Promise<string | null>;
}

export type BulkActionKind = 'resolved' | 'ignored' | 'unresolved' | 'assigned' | 'unassigned' | 'merged';

export interface BulkAction {
  readonly id: number;
  readonly action: BulkActionKind;
  readonly atMs: EpochMs;
}

type AssigneeIds = Pick<Issue, 'assignedTo' | 'assignedTeam'>;

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
    actorAndTime: ActorAndTime,
  ): Promise<boolean>;
}
