import { mayHaveSourceMaps } from '../../source-maps/apply-source-maps.ts';
import { findSourceMaps } from '../../source-maps/find-source-maps.ts';
import { viewArtifact } from '../../source-maps/views.ts';
import type { Artifact } from '../../store/artifacts.ts';
import type { Release } from '../../store/releases.ts';
import type { RequestContext } from '../request-context.ts';

const filesSearched = 100;
const filesShown = 8;

export async function viewReleaseFiles({ deps }: RequestContext, release: Release) {
  const { store } = deps;
  const { rows, total } = await store.listArtifacts(release.projectId, {
    release: release.version,
    descending: true,
    limit: filesSearched,
    offset: 0,
  });
  const platforms = await store.recentPlatforms(release.projectId);
  const scripts = rows.filter(({ type }) => type === 'minified_source');
  const missing = await Promise.all(
    scripts.map(async (script) => ((await findSourceMap(store, script)) === null ? [script.name] : [])),
  );
  return {
    total,
    shown: rows.slice(0, filesShown).map(viewArtifact),
    scripts: scripts.length,
    without_map: missing.flat(),
    are_expected: platforms.length === 0 || platforms.some(mayHaveSourceMaps),
  };
}

export async function findSourceMap(store: RequestContext['deps']['store'], script: Artifact) {
  const file = artifactUrl(script);
  const origin = { projectId: script.projectId, release: script.release, dist: script.dist };
  const maps = await findSourceMaps(store, origin, [{ file, debugId: script.debugId }]);
  return maps.get(file) ?? null;
}

/** A URL that matches the artifact name: `~` and `*` stand for any host. */
export function artifactUrl({ name }: Pick<Artifact, 'name'>): string {
  return name.startsWith('~/') ? `https://any.invalid${name.slice(1)}` : name.replaceAll('*', 'any.invalid');
}
