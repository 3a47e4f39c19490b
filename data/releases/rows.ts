import { eachReleaseText } from '../../schemas/releases.ts';
import { createVersionSortKey } from '../../src/core/releases/version.ts';
import type { Deploy, Release } from '../../src/core/store/releases.ts';
import { defaulted, flag, integer, named, nullable, oneOf, type RowOf, tableOf, text } from '../table.ts';

export const writtenReleases = tableOf('releases', {
  id: defaulted(integer),
  projectId: integer,
  version: text,
  versionSort: nullable(text),
  ...eachReleaseText(() => nullable(text)),
  status: oneOf<Release['status']>(),
  createdAtMs: integer,
  /** Null while only events have named it. */
  registeredAtMs: nullable(integer),
  updatedAtMs: nullable(integer),
  dateStartedMs: nullable(integer),
  dateReleasedMs: nullable(integer),
  commits: nullable(text),
  commitCount: integer,
  lastCommit: nullable(text),
  refs: nullable(text),
  metadata: nullable(text),
  searchText: nullable(text),
  firstEventAtMs: defaulted(nullable(integer)),
  lastEventAtMs: defaulted(nullable(integer)),
  upserts: defaulted(integer),
}).without('versionSort', 'registeredAtMs', 'searchText', 'firstEventAtMs', 'lastEventAtMs');
export const releases = writtenReleases.without('upserts');
/** Without commits and refs, which may be a megabyte. */
export const listedReleases = releases.without('commits', 'refs');

/** A release of which only the version is known. */
export function blankRelease(projectId: number, version: string, createdAtMs: number) {
  return {
    projectId,
    version,
    versionSort: createVersionSortKey(version),
    ...eachReleaseText(() => null),
    status: 'open',
    createdAtMs,
    registeredAtMs: null,
    updatedAtMs: null,
    dateStartedMs: null,
    dateReleasedMs: null,
    commits: null,
    commitCount: 0,
    lastCommit: null,
    refs: null,
    metadata: null,
    searchText: null,
  } as const;
}

export function releaseOf(row: RowOf<typeof listedReleases>): Release {
  return { commits: null, refs: null, ...row, updatedAtMs: row.updatedAtMs ?? row.createdAtMs };
}

export const writtenDeploys = tableOf('deploys', {
  id: defaulted(integer),
  projectId: integer,
  releaseId: integer,
  environment: text,
  name: nullable(text),
  url: nullable(text),
  status: oneOf<Deploy['status']>(),
  createdAtMs: integer,
  dateStartedMs: nullable(integer),
  dateFinishedMs: nullable(integer),
  revision: nullable(text),
  repository: nullable(text),
  deployedBy: nullable(text),
  comment: nullable(text),
  key: named('deploy_key', nullable(text)),
  searchText: nullable(text),
  upserts: defaulted(integer),
}).without('searchText');
const deploys = writtenDeploys.without('upserts');
export const deployColumns = `${deploys.columns('d')}, r.version`;

export const environments = tableOf('environments', {
  projectId: integer,
  name: text,
  /** A caller with the secret key named it. */
  declared: flag,
  firstSeenMs: integer,
  lastSeenMs: integer,
});
