// Finds the map of each script of an event: by debug id first, then by release, dist and address
// (server-side.md section 2.3). It reads the store; mapping is the affair of the worker.
import type { Artifact, ArtifactStore } from './artifacts.ts';
import { coversName, mapCandidates, nameCandidates, resolveReference } from './script-addresses.ts';
import type { ScriptMap } from './symbolicator.ts';

/** A script that frames name, and the debug id that the event gives it. */
export interface WantedScript {
  readonly file: string;
  readonly debugId: string | null;
}

export interface EventOrigin {
  readonly projectId: number;
  readonly release: string | null;
  readonly dist: string | null;
}

/** For each file the map to use; a file that has none is absent. */
export async function findMaps(
  store: ArtifactStore,
  origin: EventOrigin,
  scripts: readonly WantedScript[],
): Promise<Map<string, ScriptMap>> {
  const maps = new Map<string, ScriptMap>();
  const byDebugId = await artifactsByDebugId(store, origin, scripts);
  for (const script of scripts) {
    const own = script.debugId === null ? [] : (byDebugId.get(script.debugId) ?? []);
    const map = (await mapByDebugId(store, own, script)) ?? (await mapByAddress(store, origin, script));
    if (map !== null) maps.set(script.file, map);
  }
  return maps;
}

/** The source artifact of an address, for lines that a map does not hold; null where none was uploaded. */
export async function findSource(
  store: ArtifactStore,
  origin: EventOrigin,
  address: string,
): Promise<Artifact | null> {
  return findNamed(store, origin, nameCandidates(address), (found) => found.type === 'source');
}

async function artifactsByDebugId(
  store: ArtifactStore,
  origin: EventOrigin,
  scripts: readonly WantedScript[],
): Promise<Map<string, Artifact[]>> {
  const ids = scripts.flatMap((script) => (script.debugId === null ? [] : [script.debugId]));
  const found =
    ids.length === 0 ? [] : await store.findArtifactsByDebugId(origin.projectId, [...new Set(ids)]);
  return Map.groupBy(found, (artifact) => artifact.debugId ?? '');
}

async function mapByDebugId(
  store: ArtifactStore,
  artifacts: readonly Artifact[],
  script: WantedScript,
): Promise<ScriptMap | null> {
  const map = artifacts.find((artifact) => artifact.type === 'source_map');
  if (map !== undefined) return placed(map, addressOfMap(map, script.file), false);
  const own = artifacts.find((artifact) => artifact.type === 'minified_source');
  if (own === undefined) return null;
  const origin = { projectId: own.projectId, release: own.release, dist: own.dist };
  return own.release === null ? inlineOf(own, script.file) : mapOfScript(store, origin, own, script.file);
}

async function mapByAddress(
  store: ArtifactStore,
  origin: EventOrigin,
  script: WantedScript,
): Promise<ScriptMap | null> {
  if (origin.release === null) return null;
  const found = await findNamed(
    store,
    origin,
    nameCandidates(script.file),
    (each) => each.type !== 'source_map',
  );
  if (found !== null) return mapOfScript(store, origin, found, script.file);
  return lonelyMap(store, origin, script.file);
}

/** The map of an uploaded script: inside it, where it says, by its debug id, or beside it. */
async function mapOfScript(
  store: ArtifactStore,
  origin: EventOrigin,
  script: Artifact,
  file: string,
): Promise<ScriptMap | null> {
  const inline = inlineOf(script, file);
  if (inline !== null) return inline;
  if (script.sourceMap !== null) {
    const address = resolveReference(script.sourceMap, file);
    const map = await findNamed(store, origin, [script.sourceMap, ...nameCandidates(address)], isMap);
    if (map !== null) return placed(map, addressOfMap(map, file), false);
  }
  if (script.debugId !== null) {
    const twins = await store.findArtifactsByDebugId(origin.projectId, [script.debugId]);
    const map = twins.find(isMap);
    if (map !== undefined) return placed(map, addressOfMap(map, file), false);
  }
  return lonelyMap(store, origin, file);
}

/** A map that was uploaded under the script's name and `.map`, or under the script's own name. */
async function lonelyMap(store: ArtifactStore, origin: EventOrigin, file: string): Promise<ScriptMap | null> {
  const names = [...mapCandidates(file), ...nameCandidates(file)];
  const map = await findNamed(store, origin, names, isMap);
  return map === null ? null : placed(map, addressOfMap(map, file), false);
}

/** The first of these names that an artifact of the release has: with the event's dist, else with none, else by a pattern. */
async function findNamed(
  store: ArtifactStore,
  origin: EventOrigin,
  names: readonly string[],
  fits: (artifact: Artifact) => boolean,
): Promise<Artifact | null> {
  if (origin.release === null) return null;
  const distinct = [...new Set(names)];
  const found = (await store.findArtifactsByName(origin.projectId, origin.release, distinct)).filter(fits);
  const dists = origin.dist === null ? [null] : [origin.dist, null];
  for (const dist of dists) {
    for (const name of distinct) {
      const match = found.find((artifact) => artifact.name === name && artifact.dist === dist);
      if (match !== undefined) return match;
    }
  }
  const patterns = (await store.findWildcardArtifacts(origin.projectId, origin.release)).filter(fits);
  for (const dist of dists) {
    const match = patterns.find(
      (artifact) => artifact.dist === dist && distinct.some((name) => coversName(artifact.name, name)),
    );
    if (match !== undefined) return match;
  }
  return null;
}

function inlineOf(script: Artifact, file: string): ScriptMap | null {
  return script.hasInlineMap ? placed(script, file, true) : null;
}

function placed(artifact: Artifact, address: string, isInline: boolean): ScriptMap {
  return { content: { sha256: artifact.sha256, size: artifact.size }, isInline, address };
}

/** Where a map lives, for its relative sources: an uploaded `~/x.map` lies on the host of the script. */
function addressOfMap(map: Artifact, file: string): string {
  if (map.name.startsWith('~') && URL.canParse(file) && /^https?:/i.test(file)) {
    return new URL(map.name.slice(1), file).href;
  }
  return map.name.includes('*') ? `${file}.map` : map.name;
}

function isMap(artifact: Artifact): boolean {
  return artifact.type === 'source_map';
}
