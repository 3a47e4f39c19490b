// Finds the source map of each script (docs/source-maps.md, "How a map is found").

import type { ScriptMap } from '../ports/symbolication-workers.ts';
import type { Artifact, ArtifactStore } from '../store/artifacts.ts';
import {
  listMapNameCandidates,
  listNameCandidates,
  matchesWildcardName,
  normalizeFileName,
  resolveSourceMapUrl,
} from './artifact-names.ts';

export interface ScriptReference {
  readonly file: string;
  readonly debugId: string | null;
}

export interface EventOrigin {
  readonly projectId: number;
  readonly release: string | null;
  readonly dist: string | null;
}

export async function findSourceMaps(
  store: ArtifactStore,
  origin: EventOrigin,
  scripts: readonly ScriptReference[],
): Promise<Map<string, ScriptMap>> {
  const maps = new Map<string, ScriptMap>();
  // Most projects have no artifacts; this check is cheap.
  if (!(await store.hasArtifacts(origin.projectId))) return maps;
  const byDebugId = await artifactsByDebugId(store, origin, scripts);
  const names = namedArtifacts(store, origin);
  const unknown = scripts.filter((script) => script.debugId === null || !byDebugId.has(script.debugId));
  await names.load(
    unknown.flatMap(({ file }) => [...listNameCandidates(file), ...listMapNameCandidates(file)]),
  );
  for (const script of scripts) {
    const candidates = script.debugId === null ? [] : (byDebugId.get(script.debugId) ?? []);
    const map = (await mapByDebugId(store, candidates, script)) ?? (await mapByAddress(store, names, script));
    if (map !== null) maps.set(script.file, map);
  }
  return maps;
}

/** The uploaded source file, for source lines that a map does not contain. */
export async function findSourceFile(
  store: ArtifactStore,
  origin: EventOrigin,
  address: string,
): Promise<Artifact | null> {
  const names = namedArtifacts(store, origin);
  return names.find(listNameCandidates(address), (found) => found.type === 'source');
}

async function artifactsByDebugId(
  store: ArtifactStore,
  origin: EventOrigin,
  scripts: readonly ScriptReference[],
): Promise<Map<string, Artifact[]>> {
  const ids = scripts.flatMap((script) => (script.debugId === null ? [] : [script.debugId]));
  const found =
    ids.length === 0 ? [] : await store.findArtifactsByDebugId(origin.projectId, [...new Set(ids)]);
  return Map.groupBy(found, (artifact) => artifact.debugId ?? '');
}

async function mapByDebugId(store: ArtifactStore, artifacts: readonly Artifact[], script: ScriptReference) {
  const map = artifacts.find((artifact) => artifact.type === 'source_map');
  if (map !== undefined) return toScriptMap(map, addressOfMap(map, script.file), false);
  const minified = artifacts.find((artifact) => artifact.type === 'minified_source');
  if (minified === undefined) return null;
  const names = namedArtifacts(store, {
    projectId: minified.projectId,
    release: minified.release,
    dist: minified.dist,
  });
  return minified.release === null
    ? inlineOf(minified, script.file)
    : mapOfScript(store, names, minified, script.file);
}

async function mapByAddress(store: ArtifactStore, names: NamedArtifacts, script: ScriptReference) {
  const found = await names.find(listNameCandidates(script.file), (each) => each.type !== 'source_map');
  if (found !== null) return mapOfScript(store, names, found, script.file);
  return findMapByScriptName(names, script.file);
}

/** Inline, by its reference, by its debug id, or by its name. */
async function mapOfScript(store: ArtifactStore, names: NamedArtifacts, script: Artifact, file: string) {
  const inline = inlineOf(script, file);
  if (inline !== null) return inline;
  if (script.sourceMap !== null) {
    const address = resolveSourceMapUrl(script.sourceMap, file);
    const map = await names.find(
      [normalizeFileName(script.sourceMap), ...listNameCandidates(address)],
      isMap,
    );
    if (map !== null) return toScriptMap(map, addressOfMap(map, file), false);
  }
  if (script.debugId !== null) {
    const twins = await store.findArtifactsByDebugId(script.projectId, [script.debugId]);
    const map = twins.find(isMap);
    if (map !== undefined) return toScriptMap(map, addressOfMap(map, file), false);
  }
  return findMapByScriptName(names, file);
}

/** A map uploaded as the script's name with `.map`, or under the script's own name. */
async function findMapByScriptName(names: NamedArtifacts, file: string): Promise<ScriptMap | null> {
  const map = await names.find([...listMapNameCandidates(file), ...listNameCandidates(file)], isMap);
  return map === null ? null : toScriptMap(map, addressOfMap(map, file), false);
}

type NamedArtifacts = ReturnType<typeof namedArtifacts>;

function namedArtifacts(store: ArtifactStore, { projectId, release, dist }: EventOrigin) {
  const known = new Map<string, Artifact[]>();
  let patterns: Promise<Artifact[]> | null = null;
  const dists = dist === null ? [null] : [dist, null];
  async function load(names: readonly string[]): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !known.has(name));
    if (release === null || unknown.length === 0) return;
    for (const name of unknown) known.set(name, []);
    const found = await store.findArtifactsByName(projectId, release, unknown);
    for (const artifact of found) known.get(artifact.name)?.push(artifact);
  }
  return {
    load,
    /** The first match: with the event's dist, else without a dist, else by a wildcard name. */
    async find(names: readonly string[], matches: (artifact: Artifact) => boolean): Promise<Artifact | null> {
      if (release === null) return null;
      await load(names);
      const found = [...new Set(names)].flatMap((name) => known.get(name) ?? []).filter(matches);
      patterns ??= store.findWildcardArtifacts(projectId, release);
      const covering = (await patterns).filter(
        (artifact) => matches(artifact) && names.some((name) => matchesWildcardName(artifact.name, name)),
      );
      for (const candidates of [found, covering]) {
        for (const preferredDist of dists) {
          const match = candidates.find((artifact) => artifact.dist === preferredDist);
          if (match !== undefined) return match;
        }
      }
      return null;
    },
  };
}

function inlineOf(script: Artifact, file: string): ScriptMap | null {
  return script.hasInlineMap ? toScriptMap(script, file, true) : null;
}

function toScriptMap(artifact: Artifact, address: string, isInline: boolean): ScriptMap {
  return { content: { sha256: artifact.sha256, size: artifact.size }, isInline, address };
}

/** Base address for relative sources; `~/x.map` is on the script's host. */
function addressOfMap(map: Artifact, file: string): string {
  if (map.name.startsWith('~') && URL.canParse(file) && /^https?:/i.test(file)) {
    return new URL(map.name.slice(1), file).href;
  }
  return map.name.includes('*') ? `${file}.map` : map.name;
}

function isMap(artifact: Artifact): boolean {
  return artifact.type === 'source_map';
}
