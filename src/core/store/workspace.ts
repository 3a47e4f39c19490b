// What the pages ask of the store over several projects at once: types alone. Issues are
// issue-pages.ts's.
import type { Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { IssueSubstatus } from './events.ts';
import type { OutcomeName } from './outcomes.ts';

/** What stands beside the places of the shell. */
export interface PlaceCounts {
  readonly openIssues: number;
  /** Reports of visitors since `sinceMs`, spam aside. */
  readonly newReports: number;
  /** Proofs of domains that do not hold. */
  readonly failedProofs: number;
  readonly members: number;
}

/** What stands beside the places of what is watched. */
export interface WatchCounts {
  readonly downMonitors: number;
  /** Planned work aside. */
  readonly openIncidents: number;
  readonly failingChannels: number;
}

/** How far a project has come: whether anything ever arrived. */
interface Arrivals {
  readonly hasEvents: boolean;
}

export interface WorkspaceStore {
  /** Counts for the places of these projects; at most 1,000 of them. */
  placeCounts(projectIds: readonly number[], sinceMs: number): Promise<PlaceCounts>;
  /** Of one project, or of all that is watched where it is null. */
  watchCounts(projectId: number | null): Promise<WatchCounts>;
  /** Whether an event was ever kept for one of these projects. */
  arrivals(projectIds: readonly number[]): Promise<Arrivals>;
  /** How many events of a project are stored, as its issues count them: no event is looked at. */
  countStoredEvents(projectId: number): Promise<number>;
  /** The platforms that the issues of a project name which were seen last, at most 200 of them; by name. */
  recentPlatforms(projectId: number): Promise<string[]>;
}

/** An event as it passes by. */
export interface LiveEvent {
  /** The number of its row: higher than that of every event that was stored before it. */
  readonly row: number;
  readonly projectId: number;
  /** The issue that stands for it now. */
  readonly issueId: number;
  readonly eventId: string;
  readonly receivedAtMs: EpochMs;
  readonly level: Level;
  readonly title: string;
  readonly culprit: string;
}

/** Which of the events that pass by are wanted; null means all. */
export interface LiveFilter {
  readonly projectId: number | null;
  readonly level: Level | null;
}

/** How much became of something, over some hours. */
export interface OutcomeSum {
  readonly projectId: number;
  readonly outcome: OutcomeName;
  readonly reason: string;
  readonly quantity: number;
}

export interface LiveStore {
  /**
   * Whether a commit that is seen means that all rows of lower numbers are seen too. Where several
   * connections write it does not: a number is drawn before its commit.
   */
  readonly rowsInOrder: boolean;
  /** Names of the transactions that may have drawn numbers of rows and are not over; none where in order. */
  eventWriters(): Promise<string[]>;
  /** The highest number of a row there is; 0 where there is none. */
  newestEventRow(): Promise<number>;
  /** Events from that number on, itself included, in their order; at most 1,000. */
  listEventsFrom(row: number, limit: number): Promise<LiveEvent[]>;
  /** The newest of the events that fit with a number above `afterRow`, up to `upToRow`; newest first. */
  listEventsBetween(
    afterRow: number,
    upToRow: number,
    filter: LiveFilter,
    limit: number,
  ): Promise<LiveEvent[]>;
  /** Sums of events, by what became of them, of the hours from `fromMs` up to, not including, `toMs`. */
  sumOutcomes(projectIds: readonly number[], fromMs: EpochMs, toMs: EpochMs): Promise<OutcomeSum[]>;
}

/** How it stands with the open issues of some projects. */
export interface OpenIssues {
  readonly open: number;
  /** First seen since the moment asked for, and open. */
  readonly new: number;
  /** That came back, and are open. */
  readonly regressed: number;
  readonly all: number;
}

/** An open issue that something happened at. */
export interface SeenIssue {
  readonly id: number;
  readonly projectId: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: Level;
  readonly substatus: IssueSubstatus | null;
  readonly firstSeenMs: EpochMs;
  readonly lastSeenMs: EpochMs;
  readonly users: number;
}

/** Events of one issue in one slice of a range: 0 is the first. */
export interface SlicedEvents {
  readonly issueId: number;
  readonly slice: number;
  readonly events: number;
}

/** A range that is cut into slices of whole hours. */
export interface SlicedRange {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly sliceMs: number;
}

export interface NewestRelease {
  readonly id: number;
  readonly projectId: number;
  readonly version: string;
  readonly createdAtMs: EpochMs;
  /** Issues first seen in it. */
  readonly newIssues: number;
  /** Issues that came back in it. */
  readonly regressedIssues: number;
}

export interface NewestRun {
  readonly id: number;
  readonly projectId: number;
  readonly suite: string | null;
  readonly status: string;
  readonly createdAtMs: EpochMs;
  readonly tests: number;
  readonly passed: number;
  /** Those that broke among them. */
  readonly failed: number;
  readonly flaky: number;
}

export interface NewestReport {
  readonly id: number;
  readonly projectId: number;
  readonly message: string;
  readonly domain: string;
  readonly createdAtMs: EpochMs;
}

/** Every list is of at most 1,000 projects. */
export interface OverviewStore {
  countOpenIssues(projectIds: readonly number[], sinceMs: EpochMs): Promise<OpenIssues>;
  /**
   * Open issues that were seen since then, at most `limit`: those that came back first, then fatal ones, then
   * new ones, then the others; of each the last seen first.
   */
  listSeenIssues(projectIds: readonly number[], sinceMs: EpochMs, limit: number): Promise<SeenIssue[]>;
  /** Events of at most 1,000 issues, and of those merged into them. */
  sliceIssueEvents(issueIds: readonly number[], range: SlicedRange): Promise<SlicedEvents[]>;
  newestReleases(projectIds: readonly number[], limit: number): Promise<NewestRelease[]>;
  newestTestRuns(projectIds: readonly number[], limit: number): Promise<NewestRun[]>;
  /** Spam aside. */
  newestReports(projectIds: readonly number[], limit: number): Promise<NewestReport[]>;
}

/** What can be found, in the order of the places. */
export const foundKinds = [
  'issues',
  'feedback',
  'domains',
  'releases',
  'deploys',
  'test_runs',
  'artifacts',
] as const;
export type FoundKind = (typeof foundKinds)[number];

/** One thing that was found; what its texts are depends on its kind. */
export interface FoundThing {
  readonly kind: FoundKind;
  readonly id: number;
  readonly projectId: number;
  /** What it is called: a title, a message, a version, a name, a host. */
  readonly title: string;
  /** Where it is: a culprit, an address, an environment, a branch, a release. */
  readonly place: string;
  /** Its level or state; empty where it has none. */
  readonly state: string;
  readonly atMs: EpochMs;
}

/** An event, and the issue that stands for it. */
interface FoundEvent {
  readonly projectId: number;
  readonly issueId: number;
  readonly eventId: string;
  readonly title: string;
  readonly receivedAtMs: EpochMs;
}

/** By what a thing can be named exactly. */
export type ExactName =
  | { readonly by: 'number'; readonly value: number }
  | { readonly by: 'version' | 'commit' | 'sha256' | 'host'; readonly value: string };

/** Every list is of at most 1,000 projects. */
export interface SearchStore {
  /** Things of one kind in which a text stands, the newest first. */
  findThings(
    kind: FoundKind,
    projectIds: readonly number[],
    text: string,
    limit: number,
  ): Promise<FoundThing[]>;
  /** What has exactly that name: an issue and a test run a number, releases and test runs a commit. */
  findNamed(projectIds: readonly number[], name: ExactName, limit: number): Promise<FoundThing[]>;
  /** Events of that id: each project may have one. */
  findEventsNamed(projectIds: readonly number[], eventId: string, limit: number): Promise<FoundEvent[]>;
}
