// `project regroup`, as the store is asked for it: types alone.
import type { EpochMs } from '../reading/moments.ts';
import type { Grouping } from './events.ts';

/** A stored event as far as grouping it again needs it. */
export interface RegroupEvent {
  readonly row: number;
  readonly issueId: number;
  readonly receivedAtMs: EpochMs;
  /** Null where the stored bytes are damaged: such an event stays where it is. */
  readonly payload: string | null;
}

export interface RegroupIssue {
  readonly id: number;
  /** The issue that stands for it. */
  readonly headId: number;
  readonly isOverflow: boolean;
  readonly title: string;
  /** Of the key that it is shown by. */
  readonly keyHash: string;
  /** Of its own events. */
  readonly firstSeenMs: EpochMs;
}

export interface RegroupRun {
  readonly id: number;
  readonly versionAfter: string;
  readonly startedAtMs: EpochMs;
  readonly finishedAtMs: EpochMs | null;
}

/** An event that moves, and how it is grouped from now on. */
export interface RegroupedEvent {
  readonly row: number;
  readonly grouping: Grouping;
}

/** By which key an issue is shown from now on. */
export interface RegroupLabel {
  readonly issueId: number;
  readonly grouping: Grouping;
}

export interface RegroupStore {
  /** Stored events issue by issue, in each by received time, after another; the first ones for null. */
  listRegroupEvents(
    projectId: number,
    after: Pick<RegroupEvent, 'issueId' | 'receivedAtMs' | 'row'> | null,
    limit: number,
  ): Promise<RegroupEvent[]>;
  /** Stored events of an issue by received time, after another; the first ones where it is null. */
  listRegroupEventsOf(
    projectId: number,
    issueId: number,
    after: Pick<RegroupEvent, 'receivedAtMs' | 'row'> | null,
    limit: number,
  ): Promise<RegroupEvent[]>;
  listRegroupIssues(projectId: number, afterId: number, limit: number): Promise<RegroupIssue[]>;
  /** Which issues these hashes lead to; at most 1,000. */
  findRegroupHashes(projectId: number, hashes: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * By plain hash, of at most 1,000: the first key that led somewhere of those that know more
   * (DECISIONS.md D-124).
   */
  findRegroupLeads(projectId: number, plainHashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The last run of a project. */
  findRegroupRun(projectId: number): Promise<RegroupRun | null>;
  /**
   * Takes up the run that was interrupted, else begins one.
   * @throws {ProjectEnded} as do all that change something, when the project is being deleted.
   */
  beginRegroup(projectId: number, versionAfter: string, nowMs: EpochMs): Promise<RegroupRun>;
  /** Lets a hash lead to an issue, wherever it led before. */
  claimRegroupHash(run: RegroupRun, projectId: number, grouping: Grouping, issueId: number): Promise<void>;
  /**
   * Makes an issue for events of `fromId` with that grouping, the oldest of them `eventRow`, and answers its
   * id. Null when the event is gone.
   */
  splitRegroupIssue(
    run: RegroupRun,
    split: {
      readonly projectId: number;
      readonly fromId: number;
      readonly eventRow: number;
      readonly grouping: Grouping;
      readonly events: number;
    },
  ): Promise<number | null>;
  /** Moves at most 100 events in one transaction; answers how many were still there. */
  moveRegrouped(
    run: RegroupRun,
    move: { readonly projectId: number; readonly fromId: number; readonly toId: number },
    events: readonly RegroupedEvent[],
  ): Promise<number>;
  /** Joins the groups of issues with another, as a merge does. */
  joinRegrouped(
    run: RegroupRun,
    projectId: number,
    intoId: number,
    issueIds: readonly number[],
  ): Promise<void>;
  /** Shows at most 50 issues by other keys. */
  labelRegrouped(projectId: number, labels: readonly RegroupLabel[]): Promise<void>;
  /**
   * Counts users anew where events have left, and shows a made issue by what came to it, of one issue of the
   * run; false when none is left.
   */
  recountRegrouped(run: RegroupRun, projectId: number): Promise<boolean>;
  /** Brings the project to the new version: the run is done. */
  finishRegroup(run: RegroupRun, projectId: number, nowMs: EpochMs): Promise<void>;
}
