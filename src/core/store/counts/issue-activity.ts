import type { EpochMs } from '../../parsing/timestamps.ts';

export interface ActiveIssue {
  readonly issueId: number;
  readonly projectId: number;
  readonly events: number;
  readonly users: number;
  readonly lastSeenMs: EpochMs;
}

export interface IssueTimeRange extends Pick<ActiveIssue, 'projectId' | 'issueId'> {
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

export interface EventCountSlot {
  readonly atMs: EpochMs;
  readonly events: number;
}

export interface IssueActivityStore {
  listSessionsOfReleases(
    projectId: number,
    sinceMs: EpochMs,
    least: number,
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
