// What the pages ask of the store over several projects at once: types alone.

/** What stands beside the places of the shell. */
export interface PlaceCounts {
  readonly openIssues: number;
  /** Reports of visitors since `sinceMs`, spam aside. */
  readonly newReports: number;
  /** Projects whose newest test run failed. */
  readonly failedRuns: number;
  /** Proofs of domains that do not hold. */
  readonly failedProofs: number;
  readonly members: number;
}

/** How far a project has come: whether anything ever arrived. */
export interface Arrivals {
  readonly hasEvents: boolean;
}

export interface WorkspaceStore {
  /** Counts for the places of these projects; at most 1,000 of them. */
  placeCounts(projectIds: readonly number[], sinceMs: number): Promise<PlaceCounts>;
  /** Whether an event was ever kept for one of these projects. */
  arrivals(projectIds: readonly number[]): Promise<Arrivals>;
}
