// Releases and deploys as the store keeps them: types alone.
import type { DeployStatus } from '../../../schemas/deploys.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { ListWindow, Page, Slice, Sliced } from './page.ts';

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

export interface ReleaseStore extends ReleaseLooks {
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

export interface DeployStore extends DeployLooks {
  /**
   * Makes the release if it is missing, then the deploy; with a key that is there, changes that deploy. One
   * transaction. Throws what `deployDatesReversed` answers when the deploy would end before it began, and
   * then changes nothing.
   */
  recordDeploy(change: DeployChange): Promise<RecordedDeploy>;
  findDeploy(projectId: number, deployId: number): Promise<Deploy | null>;
  listDeploys(projectId: number, filter: DeployFilter): Promise<Page<Deploy>>;
}

export interface ReleaseLookFilter {
  /** Deployed there at some time. */
  readonly environment: string | null;
  readonly search: string | null;
}

/** What a list says of a release, counted for all of its rows at once. */
export interface ReleaseSums {
  readonly newIssues: number;
  readonly regressedIssues: number;
  readonly events: number;
  readonly sessions: number;
  readonly crashedSessions: number;
  /** Sessions since a moment: of the release, and of its project. */
  readonly recentSessions: number;
  readonly recentSessionsOfProject: number;
}

/** The last time that a release came to an environment. */
export interface Arrival {
  readonly releaseId: number;
  readonly environment: string;
  readonly atMs: EpochMs;
}

/** Sessions of one span of time: of a release, of another, and of all. */
export interface AdoptionStep {
  readonly fromMs: EpochMs;
  readonly sessions: number;
  readonly otherSessions: number;
  readonly allSessions: number;
}

/** What pages ask of releases, over one project or many; at most 1,000 projects at once. */
export interface ReleaseLooks {
  sliceReleases(
    projectIds: readonly number[],
    filter: ReleaseLookFilter,
    slice: Slice,
  ): Promise<Sliced<Release>>;
  countReleases(projectIds: readonly number[], filter: ReleaseLookFilter): Promise<number>;
  /** A release by its number alone. */
  lookUpRelease(releaseId: number): Promise<Release | null>;
  /** By the id of the release; those of at most 100. */
  releaseSums(releases: readonly Release[], sinceMs: EpochMs): Promise<ReadonlyMap<number, ReleaseSums>>;
  /** When these releases, 100 at most, last came to each environment. */
  arrivalsOf(releaseIds: readonly number[]): Promise<Arrival[]>;
  /** Environments that deploys named. */
  deployedEnvironments(projectIds: readonly number[], limit: number): Promise<string[]>;
  /** The version before this one among those of its package that were created (D-35); null where none was. */
  releaseBefore(release: Release): Promise<Release | null>;
  /** Sessions in steps of `stepMs`, whole hours; steps without any are left out. */
  adoption(
    release: Release,
    otherVersion: string | null,
    span: { readonly fromMs: EpochMs; readonly toMs: EpochMs; readonly stepMs: number },
  ): Promise<AdoptionStep[]>;
}

export interface DeployLookFilter {
  readonly environment: string | null;
  /** Those that failed, or that brought back what was there before. */
  readonly outcome: 'failed' | 'back' | null;
  readonly search: string | null;
  readonly sinceMs: EpochMs | null;
}

/** A deploy, and what became of it. */
export interface DeployLook {
  readonly deploy: Deploy;
  /** It brought back a release that was there before the one it took the place of. */
  readonly isBack: boolean;
  /** The deploy that took it back; null where it was not. */
  readonly takenBackBy: { readonly id: number; readonly atMs: EpochMs } | null;
}

/** Deploys to an environment. */
export interface EnvironmentCount {
  readonly environment: string;
  readonly deploys: number;
  readonly failed: number;
}

/** What pages ask of deploys, over one project or many; at most 1,000 projects at once. */
export interface DeployLooks {
  sliceDeploys(
    projectIds: readonly number[],
    filter: DeployLookFilter,
    slice: Slice,
  ): Promise<Sliced<DeployLook>>;
  /** The environments with most deploys, those first. */
  countDeploys(projectIds: readonly number[], search: string | null): Promise<EnvironmentCount[]>;
}
