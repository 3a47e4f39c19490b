import { dayMs } from '../../parsing/durations.ts';
import type { EpochMs } from '../../parsing/timestamps.ts';

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
