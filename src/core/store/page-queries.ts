import type { Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { Outcome } from './counts.ts';
import type { EventSummary, IssueSubstatus } from './events.ts';
import type { Issue } from './issues.ts';
import type { Release } from './releases.ts';
import type { TestRun } from './test-runs.ts';

interface PlaceCounts {
  readonly openIssues: number;
  readonly newReports: number;
  /** Domain verifications that are not valid. */
  readonly failedProofs: number;
  readonly members: number;
}

export interface MonitoringCounts {
  readonly downMonitors: number;
  readonly openIncidents: number;
  readonly failingChannels: number;
}

interface Arrivals {
  readonly hasEvents: boolean;
}

export interface WorkspaceStore {
  /** At most 1,000 projects. */
  placeCounts(projectIds: readonly number[], sinceMs: number): Promise<PlaceCounts>;
  watchCounts(projectId: number | null): Promise<MonitoringCounts>;
  arrivals(projectIds: readonly number[]): Promise<Arrivals>;
  /** Sum of the issue counters; reads no events. */
  countStoredEvents(projectId: number): Promise<number>;
  /** Platforms of the 200 issues seen last, sorted by name. */
  recentPlatforms(projectId: number): Promise<string[]>;
}

export interface LiveEvent
  extends Pick<EventSummary, 'issueId' | 'eventId' | 'receivedAtMs' | 'level' | 'title' | 'culprit'> {
  readonly row: number;
  readonly projectId: number;
}

export interface LiveFilter {
  /** Null for all. */
  readonly projectIds: readonly number[] | null;
  readonly level: Level | null;
}

export type OutcomeSum = Omit<Outcome, 'atMs' | 'category'>;

export interface LiveStore {
  /** Whether rows become visible in the order of their numbers: not so with several connections. */
  readonly rowsInOrder: boolean;
  /** Open transactions that may have assigned row numbers; empty where `rowsInOrder`. */
  eventWriters(): Promise<string[]>;
  newestEventRow(): Promise<number>;
  listEventsFrom(row: number, limit: number): Promise<LiveEvent[]>;
  listEventsBetween(
    afterRow: number,
    upToRow: number,
    filter: LiveFilter,
    limit: number,
  ): Promise<LiveEvent[]>;
  /** By received time, the newest first: from the event of the row on, from the newest for null. */
  listProjectEvents(projectId: number, upToRow: number | null, limit: number): Promise<LiveEvent[]>;
  sumOutcomes(projectIds: readonly number[], fromMs: EpochMs, toMs: EpochMs): Promise<OutcomeSum[]>;
}

export interface RecentIssue
  extends Pick<Issue, 'id' | 'projectId' | 'title' | 'culprit' | 'level' | 'firstSeenMs' | 'lastSeenMs'> {
  readonly substatus: IssueSubstatus | null;
  readonly users: number;
}

interface IntervalEvents {
  readonly issueId: number;
  readonly slice: number;
  readonly events: number;
}

export interface IntervalRange {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly sliceMs: number;
}

interface NewestRelease extends Pick<Release, 'id' | 'projectId' | 'version' | 'createdAtMs'> {
  readonly newIssues: number;
  readonly regressedIssues: number;
}

export type NewestRun = Pick<
  TestRun,
  'id' | 'projectId' | 'suite' | 'status' | 'createdAtMs' | 'tests' | 'passed' | 'failed' | 'flaky'
>;

interface NewestFeedback {
  readonly id: number;
  readonly projectId: number;
  readonly message: string;
  readonly domain: string;
  readonly createdAtMs: EpochMs;
}

/** At most 1,000 projects at once. */
export interface OverviewStore {
  countOpenIssues(
    projectIds: readonly number[],
    sinceMs: EpochMs,
  ): Promise<{
    readonly open: number;
    /** First seen since the given time, and unresolved. */
    readonly new: number;
    readonly regressed: number;
    readonly all: number;
  }>;
  /** Seen since the given time: regressed ones first, then fatal, new, others; last seen first in each. */
  listSeenIssues(projectIds: readonly number[], sinceMs: EpochMs, limit: number): Promise<RecentIssue[]>;
  listIssueEventIntervals(issueIds: readonly number[], range: IntervalRange): Promise<IntervalEvents[]>;
  newestReleases(projectIds: readonly number[], limit: number): Promise<NewestRelease[]>;
  newestTestRuns(projectIds: readonly number[], limit: number): Promise<NewestRun[]>;
  newestReports(projectIds: readonly number[], limit: number): Promise<NewestFeedback[]>;
}

export const searchResultKinds = [
  'issues',
  'feedback',
  'domains',
  'releases',
  'deploys',
  'test_runs',
  'artifacts',
] as const;
export type SearchResultKind = (typeof searchResultKinds)[number];

export interface SearchResult {
  readonly kind: SearchResultKind;
  readonly id: number;
  readonly projectId: number;
  /** A title, message, version, name or host. */
  readonly title: string;
  /** A culprit, URL, environment, branch or release. */
  readonly place: string;
  readonly state: string;
  readonly atMs: EpochMs;
}

type FoundEvent = Omit<LiveEvent, 'row' | 'level' | 'culprit'>;

export type ExactMatch =
  | { readonly by: 'number'; readonly value: number }
  | { readonly by: 'version' | 'commit' | 'sha256' | 'host'; readonly value: string };

/** At most 1,000 projects at once. */
export interface SearchStore {
  findThings(
    kind: SearchResultKind,
    projectIds: readonly number[],
    text: string,
    limit: number,
  ): Promise<SearchResult[]>;
  findNamed(projectIds: readonly number[], name: ExactMatch, limit: number): Promise<SearchResult[]>;
  findEventsNamed(projectIds: readonly number[], eventId: string, limit: number): Promise<FoundEvent[]>;
}
