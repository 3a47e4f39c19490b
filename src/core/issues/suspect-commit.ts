// The newest commit of the release of first sight or regression that touches a file of an in-app frame.
import type { IssueDetails } from '../../../schemas/issues.ts';
import type { Deps } from '../deps.ts';
import { type EventFacts, normalizeFile } from '../events/event-facts.ts';
import type { StoredCommit } from '../releases/parse-release.ts';
import type { Issue } from '../store/issues.ts';
import { commitUrl } from './tracker-links.ts';

const filesMax = 10;

/** `message` is its first line, `path` the file of it that a frame is in, `url` null for an unknown repository. */
export type SuspectCommitView = Readonly<NonNullable<IssueDetails['suspect_commit']>>;

type Store = Pick<Deps['store'], 'findReleaseByVersion' | 'lastActivity'>;

/** Null without a release, without commits, or if no commit touches a file of the stack. */
export async function findSuspectCommit(
  store: Store,
  issue: Issue,
  { files }: EventFacts,
  repositoryUrl: string,
): Promise<SuspectCommitView | null> {
  const version = await causingRelease(store, issue);
  const release = version === null ? null : await store.findReleaseByVersion(issue.projectId, version);
  const commits = JSON.parse(release?.commits ?? '[]') as StoredCommit[];
  const found = findCommitOfFiles(commits, files.slice(0, filesMax));
  if (found === null || version === null) return null;
  const { commit, path } = found;
  return {
    commit_id: commit.id,
    message: (commit.message ?? '').trim().split('\n', 1)[0] ?? '',
    author: commit.author_name,
    author_email: commit.author_email,
    release: version,
    path,
    url: commitUrl(repositoryUrl, commit.id),
  };
}

async function causingRelease(store: Store, { projectId, id, state, firstRelease }: Issue) {
  if (state.substatus !== 'regressed') return firstRelease;
  return (await store.lastActivity(projectId, id, ['regressed']))?.release ?? firstRelease;
}

/** Files are in the order of the stack, so the first that any commit touches decides. */
function findCommitOfFiles(commits: readonly StoredCommit[], files: readonly string[]) {
  const newestFirst = commits.toSorted((one, other) => timeOf(other) - timeOf(one));
  for (const file of files) {
    for (const commit of newestFirst) {
      const path = commit.patch_set?.find((patch) => isSameFile(patch.path, file))?.path;
      if (path !== undefined) return { commit, path };
    }
  }
  return null;
}

/** Commits without a time keep the order in which they were sent, newest first. */
function timeOf({ timestamp }: StoredCommit): number {
  const atMs = Date.parse(timestamp ?? '');
  return Number.isFinite(atMs) ? atMs : 0;
}

/** One is the end of the other, at a slash: a name alone says too little, unless both are that. */
function isSameFile(committed: string, framed: string): boolean {
  const [one, other] = [normalizeFile(committed), framed];
  if (one === other) return one !== '';
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.includes('/') && long.endsWith(`/${short}`);
}
