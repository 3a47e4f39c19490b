// The rules of releases: one upsert, what a release knows of itself. No Express, no SQL.

import type { ReleaseRequest } from '../../../schemas/releases.ts';
import { type AuditBy, actAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { invalidId } from '../errors.ts';
import { scrubVersion } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import type { Release, ReleaseChange } from '../store/releases.ts';
import { readRelease } from './prepare.ts';

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

/**
 * A release of this project by its version, trimmed and scrubbed as versions are; null where there is none.
 */
export function findReleaseByVersion(deps: Deps, project: Project, version: string): Promise<Release | null> {
  return deps.store.findReleaseByVersion(project.id, scrubVersion(version.trim(), project));
}

/** A release of this project by id; 404 for an id that names none here. */
export async function getRelease(deps: Deps, project: Project, releaseId: number): Promise<Release> {
  const release = await deps.store.findRelease(project.id, releaseId);
  if (release === null) throw invalidId('release');
  return release;
}

/** Removes a release and its deploys; 404 where there is none. */
export async function deleteRelease(
  deps: Deps,
  project: Project,
  releaseId: number,
  by: AuditBy,
): Promise<void> {
  await actAudited(deps, by, async (parts) => {
    const { version } = await getRelease(parts, project, releaseId);
    if (!(await parts.store.deleteRelease(project.id, releaseId))) throw invalidId('release');
    const object = { kind: 'release', id: releaseId, name: version } as const;
    return { result: undefined, told: { action: 'release.deleted', object, projectId: project.id } };
  });
  deps.log.info({ projectId: project.id, releaseId }, 'release deleted');
}
