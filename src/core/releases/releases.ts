import type { ReleaseRequest } from '../../../schemas/releases.ts';
import { type AuditSource, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createNotFoundError } from '../errors.ts';
import { scrubVersion } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import type { Release, ReleaseChange } from '../store/releases.ts';
import { parseReleaseRequest } from './parse-release.ts';
import { parsePackageName } from './version.ts';

/** How many of the newest releases are searched for the previous one with commits. */
const previousSearched = 100;

/** Given fields replace, absent and null ones stay. Throws 400. docs/releases.md, "Creating a release". */
export async function upsertRelease(
  deps: Deps,
  project: Project,
  request: ReleaseRequest,
): Promise<{ release: Release; created: boolean }> {
  return recordRelease(deps, parseReleaseRequest(request, { project, nowMs: deps.now() }));
}

export async function recordRelease(
  deps: Deps,
  change: ReleaseChange,
): Promise<{ release: Release; created: boolean }> {
  const { release, created } = await deps.store.upsertRelease(change);
  deps.log.info({ projectId: change.projectId, releaseId: release.id, created }, 'release recorded');
  return { release, created };
}

export function findReleaseByVersion(deps: Deps, project: Project, version: string): Promise<Release | null> {
  return deps.store.findReleaseByVersion(project.id, scrubVersion(version.trim(), project));
}

/** The newest release of the package with commits that was created before this one, or before now if it is unknown. */
export async function findPreviousWithCommits(
  deps: Deps,
  project: Project,
  version: string,
): Promise<Release | null> {
  const current = await findReleaseByVersion(deps, project, version);
  const packageName = parsePackageName(version);
  const window = { orderBy: 'date_created', descending: true, limit: previousSearched, offset: 0 } as const;
  const { rows } = await deps.store.listReleases(project.id, window);
  const from = current === null ? -1 : rows.findIndex(({ id }) => id === current.id);
  const older = current !== null && from === -1 ? [] : rows.slice(from + 1);
  const isPrevious = (each: Release) =>
    each.commitCount > 0 && parsePackageName(each.version) === packageName;
  return older.find(isPrevious) ?? null;
}

export async function getRelease(deps: Deps, project: Project, releaseId: number): Promise<Release> {
  const release = await deps.store.findRelease(project.id, releaseId);
  if (release === null) throw createNotFoundError('release');
  return release;
}

/** Deletes its deploys too; throws 404. */
export async function deleteRelease(
  deps: Deps,
  project: Project,
  releaseId: number,
  by: AuditSource,
): Promise<void> {
  await runAudited(deps, by, async (txDeps) => {
    const { version } = await getRelease(txDeps, project, releaseId);
    if (!(await txDeps.store.deleteRelease(project.id, releaseId))) throw createNotFoundError('release');
    const object = { kind: 'release', id: releaseId, name: version } as const;
    return { result: undefined, auditEvent: { action: 'release.deleted', object, projectId: project.id } };
  });
  deps.log.info({ projectId: project.id, releaseId }, 'release deleted');
}
