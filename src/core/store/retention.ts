import type { EpochMs } from '../parsing/timestamps.ts';
import type { Issue } from './issues.ts';

export interface RetainedIssue extends Pick<Issue, 'id' | 'projectId' | 'firstSeenMs' | 'lastSeenMs'> {
  readonly stored: number;
}

/** Events of an issue that are never deleted for their age. */
export interface ProtectedEvents {
  readonly newest: number;
  readonly first: boolean;
  /** The oldest event of each release, and events that user feedback names. */
  readonly releases: boolean;
}

/** Oldest first. Each step updates `after`, `passed` and `keptByRelease`. */
export interface EvictionCursor {
  readonly projectId: number;
  readonly issueId: number;
  readonly protectedEvents: ProtectedEvents;
  readonly beforeMs: EpochMs | null;
  after: { readonly atMs: EpochMs; readonly row: number } | null;
  /** A process with a higher number takes over the deletion. */
  readonly runner: number;
  passed: number;
  /** The kept event of each release; '' for the first of all. */
  readonly keptByRelease: Map<string, number>;
}

export interface EvictionStep {
  /** Deleted, or to be deleted in a dry run. */
  readonly events: number;
  readonly bytes: number;
  readonly rows: number;
  readonly done: boolean;
  /** Another process took over, so cached data of the project is stale. */
  readonly elsewhere: boolean;
  /** Transaction time with commit, and time in the write queue before it. */
  readonly tookMs: number;
  readonly waitedMs: number;
}

export interface ProjectStorageSize {
  readonly projectId: number;
  readonly bytes: number;
}

export interface VacuumStep {
  /** `steps`: freed by this call. `none`: the database cannot do it by itself. */
  readonly mode: 'steps' | 'none' | 'not needed';
  readonly pages: number;
  readonly done: boolean;
}

export interface RetentionStore {
  listRetainedIssues(afterId: number, limit: number): Promise<RetainedIssue[]>;
  /** Takes over deletion from other processes; their later batches are refused. */
  beginRemoval(): Promise<number>;
  /** Dry run. */
  previewOldest(cursor: EvictionCursor, rowsMax: number): Promise<EvictionStep>;
  /** One short transaction; at most `eventsMax` of the `rowsMax` events read. Counters stay. */
  removeOldest(cursor: EvictionCursor, rowsMax: number, eventsMax: number): Promise<EvictionStep>;
  sumEventBytes(isOver: () => boolean): Promise<ProjectStorageSize[]>;
  vacuumStep(): Promise<VacuumStep>;
}
