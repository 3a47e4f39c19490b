// Release health: how many runs of a release went well. Counted by hour, nothing is kept of a single run.
import type { EpochMs } from '../../reading/moments.ts';

interface SessionCounts {
  readonly sessions: number;
  readonly exited: number;
  readonly errored: number;
  readonly crashed: number;
  readonly abnormal: number;
}

export interface NewSessions extends SessionCounts {
  readonly projectId: number;
  /** Empty where the client named none. */
  readonly release: string;
  readonly environment: string;
  readonly atMs: EpochMs;
}

export interface SessionStore {
  /** Adds to the counts of each hour; one commit for all. */
  addSessions(sessions: readonly NewSessions[]): Promise<void>;
}
