// Releases and deploys in the format of Sentry's API.
import type { SentryCommit, SentryDeploy, SentryRelease } from '../../../schemas/sentry-api.ts';
import { momentText } from '../reading/moments.ts';
import type { Project } from '../store/projects.ts';
import type { Deploy, Release } from '../store/releases.ts';
import type { StoredCommit } from './prepare.ts';

export function viewSentryRelease(project: Project, release: Release): SentryRelease {
  return {
    version: release.version,
    shortVersion: release.version.split('@').at(-1) ?? release.version,
    status: release.status,
    ref: release.ref,
    url: release.url,
    dateCreated: momentText(release.createdAtMs),
    dateStarted: momentText(release.dateStartedMs),
    dateReleased: momentText(release.dateReleasedMs),
    commitCount: release.commitCount,
    newGroups: 0,
    projects: [{ slug: project.name, name: project.name }],
  };
}

/** Newest first. */
export function viewSentryCommits({ commits }: Pick<Release, 'commits'>): SentryCommit[] {
  const kept = commits === null ? [] : (JSON.parse(commits) as StoredCommit[]);
  return kept.map(({ id, message, timestamp, author_name: name, author_email: email, repository }) => ({
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
    dateStarted: momentText(deploy.dateStartedMs),
    dateFinished: momentText(deploy.dateFinishedMs),
  };
}
