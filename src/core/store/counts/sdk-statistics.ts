import type { EpochMs } from '../../parsing/timestamps.ts';

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
