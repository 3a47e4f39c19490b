// Issues over several projects at once, as the workspace lists, counts and searches them: types alone.

import type { Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { Issue } from './issues.ts';

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

/** How many issues fit, and which, where those are few. */
export interface FoundIssues {
  readonly counts: Record<IssueTab, number>;
  /** At most 1,000; null where there are more. */
  readonly ids: readonly number[] | null;
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
  /** Since when events are counted by their tags; null where all that is stored is. */
  tagsCountedSince(): Promise<EpochMs | null>;
  /** Counts a slice of what was stored before tags were counted; false when none is left. */
  countStoredTags(): Promise<boolean>;
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
