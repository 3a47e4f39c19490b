// What retention asks of the store: how much there is, and the oldest events of an issue that may go. Types
// alone.
import type { EpochMs } from '../../reading/moments.ts';

/** An issue by itself, without what was merged into it, as far as retention looks at it. */
export interface KeptIssue {
  readonly id: number;
  readonly projectId: number;
  /** Events of it that are stored. */
  readonly stored: number;
  readonly firstSeenMs: EpochMs;
  readonly lastSeenMs: EpochMs;
}

/** What stays of an issue whatever its age. */
export interface Promised {
  /** So many of its newest events; 0 promises none. */
  readonly newest: number;
  /** Its oldest stored event. */
  readonly first: boolean;
  /** The oldest event of each release, and those that a bug report names. */
  readonly releases: boolean;
}

/** A walk over the events of an issue, the oldest first. It is moved on by each step. */
export interface EvictionWalk {
  readonly projectId: number;
  readonly issueId: number;
  readonly promised: Promised;
  /** Only what was received before; null: whatever its age. */
  readonly beforeMs: EpochMs | null;
  /** Behind which event the next step begins. */
  after: { readonly atMs: EpochMs; readonly row: number } | null;
  /** Whoever removes has a number; a later one takes over. */
  readonly runner: number;
  /** Events that were passed and stay. */
  passed: number;
  /** Which event stays for each release that was met; '' for the first of all. */
  readonly keepers: Map<string, number>;
}

export interface EvictionStep {
  /** Events that went, or would go. */
  readonly events: number;
  /** What they held, in the bytes that a quota counts. */
  readonly bytes: number;
  /** Events that were read and decided on, those that stay among them. */
  readonly rows: number;
  /** Nothing of this walk is left. */
  readonly done: boolean;
  /** Another process took over: what this one knew of the project is old. */
  readonly elsewhere: boolean;
  /** How long the transaction took with its commit, and how long it waited for its turn; milliseconds. */
  readonly tookMs: number;
  readonly waitedMs: number;
}

/** What a project's events hold. */
export interface ProjectWeight {
  readonly projectId: number;
  readonly bytes: number;
}

export interface VacuumStep {
  /** `steps`: pages are given back step by step. `none`: this database gives none back by itself. */
  readonly mode: 'steps' | 'none' | 'not needed';
  readonly pages: number;
  readonly done: boolean;
}

export interface RetentionStore {
  /** Issues of all projects by their number, those that have something stored, `limit` at most. */
  listKeptIssues(afterId: number, limit: number): Promise<KeptIssue[]>;
  /**
   * Takes over from whoever removes events by now: none of its slices is committed after this one answers.
   */
  beginRemoval(): Promise<number>;
  /** One step of a walk that only looks: `rowsMax` events are read at most. */
  lookAtOldest(walk: EvictionWalk, rowsMax: number): Promise<EvictionStep>;
  /**
   * Removes the next events of a walk with all that belongs to them, in one short transaction: at most
   * `eventsMax` of `rowsMax` that are read. Counters stay.
   */
  removeOldest(walk: EvictionWalk, rowsMax: number, eventsMax: number): Promise<EvictionStep>;
  /** What the events of each project hold, read in steps; ends early once `isOver` says so. */
  weighEvents(isOver: () => boolean): Promise<ProjectWeight[]>;
  /** Gives some of the room of what was removed back to the disk. */
  vacuumStep(): Promise<VacuumStep>;
}
