// How much of each thing a project may have: what clients invent must not grow without end (DECISIONS.md
// D-97).
import { dayMs } from '../reading/spans.ts';

export interface ProjectBounds {
  /**
   * Releases. What only events and sessions name past this counts as `other`; one more created release is
   * refused.
   */
  readonly releasesMax: number;
  /** Environments of events and sessions; past this they count as `other`. */
  readonly environmentsMax: number;
  /** Pairs of release and environment that one issue was seen in; past this its releases count as `other`. */
  readonly issuePlacesMax: number;
  /** Pairs of release and environment whose runs are counted in one hour; past this they count as `other`. */
  readonly healthRowsPerHourMax: number;
  /** Sessions of which it is known what they said of themselves; past this the oldest are forgotten. */
  readonly recentSessionsMax: number;
  /** Bytes of uploads that are not finished: chunks, and contents that no artifact names yet. */
  readonly unfinishedBytesMax: number;
}

/** The bounds of every project. */
export const projectBounds: ProjectBounds = {
  releasesMax: 10_000,
  environmentsMax: 200,
  issuePlacesMax: 1_000,
  healthRowsPerHourMax: 500,
  recentSessionsMax: 300_000,
  unfinishedBytesMax: 5 * 1024 ** 3,
};

/** The one name that all names share for which there is no place; it takes none itself. */
export const otherName = 'other';

/**
 * A name that only clients have said gives its place back when nobody said it for so long, and places are
 * short.
 */
export const unseenNameMs = 30 * dayMs;
