// The artifacts of a release, and whether each of its scripts has a map.
import type { ArtifactView } from '../../../../schemas/artifacts.ts';
import { findMaps } from '../../source-maps/find-maps.ts';
import { mayHaveSourceMaps } from '../../source-maps/map-event.ts';
import { viewArtifact } from '../../source-maps/views.ts';
import type { Artifact } from '../../store/artifacts.ts';
import type { Release } from '../../store/releases.ts';
import type { Visit } from '../visit.ts';

export interface ReleaseFiles {
  readonly total: number;
  readonly shown: readonly ArtifactView[];
  /** Scripts that were looked at, and the names of those that no map was found for. */
  readonly scripts: number;
  readonly without_map: readonly string[];
  /** Whether the project has code that source maps describe, as far as its newest issues say. */
  readonly are_expected: boolean;
}

const filesLookedAt = 100;
const filesShown = 8;

/** The newest files of a release; its scripts are looked up as those of an event would be. */
export async function releaseFiles({ deps }: Visit, release: Release): Promise<ReleaseFiles> {
  const { store } = deps;
  const { rows, total } = await store.listArtifacts(release.projectId, {
    release: release.version,
    descending: true,
    limit: filesLookedAt,
    offset: 0,
  });
  const platforms = await store.recentPlatforms(release.projectId);
  const scripts = rows.filter(({ type }) => type === 'minified_source');
  const missing = await Promise.all(
    scripts.map(async (script) => ((await mapOf(store, script)) === null ? [script.name] : [])),
  );
  return {
    total,
    shown: rows.slice(0, filesShown).map(viewArtifact),
    scripts: scripts.length,
    without_map: missing.flat(),
    are_expected: platforms.length === 0 || platforms.some(mayHaveSourceMaps),
  };
}

/** The map that an event of a script would be mapped by; null where none is there. */
export async function mapOf(store: Visit['deps']['store'], script: Artifact) {
  const file = addressOf(script);
  const origin = { projectId: script.projectId, release: script.release, dist: script.dist };
  const maps = await findMaps(store, origin, [{ file, debugId: script.debugId }]);
  return maps.get(file) ?? null;
}

/** An address under which browsers may have loaded a script: `~` stands for any host. */
export function addressOf({ name }: Pick<Artifact, 'name'>): string {
  return name.startsWith('~/') ? `https://any.invalid${name.slice(1)}` : name.replaceAll('*', 'any.invalid');
}
