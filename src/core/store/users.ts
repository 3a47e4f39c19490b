import type { EpochMs } from '../parsing/timestamps.ts';
import type { EventSummary } from './events.ts';
import type { StoredFeedback } from './feedback.ts';

/** A user of one project, by the keyed hash that its events and issues have. */
export interface UserRef {
  readonly projectId: number;
  /** 32 hex digits. */
  readonly userHash: string;
}

/** Newest events of one user that lists and counts go through; older ones are not counted. */
export const userEventsMax = 10_000;

export interface UserSummary {
  /** Stored events, at most `userEventsMax`. */
  readonly events: number;
  /** Of stored events; null where none is stored any more. */
  readonly firstSeenMs: EpochMs | null;
  readonly lastSeenMs: EpochMs | null;
}

export interface UserIssue {
  /** The issue that this one was merged into, if it was. */
  readonly issueId: number;
  readonly events: number;
  readonly lastSeenMs: EpochMs | null;
}

export interface EventCursor {
  readonly atMs: EpochMs;
  readonly row: number;
}

export interface UserEvent extends EventSummary {
  readonly row: number;
  /** JSON text; null where it is damaged. */
  readonly payload: string | null;
}

export interface UserStore {
  /** Users that have one of these hashes, as their own or as that of another name. At most `limit`. */
  findUsers(projectId: number, hashes: readonly string[], limit: number): Promise<UserRef[]>;
  listUserHashes(user: UserRef): Promise<string[]>;
  summarizeUser(user: UserRef): Promise<UserSummary>;
  /** At most 1,000. */
  listUserIssues(user: UserRef): Promise<UserIssue[]>;
  /** Newest first. */
  listUserEvents(
    user: UserRef,
    window: { readonly before: EventCursor | null; readonly limit: number },
  ): Promise<UserEvent[]>;
  /** Events a day, by the number of the day since 1970 (UTC). */
  countUserDays(user: UserRef, fromMs: EpochMs): Promise<ReadonlyMap<number, number>>;
  /** Bug reports about an event of the user, or with one of these addresses (lower case). Newest first. */
  listUserFeedback(user: UserRef, emails: readonly string[], limit: number): Promise<StoredFeedback[]>;
}

export interface PersonalTerm {
  readonly name: 'id' | 'email' | 'username' | 'name' | 'ip_address';
  readonly value: string;
}

interface NewErasure extends UserRef {
  /** Takes the place of the hash, so that users are counted as before. */
  readonly newHash: string;
  readonly terms: readonly PersonalTerm[];
  readonly atMs: EpochMs;
}

export interface UserErasureStore {
  /** False where the user is being erased already. */
  beginErasure(erasure: NewErasure): Promise<boolean>;
  isErasing(user: UserRef): Promise<boolean>;
  /** Erases the next batch of the oldest erasure; null if none is left. */
  eraseUserSlice(): Promise<{ readonly removed: number } | null>;
}
