import { dayMs } from '../parsing/durations.ts';
import type { EpochMs } from '../parsing/timestamps.ts';

export const recentSessionsMs = 7 * dayMs;

interface SessionCounts {
  readonly sessions: number;
  readonly exited: number;
  readonly errored: number;
  readonly crashed: number;
  readonly abnormal: number;
}

export interface NewSessions extends SessionCounts {
  readonly projectId: number;
  /** 32 hex. The same id counts once; null is always added. */
  readonly id: string | null;
  readonly release: string;
  readonly environment: string;
  readonly atMs: EpochMs;
}

export interface SessionStore {
  /** A session counts in the hour, release and environment of its first update, whatever their order. It is errored
   * if any update is, and ends once: as crashed before abnormal before exited. */
  addSessions(sessions: readonly NewSessions[]): Promise<void>;
}

interface SeenSdk {
  readonly name: string;
  readonly version: string;
  readonly events: number;
  readonly firstSeenMs: EpochMs;
  readonly lastSeenMs: EpochMs;
}

export interface SdkStatistics {
  readonly eventsTotal: number;
  readonly verifications: number;
  readonly firstEventAtMs: EpochMs | null;
  readonly lastEventAtMs: EpochMs | null;
  /** At most 500, last seen first. */
  readonly sdks: readonly SeenSdk[];
}

export interface ProjectStatistics extends SdkStatistics {
  readonly events24h: number;
  readonly issuesOpen: number;
  readonly lastEventId: string | null;
}

export interface SdkStatisticsStore {
  projectStatistics(projectId: number, nowMs: EpochMs): Promise<ProjectStatistics>;
  countVerification(seen: {
    projectId: number;
    domain: string | null;
    sdkName: string;
    sdkVersion: string;
    atMs: EpochMs;
  }): Promise<void>;
}

export const outcomeNames = [
  'accepted',
  'duplicate',
  'filtered',
  'rate_limited',
  'invalid',
  // Valid, but it could not be stored.
  'failed',
  'client_discard',
] as const;

export type OutcomeName = (typeof outcomeNames)[number];

export interface Outcome {
  readonly projectId: number;
  readonly atMs: EpochMs;
  readonly outcome: OutcomeName;
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}

export type OutcomeHour = Omit<Outcome, 'projectId'>;

export interface OutcomeStore {
  /** Accepted and duplicate events are counted by `recordEvent`, not here. */
  addOutcomes(outcomes: readonly Outcome[]): Promise<void>;
  listOutcomes(projectId: number, fromMs: EpochMs, toMs: EpochMs): Promise<OutcomeHour[]>;
}
