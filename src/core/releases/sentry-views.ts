import type { SentryCommit, SentryDeploy, SentryRelease } from '../../../schemas/sentry-api.ts';
import type { Deps } from '../deps.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Project } from '../store/projects.ts';
import type { Deploy, Release, ReleaseListFigures } from '../store/releases.ts';
import type { StoredCommit } from './parse-release.ts';

export async function viewSentryReleases(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  project: Project,
  releases: readonly Release[],
): Promise<SentryRelease[]> {
  const figures = await store.releaseSums(releases, now());
  return releases.map((release) => viewRelease(project, release, figures.get(release.id)));
}

export async function viewSentryRelease(
  deps: Pick<Deps, 'store' | 'now'>,
  project: Project,
  release: Release,
): Promise<SentryRelease> {
  const figures = await deps.store.releaseSums([release], deps.now());
  return viewRelease(project, release, figures.get(release.id));
}

function viewRelease(
  project: Project,
  release: Release,
  figures: ReleaseListFigures | undefined,
): SentryRelease {
  return {
    version: release.version,
    shortVersion: release.version.split('@').at(-1) ?? release.version,
    status: release.status,
    ref: release.ref,
    url: release.url,
    dateCreated: formatTime(release.createdAtMs),
    dateStarted: formatTime(release.dateStartedMs),
    dateReleased: formatTime(release.dateReleasedMs),
    commitCount: release.commitCount,
    lastCommit: release.lastCommit === null ? null : { id: release.lastCommit },
    newGroups: figures?.newIssues ?? 0,
    lastEvent: formatTime(figures?.lastEventAtMs ?? null),
    projects: [{ slug: project.name, name: project.name }],
  };
}

/** Newest first. */
export function viewSentryCommits({ commits }: Pick<Release, 'commits'>): SentryCommit[] {
  const stored = commits === null ? [] : (JSON.parse(commits) as StoredCommit[]);
  return stored.map(({ id, message, timestamp, author_name: name, author_email: email, repository }) => ({
    id,
    message,
    dateCreated: timestamp,
    author: name === null && email === null ? null : { name, email },
    repository: repository === null ? null : { name: repository },
    pullRequest: null,
    releases: [],
  }));
}

export function viewSentryDeploy(deploy: Deploy): SentryDeploy {
  return {
    id: String(deploy.id),
    environment: deploy.environment,
    name: deploy.name,
    url: deploy.url,
    dateStarted: formatTime(deploy.dateStartedMs),
    dateFinished: formatTime(deploy.dateFinishedMs),
  };
}
