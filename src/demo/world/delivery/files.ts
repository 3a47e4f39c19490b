// What build servers sent: scripts, their maps, and sources beside them. Contents are made once for each.
import { hash } from 'node:crypto';
import { minuteMs } from '../../../core/reading/spans.ts';
import type { Artifact } from '../../../core/store/artifacts.ts';
import type { PlannedRelease } from '../plan.ts';
import { checkoutApi, mobileShell } from '../story.ts';
import { buildScript, debugIdOf } from './built.ts';
import { type DemoScript, type DemoSource, scripts } from './sources.ts';

/** An artifact, and what is in it. */
export interface DemoFile {
  readonly artifact: Artifact;
  readonly text: string;
}

/** Weeks are counted from 2000: so is what is numbered by releases. */
const filesOfRelease = 20;
const keptContentsMax = 400;
const contents = new Map<string, ReadonlyArray<Omit<DemoFile, 'artifact'> & Content>>();

interface Content {
  readonly name: string;
  readonly type: Artifact['type'];
  readonly debugId: string | null;
  readonly sourceMap: string | null;
  readonly sha256: string;
  readonly size: number;
}

/** The files of some releases up to a time, the newest first, replaced ones among them. */
export function filesOf(releases: readonly PlannedRelease[], nowMs: number): DemoFile[] {
  return releases
    .flatMap((release) => filesOfOne(release, nowMs))
    .filter(({ artifact }) => artifact.createdAtMs <= nowMs)
    .sort(
      (one, other) =>
        other.artifact.createdAtMs - one.artifact.createdAtMs || other.artifact.id - one.artifact.id,
    );
}

function filesOfOne({ id, projectId, version, madeAtMs }: PlannedRelease, nowMs: number): DemoFile[] {
  const sentAtMs = madeAtMs + 2 * minuteMs;
  const file = (content: Omit<DemoFile, 'artifact'> & Content, nth: number, atMs: number): DemoFile => {
    const { text, ...facts } = content;
    const release = { projectId, release: version, dist: null, hasInlineMap: false, replacedAtMs: null };
    return { text, artifact: { id: id * filesOfRelease + nth, ...release, ...facts, createdAtMs: atMs } };
  };
  // Lists show the highest number first: the app before what belongs to it.
  const sent = contentsOf(projectId, version).map((content, nth, all) =>
    file(content, all.length - nth, sentAtMs),
  );
  const map = sent.find(({ artifact }) => artifact.type === 'source_map');
  if (projectId !== mobileShell || map === undefined) return sent;
  // A first map without its sources was sent in haste; the second took its name.
  const first = withoutSources(map.text);
  const artifact = {
    ...map.artifact,
    ...first,
    id: id * filesOfRelease + filesOfRelease - 1,
    createdAtMs: sentAtMs - minuteMs,
    replacedAtMs: sentAtMs <= nowMs ? sentAtMs : null,
  };
  const { text, ...kept } = artifact;
  return [...sent, { text, artifact: kept }];
}

function withoutSources(text: string): { text: string; sha256: string; size: number } {
  const { sourcesContent: _left, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const bare = JSON.stringify(rest);
  return { text: bare, sha256: hash('sha256', bare), size: Buffer.byteLength(bare) };
}

function contentsOf(projectId: number, version: string) {
  const key = `${projectId} ${version}`;
  const found = contents.get(key);
  if (found !== undefined) return found;
  if (contents.size >= keptContentsMax) contents.clear();
  const own = scripts.filter((script) => script.projectId === projectId);
  const made = [
    ...own.flatMap((script) => pairOf(script, version)),
    ...own.filter(() => projectId === checkoutApi).flatMap(({ sources }) => sources.map(sourceFile)),
  ];
  contents.set(key, made);
  return made;
}

/** A script and its map. What stays the same over some releases has one name and one content in all. */
function pairOf({ name: pattern, releases, sources }: DemoScript, version: string) {
  const [major, minor = 0] = version.split('.').map(Number);
  const banner =
    releases === 1 ? `Harbour & Pine ${version}` : `Vendor of ${major}.${Math.floor(minor / releases)}`;
  const debugId = debugIdOf(`${pattern} ${banner}`);
  const name = pattern.replace('*', debugId.slice(0, 6));
  const { script, map } = buildScript(sources, { banner, file: name, debugId });
  const sourceMap = `${name.split('/').at(-1)}.map`;
  return [
    contentOf(`~/${name}`, 'minified_source', script, { debugId, sourceMap }),
    contentOf(`~/${name}.map`, 'source_map', map, { debugId, sourceMap: null }),
  ];
}

function sourceFile({ path, text }: DemoSource) {
  return contentOf(`~/${path}`, 'source', text, { debugId: null, sourceMap: null });
}

function contentOf(
  name: string,
  type: Artifact['type'],
  text: string,
  ids: Pick<Content, 'debugId' | 'sourceMap'>,
) {
  return { name, type, text, ...ids, sha256: hash('sha256', text), size: Buffer.byteLength(text) };
}
