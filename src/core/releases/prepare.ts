// What a build server says of a release, read and checked: pure, so that it runs where the request came in or
// in a thread. The releases themselves are in releases.ts.
import {
  commitMessageCharactersMax,
  type ReleaseCommit,
  type ReleaseRequest,
} from '../../../schemas/releases.ts';
import { cutText } from '../reading/cut-text.ts';
import { momentText, parseMoment } from '../reading/moments.ts';
import { type ScrubbedProject, scrubRecord, scrubVersion } from '../scrub/record.ts';
import { checkFields } from './field-checks.ts';
import { versionSortKey } from './version.ts';

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

/** Whose release it is, and what decides how its texts are scrubbed: plain data. */
type ReleasedProject = ScrubbedProject & { readonly id: number };

/** Whose release is told of, and when. */
export interface ReleaseFacts {
  readonly project: ReleasedProject;
  readonly nowMs: number;
}

/** Reads a request into a change, scrubbed; throws the 400 that names what is missing or wrong. */
export function readRelease(request: ReleaseRequest, { project, nowMs }: ReleaseFacts): ReleaseChange {
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
  const { refs = null, metadata = null } = request;
  const kept = scrubRecord({ ref, url, refs, metadata }, project);
  const keptCommits = commits?.map((commit) => scrubRecord(keptCommit(commit), project)) ?? null;
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
