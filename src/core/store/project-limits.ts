// Limits per project for what clients can invent, such as release names. Further names count as `other`.
import { dayMs } from '../parsing/durations.ts';

export interface ProjectLimits {
  /** Creating a release by the API beyond it is refused. */
  readonly releasesMax: number;
  readonly environmentsMax: number;
  /** Pairs of release and environment of one issue. */
  readonly issuePlacesMax: number;
  /** Pairs of release and environment with sessions in one hour. */
  readonly healthRowsPerHourMax: number;
  /** Sessions whose last status is known; the oldest are forgotten. */
  readonly recentSessionsMax: number;
  /** Bytes of unfinished uploads: chunks, and contents without an artifact. */
  readonly unfinishedBytesMax: number;
}

export const projectLimits: ProjectLimits = {
  releasesMax: 10_000,
  environmentsMax: 200,
  issuePlacesMax: 1_000,
  healthRowsPerHourMax: 500,
  recentSessionsMax: 300_000,
  unfinishedBytesMax: 5 * 1024 ** 3,
};

/** Name used for all names beyond a limit. Does not count towards the limit itself. */
export const overLimitName = 'other';

/** A name that was only seen in events is removed after this time when the limit is reached. */
export const unusedNameExpiryMs = 30 * dayMs;
