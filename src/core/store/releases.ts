// Releases and deploys as the store keeps them: types alone.
import type { DeployStatus } from '../../../schemas/deploys.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { ListWindow, Page } from './page.ts';

type ReleaseStatus = 'open' | 'archived';

/** What a caller says of a release: null means "not said", which leaves what is there. */
export interface ReleaseChange {
  readonly projectId: number;
  readonly version: string;
  /** Text whose plain order is the order of versions, or null where the version is no number. */
  readonly versionSort: string | null;
  readonly ref: string | null;
  readonly url: string | null;
  readonly status: ReleaseStatus | null;
  readonly dateStartedMs: number | null;
  readonly dateReleasedMs: number | null;
  /** Taken as the date of release only where there is none yet. */
  readonly finalizedAtMs: number | null;
  readonly commits: string | null;
  readonly commitCount: number | null;
  readonly lastCommit: string | null;
  readonly refs: string | null;
  readonly metadata: string | null;
  readonly nowMs: number;
}

export interface Release {
  readonly id: number;
  readonly projectId: number;
  readonly version: string;
  readonly ref: string | null;
  readonly url: string | null;
  readonly status: ReleaseStatus;
  readonly createdAtMs: EpochMs;
  readonly updatedAtMs: EpochMs;
  readonly dateStartedMs: EpochMs | null;
  readonly dateReleasedMs: EpochMs | null;
  readonly commitCount: number;
  /** Id of the newest commit. */
  readonly lastCommit: string | null;
  /** JSON text of an array, or null where none were given; not read for lists. */
  readonly commits: string | null;
  readonly refs: string | null;
  readonly metadata: string | null;
}

export interface ReleaseFilter extends ListWindow {
  readonly version?: string | undefined;
  readonly search?: string | undefined;
  readonly orderBy: 'date_created' | 'date_released' | 'version';
  readonly descending: boolean;
}

/** What other records say of a release, counted when it is read. */
export interface ReleaseFigures {
  readonly newIssues: number;
  readonly regressedIssues: number;
  readonly resolvedIssues: number;
  readonly sessions: number;
  readonly crashedSessions: number;
  readonly erroredSessions: number;
  readonly abnormalSessions: number;
  readonly deploys: number;
  readonly artifacts: number;
  readonly testRuns: number;
}

/** Issues that a release names, the newest first. */
export interface ReleaseIssueIds {
  readonly new: readonly number[];
  readonly regressed: readonly number[];
  readonly resolved: readonly number[];
}

export interface ReleaseStore {
  /** Makes or changes a release in one statement; of many at once exactly one is told `created`. */
  upsertRelease(change: ReleaseChange): Promise<{ release: Release; created: boolean }>;
  findRelease(projectId: number, releaseId: number): Promise<Release | null>;
  findReleaseByVersion(projectId: number, version: string): Promise<Release | null>;
  listReleases(projectId: number, filter: ReleaseFilter): Promise<Page<Release>>;
  /** Removes a release and its deploys; its events, artifacts and test runs keep its name. */
  deleteRelease(projectId: number, releaseId: number): Promise<boolean>;
  releaseFigures(release: Release): Promise<ReleaseFigures>;
  releaseIssueIds(release: Release, limit: number): Promise<ReleaseIssueIds>;
}

export interface Deploy {
  readonly id: number;
  readonly projectId: number;
  readonly releaseId: number;
  readonly version: string;
  readonly environment: string;
  readonly name: string | null;
  readonly url: string | null;
  readonly status: DeployStatus;
  readonly createdAtMs: EpochMs;
  readonly dateStartedMs: EpochMs | null;
  readonly dateFinishedMs: EpochMs | null;
  readonly revision: string | null;
  readonly repository: string | null;
  readonly deployedBy: string | null;
  readonly comment: string | null;
  readonly key: string | null;
}

/** What a caller says of a deploy: null means "not said". */
export interface DeployChange {
  readonly projectId: number;
  readonly version: string;
  readonly versionSort: string | null;
  readonly environment: string;
  readonly name: string | null;
  readonly url: string | null;
  readonly status: DeployStatus | null;
  readonly dateStartedMs: EpochMs | null;
  readonly dateFinishedMs: EpochMs | null;
  /** Taken as the finish of a deploy that is over and has none: now, or its start if that lies later. */
  readonly finishDefaultMs: EpochMs;
  readonly revision: string | null;
  readonly repository: string | null;
  readonly deployedBy: string | null;
  readonly comment: string | null;
  readonly key: string | null;
  readonly nowMs: EpochMs;
}

export interface DeployFilter extends ListWindow {
  readonly releaseId?: number | undefined;
  readonly version?: string | undefined;
  readonly environment?: string | undefined;
  readonly search?: string | undefined;
  readonly orderBy: 'date_created' | 'date_finished' | 'environment';
  readonly descending: boolean;
}

export interface RecordedDeploy {
  readonly deploy: Deploy;
  readonly created: boolean;
  readonly releaseCreated: boolean;
}

export interface DeployStore {
  /**
   * Makes the release if it is missing, then the deploy; with a key that is there, changes that deploy. One
   * transaction. Throws what `deployDatesReversed` answers when the deploy would end before it began, and
   * then changes nothing.
   */
  recordDeploy(change: DeployChange): Promise<RecordedDeploy>;
  findDeploy(projectId: number, deployId: number): Promise<Deploy | null>;
  listDeploys(projectId: number, filter: DeployFilter): Promise<Page<Deploy>>;
}
