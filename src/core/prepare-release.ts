// What a build server says of a release, read and checked: pure, so that it runs where the request came in or
// in a thread. The releases themselves are in releases.ts.
import {
  commitMessageCharactersMax,
  type ReleaseCommit,
  type ReleaseRequest,
} from '../../schemas/releases.ts';
import { cutText } from './cut-text.ts';
import { momentText, parseMoment } from './dates.ts';
import { checkFields } from './field-checks.ts';
import { versionSortKey } from './release-version.ts';

export type ReleaseStatus = 'open' | 'archived';

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

/** Reads a request into a change; throws the 400 that names what is missing or wrong. */
export function readRelease(request: ReleaseRequest, projectId: number, nowMs: number): ReleaseChange {
  const checks = checkFields(request);
  const version = checks.requiredVersion(['version', 'release', 'appVersion']);
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
  return {
    projectId,
    version,
    versionSort: versionSortKey(version),
    ref,
    url,
    status: request.status ?? null,
    dateStartedMs,
    dateReleasedMs,
    finalizedAtMs: request.finalize === true ? nowMs : null,
    commits: commits === null ? null : JSON.stringify(commits.map(keptCommit)),
    commitCount: commits === null ? null : commits.length,
    // Newest first, as git log and sentry-cli write them.
    lastCommit: commits?.[0]?.id ?? null,
    refs: request.refs ? JSON.stringify(request.refs) : null,
    metadata: request.metadata ? JSON.stringify(request.metadata) : null,
    nowMs,
  };
}

/** A commit as it is kept: known members only, the message cut, the time in one form. */
function keptCommit(commit: ReleaseCommit): object {
  const seconds = commit.timestamp ?? null;
  return {
    id: commit.id.trim(),
    repository: commit.repository ?? null,
    message: cutMessage(commit.message ?? null),
    author_name: commit.author_name ?? null,
    author_email: commit.author_email ?? null,
    timestamp: seconds === null ? null : momentText(parseMoment(seconds)),
    patch_set: commit.patch_set?.map(({ path, type }) => ({ path, type })) ?? null,
  };
}

function cutMessage(message: string | null): string | null {
  return message === null ? null : cutText(message, commitMessageCharactersMax).toWellFormed();
}
