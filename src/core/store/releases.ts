import type { DeployStatus } from '../../../schemas/deploys.ts';
import type { ReleaseTexts } from '../../../schemas/releases.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { CursorPage, CursorWindow, OffsetWindow, Page } from './pagination.ts';

type ReleaseStatus = 'open' | 'archived';

export interface Release extends ReleaseTexts {
  readonly id: number;
  readonly projectId: number;
  readonly version: string;
  readonly status: ReleaseStatus;
  readonly createdAtMs: EpochMs;
  readonly updatedAtMs: EpochMs;
  readonly dateStartedMs: EpochMs | null;
  readonly dateReleasedMs: EpochMs | null;
  readonly commitCount: number;
  readonly lastCommit: string | null;
  /** JSON array; not read for lists. */
  readonly commits: string | null;
  readonly refs: string | null;
  readonly metadata: string | null;
}

/** Null means not given: the stored value stays. */
export interface ReleaseChange
  extends Omit<Release, 'id' | 'status' | 'createdAtMs' | 'updatedAtMs' | 'commitCount'> {
  /** Sorts as text in version order; null where the version is not a number. */
  readonly versionSort: string | null;
  readonly status: ReleaseStatus | null;
  readonly finalizedAtMs: number | null;
  readonly commitCount: number | null;
  readonly nowMs: number;
}

export interface ReleaseFilter extends OffsetWindow {
  readonly version?: string | undefined;
  readonly search?: string | undefined;
  readonly orderBy: 'date_created' | 'date_released' | 'version';
  readonly descending: boolean;
}

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

interface ReleaseIssueIds {
  readonly new: readonly number[];
  readonly regressed: readonly number[];
  readonly resolved: readonly number[];
}

export interface ReleaseStore extends ReleasePageStore {
  /** One statement: of simultaneous calls exactly one gets `created`. */
  upsertRelease(change: ReleaseChange): Promise<{ release: Release; created: boolean }>;
  findRelease(projectId: number, releaseId: number): Promise<Release | null>;
  findReleaseByVersion(projectId: number, version: string): Promise<Release | null>;
  listReleases(projectId: number, filter: ReleaseFilter): Promise<Page<Release>>;
  /** Events, artifacts and test runs keep the version. */
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

export interface DeployChange extends Omit<Deploy, 'id' | 'releaseId' | 'status' | 'createdAtMs'> {
  readonly versionSort: string | null;
  readonly status: DeployStatus | null;
  /** Finish time for a finished deploy without one: now, or its start if that is later. */
  readonly finishDefaultMs: EpochMs;
  readonly nowMs: EpochMs;
}

export interface DeployFilter extends OffsetWindow {
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

export interface DeployStore extends DeployPageStore {
  /** Creates a missing release. An existing `key` updates its deploy. Throws for reversed deploy dates. */
  recordDeploy(change: DeployChange): Promise<RecordedDeploy>;
  findDeploy(projectId: number, deployId: number): Promise<Deploy | null>;
  listDeploys(projectId: number, filter: DeployFilter): Promise<Page<Deploy>>;
}

export interface ReleasePageFilter {
  readonly environment: string | null;
  readonly search: string | null;
}

export interface ReleaseListFigures {
  readonly newIssues: number;
  readonly regressedIssues: number;
  readonly events: number;
  readonly lastEventAtMs: EpochMs | null;
  readonly sessions: number;
  readonly crashedSessions: number;
  readonly recentSessions: number;
  readonly recentSessionsOfProject: number;
}

export interface LastDeploy {
  readonly releaseId: number;
  readonly environment: string;
  readonly atMs: EpochMs;
}

export interface AdoptionInterval {
  readonly fromMs: EpochMs;
  readonly sessions: number;
  readonly otherSessions: number;
  readonly allSessions: number;
}

/** At most 1,000 projects at once. */
export interface ReleasePageStore {
  listReleasePage(
    projectIds: readonly number[],
    filter: ReleasePageFilter,
    slice: CursorWindow,
  ): Promise<CursorPage<Release>>;
  countReleases(projectIds: readonly number[], filter: ReleasePageFilter): Promise<number>;
  findReleaseAnywhere(releaseId: number): Promise<Release | null>;
  releaseSums(
    releases: readonly Release[],
    sinceMs: EpochMs,
  ): Promise<ReadonlyMap<number, ReleaseListFigures>>;
  arrivalsOf(releaseIds: readonly number[]): Promise<LastDeploy[]>;
  deployedEnvironments(projectIds: readonly number[], limit: number): Promise<string[]>;
  /** The previous created version of the same package; null for none. */
  releaseBefore(release: Release): Promise<Release | null>;
  /** Steps of whole hours; steps without sessions are left out. */
  adoption(
    release: Release,
    otherVersion: string | null,
    span: { readonly fromMs: EpochMs; readonly toMs: EpochMs; readonly stepMs: number },
  ): Promise<AdoptionInterval[]>;
}

export interface DeployPageFilter {
  readonly environment: string | null;
  /** `back`: rollbacks. */
  readonly outcome: 'failed' | 'back' | null;
  readonly search: string | null;
  readonly sinceMs: EpochMs | null;
}

export interface DeployWithRollback {
  readonly deploy: Deploy;
  /** True for a rollback: the release was deployed before the one it replaced. */
  readonly isBack: boolean;
  readonly takenBackBy: { readonly id: number; readonly atMs: EpochMs } | null;
}

export interface EnvironmentCount {
  readonly environment: string;
  readonly deploys: number;
  readonly failed: number;
}

export interface DeployPageStore {
  listDeployPage(
    projectIds: readonly number[],
    filter: DeployPageFilter,
    slice: CursorWindow,
  ): Promise<CursorPage<DeployWithRollback>>;
  countDeploys(projectIds: readonly number[], search: string | null): Promise<EnvironmentCount[]>;
}
