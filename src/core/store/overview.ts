// What the overview asks of the store, over several projects at once: types alone.
import type { Level } from '../../../schemas/event.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { IssueSubstatus } from './events.ts';

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
  /** Failures and errors. */
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
