// What the rules may ask about issues and their events: the store's side of the life of an issue and of the
// read side.

import type { Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { EventFilter, EventSummary, Grouping, IssueStatus, IssueSubstatus } from './events.ts';
import type { ListWindow, Page } from './page.ts';

export interface Issue {
  readonly id: number;
  readonly projectId: number;
  /** The issue that stands for this one since a merge; null while it stands for itself. */
  readonly mergedInto: number | null;
  /** True for the one issue a project that takes what came past the cap on new issues (D-20). */
  readonly isOverflow: boolean;
  readonly title: string;
  readonly culprit: string;
  readonly level: Level;
  readonly platform: string;
  /** How its first event was grouped. */
  readonly grouping: Grouping;
  readonly state: IssueState;
  readonly regressionsCount: number;
  /** Events ever filed, those of merged issues included; events that were evicted stay counted. */
  readonly eventsCount: number;
  /** Distinct users; at `issueUsersMax` it means that many or more. */
  readonly usersCount: number;
  /** By received time. */
  readonly firstSeenMs: EpochMs;
  readonly lastSeenMs: EpochMs;
  readonly firstRelease: string | null;
  readonly lastRelease: string | null;
  /** The member who sees to it; null for nobody. */
  readonly assignedTo: number | null;
}

export interface IssueFilter extends ListWindow {
  /** Text to be contained in title or culprit, ASCII case aside. */
  readonly search?: string | undefined;
  readonly status?: IssueStatus | undefined;
  readonly substatus?: IssueSubstatus | undefined;
  readonly level?: Level | undefined;
  readonly platform?: string | undefined;
  /** Only issues with an event of this release, of this environment, or of both at once. */
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  /** Only issues whose first event named this release. */
  readonly firstRelease?: string | undefined;
  readonly orderBy: 'last_seen' | 'first_seen' | 'events' | 'users' | 'id';
  readonly descending: boolean;
}

export interface Activity {
  readonly id: number;
  readonly issueId: number;
  readonly kind: ActivityKind;
  /** `event` for what an event brought about. */
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
  /** The millisecond the hour begins at. */
  readonly atMs: EpochMs;
  readonly events: number;
}

export interface IssueMerge {
  readonly id: number;
  /** The issues that this merge moved, those that came along with another included. */
  readonly issueIds: readonly number[];
  readonly actor: string;
  readonly atMs: EpochMs;
  readonly undoneAtMs: EpochMs | null;
}

/** Who acts, and when. */
export interface Act {
  readonly actor: string;
  readonly nowMs: EpochMs;
}

/** Another project's id is answered as one that is not there: null. */
export interface IssueStore {
  /** Merged issues are not listed: the issue that stands for them is. */
  listIssues(projectId: number, filter: IssueFilter): Promise<Page<Issue>>;
  /** Of these issues, 100 at most, those that are there, in the order of `ids`. */
  issuesOf(projectId: number, ids: readonly number[]): Promise<Issue[]>;
  findIssue(projectId: number, issueId: number): Promise<Issue | null>;
  /** Events of an issue and of all that was merged into it. */
  listIssueEvents(
    projectId: number,
    issueId: number,
    filter: EventFilter,
  ): Promise<Page<EventSummary> | null>;
  listIssueActivity(projectId: number, issueId: number, window: ListWindow): Promise<Page<Activity>>;
  /** Events per hour of at most 100 issues, in order of time; hours without events are absent. */
  listIssueHours(
    projectId: number,
    issueIds: readonly number[],
    fromMs: EpochMs,
    toMs: EpochMs,
  ): Promise<IssueHour[]>;
  /** Moves an issue to the state a person asks for and notes it. Null when the issue is not there. */
  changeIssue(projectId: number, issueId: number, change: IssueChange, act: Act): Promise<Issue | null>;
  /**
   * Files the events of some issues under another, now and from now on. Null when one of them is not there,
   * or none is left to merge. A merged issue keeps its own figures, so that `unmergeIssues` restores it
   * exactly.
   */
  mergeIssues(
    projectId: number,
    intoIssueId: number,
    issueIds: readonly number[],
    act: Act,
  ): Promise<IssueMerge | null>;
  /**
   * Undoes a merge; events that came since go with their own issue. `issueId` is any issue of the group that
   * the merge belongs to. Null, and nothing done, when the merge is not there, is of another group, or was
   * undone before.
   */
  unmergeIssues(projectId: number, issueId: number, mergeId: number, act: Act): Promise<IssueMerge | null>;
  /** Merges into an issue and into all that it stands for, the newest 100, undone ones included. */
  listMerges(projectId: number, issueId: number): Promise<IssueMerge[]>;
}

/**
 * In which release an issue is done. `after` is the newest release of its package when it was resolved, null
 * when there was none.
 */
export type Resolution =
  | { readonly in: 'now' }
  | { readonly in: 'next_release'; readonly after: string | null }
  | { readonly in: 'release'; readonly release: string };

/** What ends the quiet. `eventsBefore` and `usersBefore` are the issue's counts when it was ignored. */
export type IgnoreEnd =
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
  /** Only an unresolved issue has one. */
  readonly substatus: IssueSubstatus | null;
  /** Only a resolved issue has one. */
  readonly resolution: Resolution | null;
  /** Only an ignored issue has one. */
  readonly ignore: IgnoreEnd | null;
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
  | 'assigned';

/** What a person may ask of an issue. */
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
export interface ForeignComment {
  readonly issueId: number;
  readonly author: string;
  readonly atMs: EpochMs;
  readonly body: string;
}

/** Whom an issue is given to; the name is what its history says. */
export interface Assignee {
  readonly memberId: number;
  readonly name: string;
}

/** What an export and an import ask: what people said, as they said it. */
export interface TakingOverStore {
  /**
   * Gives the issue that stands for an id a state that it had elsewhere. Answers whether it has it by this
   * call: not where somebody here has changed its state already, or it is as it was.
   */
  takeOverState(projectId: number, issueId: number, state: IssueState, act: Act): Promise<boolean>;
  /** Gives an issue to a member; false where it was given to somebody, or taken from them, before. */
  takeOverAssignee(projectId: number, issueId: number, to: Assignee, act: Act): Promise<boolean>;
  /** Adds a comment; false where the same author wrote the same at the same time. */
  takeOverComment(projectId: number, comment: ForeignComment): Promise<boolean>;
  /** Who made a merge and when, with the first stored event of each issue that it moved. */
  findForeignMerge(
    projectId: number,
    mergeId: number,
  ): Promise<{ readonly actor: string; readonly atMs: EpochMs; readonly events: readonly string[] } | null>;
  findCommentByNumber(projectId: number, commentId: number): Promise<ForeignComment | null>;
}
