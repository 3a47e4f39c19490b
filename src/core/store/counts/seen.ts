// How often issues were seen, and how releases run, as rules of alerts ask for it: types alone.
import type { EpochMs } from '../../reading/moments.ts';

/** An issue that events came to lately. */
export interface ActiveIssue {
  readonly issueId: number;
  readonly projectId: number;
  readonly events: number;
  readonly users: number;
  readonly lastSeenMs: EpochMs;
}

/** An issue with those merged into it, and from when on they are looked at. */
export interface SeenSince extends Pick<ActiveIssue, 'projectId' | 'issueId'> {
  readonly fromMs: EpochMs;
}

/** Events that are alike in all that filters ask of them. */
export interface SeenPart {
  readonly environment: string | null;
  readonly release: string | null;
  readonly level: string;
  /** Null where events are counted. */
  readonly user: string | null;
  readonly events: number;
}

/** Sessions of a release in all, as its page says them. */
interface SessionsOfRelease {
  readonly releaseId: number;
  readonly version: string;
  readonly sessions: number;
  readonly crashed: number;
}

/** How many events of an issue came in the slot (`slotMs`) that begins at a moment. */
export interface SeenSlot {
  readonly atMs: EpochMs;
  readonly events: number;
}

/** How often issues were seen, for rules that ask for it. */
export interface SeenStore {
  /** Releases of a project with sessions since, of those that had at least so many in all. */
  listSessionsOfReleases(
    projectId: number,
    sinceMs: EpochMs,
    least: number,
  ): Promise<readonly SessionsOfRelease[]>;
  /**
   * Issues that stand for themselves, are not ignored and had more than so many events in all, that events
   * came to since; those seen last first, at most 20,000.
   */
  listActiveIssues(asked: {
    readonly sinceMs: EpochMs;
    readonly over: number;
  }): Promise<readonly ActiveIssue[]>;
  /** Events of an issue since, or users in them, counted no further than one over `limit`. */
  countSeen(issue: SeenSince, unit: 'events' | 'users', limit: number): Promise<number>;
  /**
   * The same by what filters ask of events: of each user apart where users are counted. Of more than `limit`
   * events those of the slots alone that `listSeenSlots` has.
   */
  seenParts(
    issue: SeenSince,
    unit: 'events' | 'users',
    toMs: EpochMs,
    limit: number,
  ): Promise<readonly SeenPart[]>;
  /**
   * The events that `countSeen` counts, by slots: from `fromMs`, where one begins, to the running one, which
   * ends at `toMs`; those without events too. What is older than the slot that brings the sum over `limit` is
   * left out, and a slot that has more by itself says one more than that.
   */
  listSeenSlots(issue: SeenSince, toMs: EpochMs, limit: number): Promise<readonly SeenSlot[]>;
  /** The id of the event that came last to an issue, or to one that was merged into it. */
  newestEventOf(issue: Pick<ActiveIssue, 'projectId' | 'issueId'>): Promise<string | null>;
}
