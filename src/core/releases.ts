// The rules of releases: reading a request, one upsert, what a release knows of itself. No Express, no SQL.
import {
  commitMessageCharactersMax,
  type ReleaseCommit,
  type ReleaseRequest,
  type ReleaseView,
  type WholeReleaseView,
} from '../../schemas/releases.ts';
import { momentText, parseMoment } from './dates.ts';
import type { Deps } from './deps.ts';
import { invalidId } from './errors.ts';
import { checkFields } from './field-checks.ts';
import { parseReleaseVersion, versionSortKey } from './release-version.ts';
import { scrubRecord, scrubRecords, scrubVersion } from './scrub-record.ts';
import type { EpochMs, Project } from './store.ts';

export type ReleaseStatus = 'open' | 'archived';

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

/** What a caller says of a release: null means "not said", which leaves what is there. */
export interface ReleaseChange {
  readonly projectId: number;
  readonly version: string;
  /** Text whose plain order is the order of versions, or null where the version is no number. */
  readonly versionSort: string | null;
  readonly ref: string | null;
  readonly url: string | null;
  readonly status: ReleaseStatus | null;
  readonly dateStartedMs: EpochMs | null;
  readonly dateReleasedMs: EpochMs | null;
  /** Taken as the date of release only where there is none yet. */
  readonly finalizedAtMs: EpochMs | null;
  readonly commits: string | null;
  readonly commitCount: number | null;
  readonly lastCommit: string | null;
  readonly refs: string | null;
  readonly metadata: string | null;
  readonly nowMs: EpochMs;
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
 * Makes a release or changes the one of that version: members given replace, members absent (or null) stay, `commits`
 * replaces the list, `finalize` dates a release that has no date. Refuses with 400 naming each wrong member.
 * server-side.md section 1.4.
 */
export async function upsertRelease(
  deps: Deps,
  project: Project,
  request: ReleaseRequest,
): Promise<{ release: Release; created: boolean }> {
  const { release, created } = await deps.store.upsertRelease(
    await readRelease(request, project, deps.now()),
  );
  deps.log.info({ projectId: project.id, releaseId: release.id, created }, 'release recorded');
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

/** Reads a request into a change; throws the 400 that names what is missing or wrong. */
async function readRelease(
  request: ReleaseRequest,
  project: Project,
  nowMs: EpochMs,
): Promise<ReleaseChange> {
  const checks = checkFields(request);
  const version = scrubVersion(checks.requiredVersion(['version', 'release', 'appVersion']), project);
  const ref = checks.text(['ref'], 250);
  const url = checks.url(['url']);
  const dateStartedMs = checks.date(['date_started', 'dateStarted']);
  const dateReleasedMs = checks.date(['date_released', 'dateReleased']);
  const commits = request.commits ?? null;
  for (const [index, commit] of (commits ?? []).entries()) {
    if (
      commit.timestamp !== null &&
      commit.timestamp !== undefined &&
      parseMoment(commit.timestamp) === null
    ) {
      checks.problem(`commits[${index}][timestamp]`, 'Invalid date.');
    }
  }
  checks.finish();
  const kept = scrubRecord(
    {
      ref,
      url,
      refs: request.refs ?? null,
      metadata: request.metadata ?? null,
    },
    project,
  );
  const keptCommits = commits === null ? null : await scrubRecords(commits.map(keptCommit), project);
  return {
    projectId: project.id,
    version,
    versionSort: versionSortKey(version),
    ref: kept.ref,
    url: kept.url,
    status: request.status ?? null,
    dateStartedMs,
    dateReleasedMs,
    finalizedAtMs: request.finalize === true ? nowMs : null,
    commits: keptCommits === null ? null : JSON.stringify(keptCommits),
    commitCount: commits === null ? null : commits.length,
    // Newest first, as git log and sentry-cli write them.
    lastCommit: keptCommits?.[0]?.id ?? null,
    refs: kept.refs ? JSON.stringify(kept.refs) : null,
    metadata: kept.metadata ? JSON.stringify(kept.metadata) : null,
    nowMs,
  };
}

/** A commit as it is kept: known members only, the message cut, the time in one form. */
function keptCommit(commit: ReleaseCommit) {
  const seconds = commit.timestamp ?? null;
  return {
    id: commit.id.trim(),
    repository: commit.repository ?? null,
    message: commit.message?.slice(0, commitMessageCharactersMax).toWellFormed() ?? null,
    author_name: commit.author_name ?? null,
    author_email: commit.author_email ?? null,
    timestamp: seconds === null ? null : momentText(parseMoment(seconds)),
    patch_set: commit.patch_set?.map(({ path, type }) => ({ path, type })) ?? null,
  };
}
