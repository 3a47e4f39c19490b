// The rules of releases: one upsert, what a release knows of itself. No Express, no SQL.
import type { ReleaseRequest, ReleaseView, WholeReleaseView } from '../../../schemas/releases.ts';
import type { Deps } from '../deps.ts';
import { invalidId } from '../errors.ts';
import { type EpochMs, momentText } from '../reading/moments.ts';
import { scrubVersion } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import { type ReleaseChange, type ReleaseStatus, readRelease } from './prepare.ts';
import { parseReleaseVersion } from './version.ts';

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

export interface ReleaseFilter {
  readonly version?: string;
  readonly search?: string;
  readonly orderBy: 'date_created' | 'date_released' | 'version';
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
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
  listReleases(projectId: number, filter: ReleaseFilter): Promise<{ rows: Release[]; total: number }>;
  /** Removes a release and its deploys; its events, artifacts and test runs keep its name. */
  deleteRelease(projectId: number, releaseId: number): Promise<boolean>;
  releaseFigures(release: Release): Promise<ReleaseFigures>;
  releaseIssueIds(release: Release, limit: number): Promise<ReleaseIssueIds>;
}

/**
 * Makes a release or changes the one of that version: members given replace, members absent (or null) stay,
 * `commits` replaces the list, `finalize` dates a release that has no date. Refuses with 400 naming each
 * wrong member. docs/releases.md, "Creating a release".
 */
export async function upsertRelease(
  deps: Deps,
  project: Project,
  request: ReleaseRequest,
): Promise<{ release: Release; created: boolean }> {
  return recordRelease(deps, readRelease(request, { project, nowMs: deps.now() }));
}

/** The same for a request that was read before. */
export async function recordRelease(
  deps: Deps,
  change: ReleaseChange,
): Promise<{ release: Release; created: boolean }> {
  const { release, created } = await deps.store.upsertRelease(change);
  deps.log.info({ projectId: change.projectId, releaseId: release.id, created }, 'release recorded');
  return { release, created };
}

/** A release of this project by its version, trimmed and scrubbed as versions are; null where there is none. */
export function findReleaseByVersion(deps: Deps, project: Project, version: string): Promise<Release | null> {
  return deps.store.findReleaseByVersion(project.id, scrubVersion(version.trim(), project));
}

/** A release of this project by id; 404 for an id that names none here. */
export async function getRelease(deps: Deps, project: Project, releaseId: number): Promise<Release> {
  const release = await deps.store.findRelease(project.id, releaseId);
  if (release === null) {
    throw invalidId('release');
  }
  return release;
}

/** Removes a release and its deploys and answers what it was; 404 where there is none. */
export async function deleteRelease(deps: Deps, project: Project, releaseId: number): Promise<Release> {
  const release = await getRelease(deps, project, releaseId);
  if (!(await deps.store.deleteRelease(project.id, releaseId))) {
    throw invalidId('release');
  }
  deps.log.info({ projectId: project.id, releaseId }, 'release deleted');
  return release;
}

/** A release with all it knows: its issues, sessions, deploys, artifacts and test runs, counted now. */
export async function viewRelease(deps: Deps, release: Release): Promise<ReleaseView> {
  const figures = await deps.store.releaseFigures(release);
  const { sessions, crashedSessions } = figures;
  return {
    release_id: release.id,
    version: release.version,
    package: parseReleaseVersion(release.version).packageName,
    ref: release.ref,
    url: release.url,
    status: release.status,
    date_created: momentText(release.createdAtMs),
    date_started: momentText(release.dateStartedMs),
    date_released: momentText(release.dateReleasedMs),
    commit_count: release.commitCount,
    last_commit: release.lastCommit,
    metadata: release.metadata === null ? null : JSON.parse(release.metadata),
    issues: {
      new: figures.newIssues,
      regressed: figures.regressedIssues,
      resolved: figures.resolvedIssues,
    },
    sessions: {
      total: sessions,
      crashed: crashedSessions,
      errored: figures.erroredSessions,
      abnormal: figures.abnormalSessions,
      crash_free_share: sessions === 0 ? null : (sessions - crashedSessions) / sessions,
    },
    deploy_count: figures.deploys,
    artifact_count: figures.artifacts,
    test_run_count: figures.testRuns,
  };
}

/** A release as it is shown alone: with its commits and refs and the ids of its issues, at most 100 of each kind. */
export async function viewWholeRelease(deps: Deps, release: Release): Promise<WholeReleaseView> {
  const issueIds = await deps.store.releaseIssueIds(release, 100);
  return {
    ...(await viewRelease(deps, release)),
    issue_ids: issueIds,
    commits: release.commits === null ? [] : JSON.parse(release.commits),
    refs: release.refs === null ? [] : JSON.parse(release.refs),
  };
}
