import type { Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { EventSummary } from './events.ts';
import type { Activity, ActorAndTime, Assignee, ImportedComment, Issue } from './issues.ts';
import type { OffsetWindow, Page } from './pagination.ts';
import type { ResolvedTerm } from './search-terms.ts';

export const issueTabs = ['open', 'new', 'regressed', 'ignored', 'resolved', 'all'] as const;
export type IssueTab = (typeof issueTabs)[number];

export const issueSorts = ['last_seen', 'first_seen', 'events', 'users', 'trend'] as const;
export type IssueSort = (typeof issueSorts)[number];

/** Filters apply to events between `fromMs` and `toMs`; different events may match different filters. */
export interface IssueListFilter {
  /** At most 1,000. */
  readonly projectIds: readonly number[];
  readonly fromMs: EpochMs;
  /** Exclusive; null for no end. */
  readonly toMs: EpochMs | null;
  /** Words that must all be in title, culprit, message, files, functions or tags; at most 20 are used. */
  readonly search?: string | undefined;
  readonly level?: Level | undefined;
  readonly environment?: string | undefined;
  readonly release?: string | undefined;
  /** Tags that the issue must all have; at most 10 are used. */
  readonly tags?: ReadonlyArray<readonly [name: string, value: string]>;
  /** Keyed hashes that one user may have in events; at most 1,000. */
  readonly userHashes?: readonly string[] | undefined;
  readonly assignedTo?: number | 'nobody' | undefined;
  /** Terms of `query`, which must all hold; their texts and tags are those of events in the range. */
  readonly terms?: readonly ResolvedTerm[] | undefined;
  /** Only these ids, from an earlier `findWorkspaceIssues`, are looked at. */
  readonly among?: readonly number[] | undefined;
}

export interface IssueSearchResult {
  readonly counts: Record<IssueTab, number>;
  /** Last seen first, at most 1,000. */
  readonly ids: readonly number[];
  readonly areAll: boolean;
}

export interface IssueCursor {
  readonly value: number;
  readonly id: number;
}

export interface IssueListWindow {
  readonly tab: IssueTab;
  readonly sort: IssueSort;
  readonly limit: number;
  readonly after?: IssueCursor | null;
  readonly before?: IssueCursor | null;
  /** For `trend`: events of the 24 hours before this hour minus those of the 24 hours before. */
  readonly trendToMs: EpochMs;
}

export interface ListedIssues {
  readonly rows: readonly Issue[];
  readonly newer: IssueCursor | null;
  readonly older: IssueCursor | null;
}

export interface LevelHour extends Readonly<Record<Level, number>> {
  readonly atMs: EpochMs;
}

export interface IssueTagValue {
  readonly tag: string;
  readonly value: string;
  readonly events: number;
  readonly firstSeenMs: EpochMs;
  readonly lastSeenMs: EpochMs;
}

export const listedPayloadBytesMax = 65_536;

export interface IssueListStore {
  /** An issue whose sort value changes between two pages may be on both or on neither. */
  listWorkspaceIssues(filter: IssueListFilter, window: IssueListWindow): Promise<ListedIssues>;
  findWorkspaceIssues(filter: IssueListFilter): Promise<IssueSearchResult>;
  countWorkspaceIssues(filter: IssueListFilter): Promise<Record<IssueTab, number>>;
  /** All accepted events, or with `filter` those of its issues. */
  listLevelHours(
    projectIds: readonly number[],
    fromMs: EpochMs,
    toMs: EpochMs,
    filter: IssueListFilter | null,
  ): Promise<LevelHour[]>;
  /** Payloads of the newest event of each issue, as it is stored after symbolication. Absent for an issue without
   * stored events and for a payload that is damaged or larger than `listedPayloadBytesMax` compressed. */
  listNewestPayloads(issueIds: readonly number[]): Promise<Map<number, string>>;
  listRegressedIn(issueIds: readonly number[]): Promise<Map<number, string>>;
  /** Most frequent first, at most 101 values of each tag. */
  listIssueTags(projectId: number, issueId: number): Promise<IssueTagValue[]>;
  /** At most 50 releases of each project, newest first. */
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

export interface StoredEventRange {
  readonly newestEventId: string | null;
  readonly oldestEventId: string | null;
  /** At most `storedCountMax`, which means that many or more. */
  readonly count: number;
}

export const storedCountMax = 10_000;

export interface EventCursor {
  readonly receivedAtMs: EpochMs;
  readonly eventId: string;
}

export type EventDirection =
  | { readonly way: 'older'; readonly than: EventCursor | null }
  | { readonly way: 'newer'; readonly than: EventCursor };

export interface Comment extends ImportedComment {
  readonly id: number;
  readonly memberId: number | null;
}

export type HistoryEntry =
  | { readonly kind: 'act'; readonly atMs: EpochMs; readonly act: Activity }
  | { readonly kind: 'comment'; readonly atMs: EpochMs; readonly comment: Comment };

export interface HistoryCursor {
  readonly atMs: EpochMs;
  readonly kind: HistoryEntry['kind'];
  readonly id: number;
}

export interface IssueUser {
  readonly userHash: string;
  readonly events: number;
  readonly lastSeenMs: EpochMs;
  /** Of an event of theirs, for its payload. */
  readonly row: number;
}

interface IssueReports {
  readonly count: number;
  readonly newestAtMs: EpochMs | null;
}

export interface DeletingIssue {
  readonly issueId: number;
  readonly projectId: number;
}

export interface IssuePageStore {
  findIssueAnywhere(issueId: number): Promise<Issue | null>;
  /** Locks the current issue of an id, after merges, until the transaction ends. */
  lockIssueForChange(projectId: number, issueId: number): Promise<Issue | null>;
  storedEvents(projectId: number, issueId: number): Promise<StoredEventRange>;
  walkIssueEvents(
    projectId: number,
    issueId: number,
    direction: EventDirection,
    limit: number,
  ): Promise<EventSummary[]>;
  issueReports(projectId: number, issueId: number): Promise<IssueReports>;
  /** Events of the same user as `eventId` among the newest `newestMax` events; null where it has no user. */
  eventsOfUser(
    projectId: number,
    issueId: number,
    eventId: string,
    newestMax: number,
  ): Promise<number | null>;
  /** Of the newest `storedCountMax` events; those seen last come first. */
  listIssueUsers(projectId: number, issueId: number, window: OffsetWindow): Promise<Page<IssueUser>>;
  listIssueHistory(
    projectId: number,
    issueId: number,
    window: { readonly limit: number; readonly before: HistoryCursor | null },
  ): Promise<HistoryEntry[]>;
  countIssueHistory(projectId: number, issueId: number): Promise<number>;
  lastActivity(
    projectId: number,
    issueId: number,
    kinds: readonly Activity['kind'][],
  ): Promise<Activity | null>;
  assignIssue(
    projectId: number,
    issueId: number,
    to: Assignee | null,
    action: ActorAndTime,
  ): Promise<{ readonly before: Issue; readonly changed: boolean } | null>;
  addComment(
    comment: Omit<Comment, 'id'> & { readonly projectId: number; readonly mentioned?: readonly number[] },
  ): Promise<Comment>;
  /** Newest first, of merged issues too. */
  listComments(projectId: number, issueId: number, window: OffsetWindow): Promise<Page<Comment>>;
  findComment(projectId: number, issueId: number, commentId: number): Promise<Comment | null>;
  removeComment(projectId: number, commentId: number): Promise<boolean>;
}

export interface IssueDeletionStore {
  /** Hides an issue and those merged into it, and frees their hashes. Returns how many issues. */
  endIssue(projectId: number, issueId: number, nowMs: EpochMs): Promise<number>;
  /** At most `storedCountMax`; null for an issue that is not being deleted. */
  endingEvents(issueId: number): Promise<{ readonly projectId: number; readonly events: number } | null>;
  nextEndingIssue(): Promise<DeletingIssue | null>;
  /** One batch in one short transaction; `done` when the issue itself is deleted. User feedback stays. */
  removeIssueSlice(issue: DeletingIssue): Promise<{ readonly removed: number; readonly done: boolean }>;
}

export const hashEventsMax = 1_000;
export const hashesMax = 200;

export interface IssueHash {
  readonly hash: string;
  readonly algorithm: string;
  readonly issueId: number;
  readonly sinceMs: EpochMs;
  readonly title: string;
  readonly events: number;
  readonly newest: { readonly row: number; readonly eventId: string; readonly receivedAtMs: EpochMs } | null;
}

export interface IssueHashes {
  readonly keys: readonly IssueHash[];
  readonly checked: number;
  readonly merged: ReadonlyArray<{ readonly issueId: number; readonly events: number }>;
}

/** `gone`: another issue has a hash. `all`: no hash would be left. `none-stored`: no newest event has one. */
export type SplitResult = { readonly into: number } | 'gone' | 'all' | 'none-stored';

export interface IssueSplitStore {
  listIssueKeys(projectId: number, issueId: number): Promise<IssueHashes>;
  /** For later events; `moveSplitSlice` moves stored ones. All hashes of a merged issue unmerge it. */
  splitIssue(
    projectId: number,
    issueId: number,
    hashes: readonly string[],
    action: ActorAndTime,
  ): Promise<SplitResult>;
  isSplitting(projectId: number, issueId: number): Promise<boolean>;
  /** Moves at most 100 events of any issue; false when none is left. */
  moveSplitSlice(): Promise<boolean>;
}
