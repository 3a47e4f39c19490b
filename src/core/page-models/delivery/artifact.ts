import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { viewArtifact } from '../../source-maps/views.ts';
import type { Artifact } from '../../store/artifacts.ts';
import { requireViewedProject } from '../list-params.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import { type ListedArtifact, viewListedArtifact } from './artifacts.ts';
import { findSourceMap } from './release-files.ts';
import { symbolicatePosition } from './symbolicate-position.ts';

export type ArtifactModel = Awaited<ReturnType<typeof artifactModel>>;

const sameMax = 10;
const inflated = promisify(gunzip);

export async function artifactModel(context: RequestContext) {
  const { store } = context.deps;
  const { artifact, listed } = await artifactOf(context);
  const [release, partners, sameContent, map, tried] = await Promise.all([
    artifact.release === null ? null : store.findReleaseByVersion(artifact.projectId, artifact.release),
    findPartner(context, artifact),
    store.sameContent(artifact, sameMax),
    artifact.type === 'minified_source' ? findSourceMap(store, artifact) : null,
    symbolicatePosition(context, artifact),
  ]);
  return {
    artifact: listed,
    /** Null without a release, or if it was deleted. */
    release_id: release?.id ?? null,
    /** The source map of a script or the script of a source map. */
    belongs_with: partners.map(viewArtifact),
    has_map: artifact.type === 'minified_source' ? map !== null : null,
    same_content: sameContent.map(viewArtifact),
    tried,
  };
}

export async function readArtifact(context: RequestContext) {
  const { artifact } = await artifactOf(context);
  const chunks = await context.deps.store.findContent(artifact.projectId, artifact.sha256);
  if (chunks === null) throw pageNotFound('The content of this artifact');
  const bytes = await inflated(Buffer.concat(chunks), { maxOutputLength: Math.max(1, artifact.size) });
  return { bytes, filename: artifact.name.split(/[/?]/).findLast((part) => part !== '') ?? 'artifact' };
}

async function artifactOf(context: RequestContext): Promise<{ artifact: Artifact; listed: ListedArtifact }> {
  const subject = 'An artifact with this number';
  const artifact = await context.deps.store.findArtifactAnywhere(pathId(context, 'artifact_id', subject));
  if (artifact === null) throw pageNotFound(subject);
  return {
    artifact,
    listed: viewListedArtifact(artifact, requireViewedProject(context, artifact.projectId, subject)),
  };
}

async function findPartner({ deps }: RequestContext, artifact: Artifact): Promise<Artifact[]> {
  const { store } = deps;
  const { projectId, debugId, release, name, type } = artifact;
  if (debugId !== null) {
    const found = await store.findArtifactsByDebugId(projectId, [debugId]);
    return found.filter((each) => each.id !== artifact.id && each.type !== type).slice(0, 1);
  }
  if (release === null) return [];
  const names = type === 'source_map' ? [name.replace(/\.map$/, '')] : [`${name}.map`];
  const found = await store.findArtifactsByName(projectId, release, names);
  return found.filter((each) => each.type !== type).slice(0, 1);
}
