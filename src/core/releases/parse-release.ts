import {
  commitMessageCharactersMax,
  eachReleaseText,
  type ReleaseCommit,
  type ReleaseRequest,
} from '../../../schemas/releases.ts';
import { cutText } from '../parsing/cut-text.ts';
import { formatTime, parseTime } from '../parsing/timestamps.ts';
import type { ReleaseReadContext } from '../ports/prepared-data.ts';
import { type FieldKinds, scrubRecord, scrubVersion } from '../scrub/record.ts';
import type { ReleaseChange } from '../store/releases.ts';
import { createFieldValidator } from './field-validation.ts';
import { createVersionSortKey } from './version.ts';

/** Without the store, so that it also runs in a worker. Throws 400 for missing and invalid fields. */
export function parseReleaseRequest(
  request: ReleaseRequest,
  { project, nowMs }: ReleaseReadContext,
): ReleaseChange {
  const checks = createFieldValidator(request);
  const version = scrubVersion(checks.requiredVersion(['version', 'release', 'appVersion']), project);
  const texts = eachReleaseText((name, isUrl) => (isUrl ? checks.url([name]) : checks.text([name])));
  const dateStartedMs = checks.date(['date_started', 'dateStarted']);
  const dateReleasedMs = checks.date(['date_released', 'dateReleased']);
  const commits = request.commits ?? null;
  for (const [index, commit] of (commits ?? []).entries()) {
    if (commit.timestamp !== null && commit.timestamp !== undefined && parseTime(commit.timestamp) === null) {
      checks.problem(`commits[${index}][timestamp]`, 'Invalid date.');
    }
  }
  checks.finish();
  const { refs = null, metadata = null } = request;
  const scrubbed = scrubRecord({ ...texts, refs, metadata }, releaseKinds, project);
  const storedCommits =
    commits?.map((commit) => scrubRecord(storedCommit(commit), commitKinds, project)) ?? null;
  return {
    projectId: project.id,
    version,
    versionSort: createVersionSortKey(version),
    ...eachReleaseText((name) => scrubbed[name]),
    status: request.status ?? null,
    dateStartedMs,
    dateReleasedMs,
    finalizedAtMs: request.finalize === true ? nowMs : null,
    commits: storedCommits === null ? null : JSON.stringify(storedCommits),
    commitCount: commits === null ? null : commits.length,
    // Newest first, as git log and sentry-cli send them.
    lastCommit: storedCommits?.[0]?.id ?? null,
    refs: scrubbed.refs ? JSON.stringify(scrubbed.refs) : null,
    metadata: scrubbed.metadata ? JSON.stringify(scrubbed.metadata) : null,
    nowMs,
  };
}

const releaseKinds = {
  ...eachReleaseText(() => 'text' as const),
  refs: 'text',
  metadata: 'text',
} as const;

const commitKinds: FieldKinds<StoredCommit> = {
  id: 'text',
  repository: 'text',
  message: 'text',
  author_name: 'text',
  author_email: 'text',
  timestamp: 'text',
  patch_set: 'text',
};

export type StoredCommit = ReturnType<typeof storedCommit>;

function storedCommit(commit: ReleaseCommit) {
  const seconds = commit.timestamp ?? null;
  return {
    id: commit.id.trim(),
    repository: commit.repository ?? null,
    message: cutMessage(commit.message ?? null),
    author_name: commit.author_name ?? null,
    author_email: commit.author_email ?? null,
    timestamp: seconds === null ? null : formatTime(parseTime(seconds)),
    patch_set: commit.patch_set?.map(({ path, type }) => ({ path, type })) ?? null,
  };
}

function cutMessage(message: string | null): string | null {
  return message === null ? null : cutText(message, commitMessageCharactersMax).toWellFormed();
}
