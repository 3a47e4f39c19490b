// Release health: how many sessions of a release went well, counted by hour.
import type { EpochMs } from '../../reading/moments.ts';
import { dayMs } from '../../reading/spans.ts';

/** For so long it is known what a session said of itself. */
export const recentSessionsMs = 7 * dayMs;

interface SessionCounts {
  readonly sessions: number;
  readonly exited: number;
  readonly errored: number;
  readonly crashed: number;
  readonly abnormal: number;
}

/** One update of one session, or a sum that a server made of many. */
export interface NewSessions extends SessionCounts {
  readonly projectId: number;
  /**
   * 32 hex: what has the same id is the same session, which counts once, or the same sum sent again. Null
   * where none was sent: it is added as it is.
   */
  readonly id: string | null;
  /** Empty where the client named none. */
  readonly release: string;
  readonly environment: string;
  readonly atMs: EpochMs;
}

export interface SessionStore {
  /**
   * Adds to the counts of each hour; one commit for all. A session counts where it was first heard of, in the
   * hour, release and environment of then; in whatever order its updates come, it is errored once one of them
   * is, and ends once: crashed before abnormal before exited.
   */
  addSessions(sessions: readonly NewSessions[]): Promise<void>;
}
