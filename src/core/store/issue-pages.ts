// What the pages of one issue ask of the store beside `IssueStore`: types alone.
import type { EpochMs } from '../reading/moments.ts';
import type { EventSummary } from './events.ts';
import type { Act, Activity, Issue } from './issues.ts';

/** The first and the last of what is stored of an issue, and how many that is. */
export interface StoredEvents {
  readonly newestEventId: string | null;
  readonly oldestEventId: string | null;
  /** At most `storedCountMax`, which means that many or more. */
  readonly count: number;
}

export const storedCountMax = 10_000;

/** A place in a list of events: the received time and the id of the event there. */
export interface EventPlace {
  readonly receivedAtMs: EpochMs;
  readonly eventId: string;
}

/** One way along the events of an issue: on to older ones, or back to newer ones. */
export type EventWay =
  | { readonly way: 'older'; readonly than: EventPlace | null }
  | { readonly way: 'newer'; readonly than: EventPlace };

export interface Comment {
  readonly id: number;
  readonly issueId: number;
  /** Null for who signed in with the workspace's token. */
  readonly memberId: number | null;
  readonly author: string;
  readonly atMs: EpochMs;
  readonly body: string;
}

/** What happened, and what was written: one history. */
export type HistoryEntry =
  | { readonly kind: 'act'; readonly atMs: EpochMs; readonly act: Activity }
  | { readonly kind: 'comment'; readonly atMs: EpochMs; readonly comment: Comment };

/** Where a page of the history ends; the next one begins before it. */
export interface HistoryPlace {
  readonly atMs: EpochMs;
  readonly kind: HistoryEntry['kind'];
  readonly id: number;
}

/** Reports of visitors that name an event of an issue. */
export interface IssueReports {
  readonly count: number;
  readonly newestAtMs: EpochMs | null;
}

/** An issue that is being deleted. */
export interface EndingIssue {
  readonly issueId: number;
  readonly projectId: number;
}

export interface IssuePageStore {
  /** An issue of any project that is not being deleted; merged ones too. */
  findIssueAnywhere(issueId: number): Promise<Issue | null>;
  /**
   * The issue that stands for an id, held until the end of the transaction that this is called in: nobody
   * else changes it meanwhile.
   */
  holdIssue(projectId: number, issueId: number): Promise<Issue | null>;
  storedEvents(projectId: number, issueId: number): Promise<StoredEvents>;
  /** At most `limit` events of an issue and of all merged into it, the newest first. */
  walkIssueEvents(projectId: number, issueId: number, way: EventWay, limit: number): Promise<EventSummary[]>;
  issueReports(projectId: number, issueId: number): Promise<IssueReports>;
  /**
   * How many of the newest `among` events of an issue are of the user of an event; null where that event
   * knows none.
   */
  eventsOfUser(projectId: number, issueId: number, eventId: string, among: number): Promise<number | null>;
  /** What happened to an issue and was written about it or what it stands for, the newest first. */
  listIssueHistory(
    projectId: number,
    issueId: number,
    window: { readonly limit: number; readonly before: HistoryPlace | null },
  ): Promise<HistoryEntry[]>;
  countIssueHistory(projectId: number, issueId: number): Promise<number>;
  /** The newest activity of certain kinds; null where there is none. */
  lastActivity(
    projectId: number,
    issueId: number,
    kinds: readonly Activity['kind'][],
  ): Promise<Activity | null>;
  /** Gives an issue to a member, or to nobody, and notes it; null where the issue is not there. */
  assignIssue(
    projectId: number,
    issueId: number,
    to: { readonly memberId: number; readonly name: string } | null,
    act: Act,
  ): Promise<{ readonly before: Issue; readonly changed: boolean } | null>;
  addComment(comment: Omit<Comment, 'id'> & { readonly projectId: number }): Promise<Comment>;
  /** A comment on an issue or on one that it stands for. */
  findComment(projectId: number, issueId: number, commentId: number): Promise<Comment | null>;
  removeComment(projectId: number, commentId: number): Promise<boolean>;
}

/** Deleting issues: out of sight at once, gone in slices. */
export interface IssueDeletionStore {
  /**
   * Takes an issue and all that was merged into it out of sight in one commit: neither is found any more,
   * and no hash leads to them. Answers how many issues that is; 0 where it is not there or was merged.
   */
  endIssue(projectId: number, issueId: number, nowMs: EpochMs): Promise<number>;
  /** One of the issues that are being deleted; null where there is none. */
  nextEndingIssue(): Promise<EndingIssue | null>;
  /**
   * Removes a slice of what belongs to an ended issue, and with the last one the issue itself; `done` then.
   * One short transaction. Reports of visitors stay.
   */
  removeIssueSlice(issue: EndingIssue): Promise<{ readonly removed: number; readonly done: boolean }>;
}
