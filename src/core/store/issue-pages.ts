// What the list of issues and the page of one ask of the store: types alone.
import type { Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { EventSummary } from './events.ts';
import type { Act, Activity, Assignee, Issue } from './issues.ts';

export const issueTabs = ['open', 'new', 'regressed', 'ignored', 'resolved', 'all'] as const;
export type IssueTab = (typeof issueTabs)[number];

export const issueSorts = ['last_seen', 'first_seen', 'events', 'users', 'trend'] as const;
export type IssueSort = (typeof issueSorts)[number];

/**
 * Which issues are meant. One fits when some of its events (and of those merged into it) between `fromMs` and
 * `toMs` fit, for each filter by itself.
 */
export interface IssueListFilter {
  /** At most 1,000. */
  readonly projectIds: readonly number[];
  /** A beginning of an hour. */
  readonly fromMs: EpochMs;
  /** A beginning of an hour, not included; null for whatever is still to come. */
  readonly toMs: EpochMs | null;
  /** Words that must all stand in title, culprit, message, files, functions or tags; at most 20 count. */
  readonly search?: string | undefined;
  readonly level?: Level | undefined;
  readonly environment?: string | undefined;
  readonly release?: string | undefined;
  /** Pairs that must all have been seen; at most 10 count. */
  readonly tags?: ReadonlyArray<readonly [name: string, value: string]>;
  /** Keyed hashes of one user, by which an event counts them or they are called; at most 1,000. */
  readonly userHashes?: readonly string[] | undefined;
  /** Whom it is given to. */
  readonly assignedTo?: number | 'nobody' | undefined;
  /** Ids that were found to fit a moment ago (`findWorkspaceIssues`): nothing else is looked at. */
  readonly among?: readonly number[] | undefined;
}

/** How many issues fit, and which. */
export interface FoundIssues {
  readonly counts: Record<IssueTab, number>;
  /** Those seen last, at most 1,000. */
  readonly ids: readonly number[];
  /** Whether those are all. */
  readonly areAll: boolean;
}

/** The place of an issue in a list: what the list is sorted by, and the issue. */
export interface IssuePlace {
  readonly value: number;
  readonly id: number;
}

export interface IssueListWindow {
  readonly tab: IssueTab;
  /** The most of it first. */
  readonly sort: IssueSort;
  readonly limit: number;
  /** Those behind a place, or those before it; not both. */
  readonly after?: IssuePlace | null;
  readonly before?: IssuePlace | null;
  /** For `trend`: events of the 24 hours before this hour less those of the 24 before them. */
  readonly trendToMs: EpochMs;
}

export interface ListedIssues {
  readonly rows: readonly Issue[];
  /** The first and the last place of the page where something stands before or behind it. */
  readonly newer: IssuePlace | null;
  readonly older: IssuePlace | null;
}

export interface LevelHour extends Readonly<Record<Level, number>> {
  /** The millisecond the hour begins at. */
  readonly atMs: EpochMs;
}

/** How often a tag had a value at an issue and all that was merged into it. */
export interface IssueTagValue {
  readonly tag: string;
  readonly value: string;
  readonly events: number;
  readonly firstSeenMs: EpochMs;
  readonly lastSeenMs: EpochMs;
}

export interface IssueListStore {
  /**
   * A page of issues. Between two pages an issue that changed its place may be met twice or not at all; what
   * stayed where it was is met once.
   */
  listWorkspaceIssues(filter: IssueListFilter, window: IssueListWindow): Promise<ListedIssues>;
  /** Which issues fit, whatever their state: asked once, so that list and plot need not look again. */
  findWorkspaceIssues(filter: IssueListFilter): Promise<FoundIssues>;
  /** How many there are under each tab. */
  countWorkspaceIssues(filter: IssueListFilter): Promise<Record<IssueTab, number>>;
  /**
   * Events by level of each hour from `fromMs` to `toMs`: those that the projects took, or with `filter`
   * those of the issues that it means. Hours without events are absent.
   */
  listLevelHours(
    projectIds: readonly number[],
    fromMs: EpochMs,
    toMs: EpochMs,
    filter: IssueListFilter | null,
  ): Promise<LevelHour[]>;
  /** What an issue came back in, by its id: the release of its last regression, where that named one. */
  listRegressedIn(issueIds: readonly number[]): Promise<Map<number, string>>;
  /** The newest values of each tag, the most frequent first: at most 101 a tag. */
  listIssueTags(projectId: number, issueId: number): Promise<IssueTagValue[]>;
  /** Environments by name, and the newest releases with when they were made, at most 50 a project. */
  listFilterNames(projectIds: readonly number[]): Promise<FilterNames>;
}

export interface FilterNames {
  readonly environments: readonly string[];
  readonly releases: ReadonlyArray<{
    readonly projectId: number;
    readonly version: string;
    readonly createdAtMs: EpochMs;
  }>;
}

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
interface IssueReports {
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
    to: Assignee | null,
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
  /**
   * How many events of an issue that is being deleted are still there, at most `storedCountMax`, which means
   * that many or more; null for one that is not being deleted.
   */
  endingEvents(issueId: number): Promise<{ readonly projectId: number; readonly events: number } | null>;
  /** One of the issues that are being deleted; null where there is none. */
  nextEndingIssue(): Promise<EndingIssue | null>;
  /**
   * Removes a slice of what belongs to an ended issue, and with the last one the issue itself; `done` then.
   * One short transaction. Reports of visitors stay.
   */
  removeIssueSlice(issue: EndingIssue): Promise<{ readonly removed: number; readonly done: boolean }>;
}

/** Stored events of an issue that one look at its keys reads, the newest. */
export const keyEventsMax = 1_000;
/** Keys that one look shows. */
export const keysMax = 200;

/** A key that leads to an issue or to one that was merged into it, and what is known of its events. */
export interface IssueKey {
  /** sha256, 64 hex. */
  readonly hash: string;
  readonly algorithm: string;
  /** Whose key it is: the issue itself, or one that was merged into it. */
  readonly issueId: number;
  readonly sinceMs: EpochMs;
  /** Of its newest event, or of its issue where none is stored. */
  readonly title: string;
  /** Among the events that were looked at. */
  readonly events: number;
  /** Null where none of those is its own. */
  readonly newest: { readonly row: number; readonly eventId: string; readonly receivedAtMs: EpochMs } | null;
}

export interface IssueKeys {
  readonly keys: readonly IssueKey[];
  /** Stored events that were looked at: all of them, or the newest `keyEventsMax`. */
  readonly looked: number;
  /** Issues that were merged in, with what each has counted by itself. */
  readonly merged: ReadonlyArray<{ readonly issueId: number; readonly events: number }>;
}

/**
 * `into` is the issue that was made of the keys. `gone`: one of them leads elsewhere by now. `all`: nothing
 * would be left. `none-stored`: one has no event among the newest, and none could tell what it is.
 */
export type SplitDone = { readonly into: number } | 'gone' | 'all' | 'none-stored';

export interface IssueSplitStore {
  /** The keys of an issue that stands for itself. */
  listIssueKeys(projectId: number, issueId: number): Promise<IssueKeys>;
  /**
   * Takes keys out of an issue into one of their own: from this commit on their events are filed there. What
   * is stored follows by `moveSplitSlice`; an issue that was merged in and all of whose keys are named comes
   * out as it is.
   */
  splitIssue(projectId: number, issueId: number, hashes: readonly string[], act: Act): Promise<SplitDone>;
  /** Whether stored events of an issue or of what was merged into it are still to follow their keys. */
  isSplitting(projectId: number, issueId: number): Promise<boolean>;
  /** Moves the next events of any issue, at most 100; false when none is left. */
  moveSplitSlice(): Promise<boolean>;
}
