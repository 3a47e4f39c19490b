// What is known of the kits that send to a project: counted as events come, read by /sdk-verify.
import type { EpochMs } from '../../reading/moments.ts';

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
  /** At most 500, those seen last first. */
  readonly sdks: readonly SeenSdk[];
}

export interface ProjectStatistics extends SdkStatistics {
  /** Accepted in the running hour and the 23 before it. */
  readonly events24h: number;
  readonly issuesOpen: number;
  readonly lastEventId: string | null;
}

export interface SdkStatisticsStore {
  /** Figures of a whole project. */
  projectStatistics(projectId: number, nowMs: EpochMs): Promise<ProjectStatistics>;
  /** Counts a verification of a running kit. */
  countVerification(seen: {
    projectId: number;
    domain: string | null;
    sdkName: string;
    sdkVersion: string;
    atMs: EpochMs;
  }): Promise<void>;
}
