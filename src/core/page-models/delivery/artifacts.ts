import { viewArtifact } from '../../source-maps/views.ts';
import { type Artifact, artifactTypes } from '../../store/artifacts.ts';
import {
  enumParam,
  type ProjectRef,
  pageCursors,
  requireViewedProject,
  sliceParam,
  textParam,
  viewedProjectIds,
} from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { ciSnippets } from './ci-snippets.ts';

export type ListedArtifact = ReturnType<typeof viewListedArtifact>;

export type ArtifactsModel = Awaited<ReturnType<typeof artifactsModel>>;

const artifactsAPage = 40;

export async function artifactsModel(context: RequestContext) {
  const { store } = context.deps;
  const ids = viewedProjectIds(context);
  const filters = {
    type: enumParam(context, 'type', artifactTypes),
    release: textParam(context, 'release'),
    q: textParam(context, 'q'),
  };
  const filter = { type: filters.type, release: filters.release, search: filters.q };
  const [sliced, counts, sums] = await Promise.all([
    store.listArtifactPage(ids, filter, sliceParam(context, artifactsAPage)),
    store.countArtifacts(ids, filter),
    store.contentSums(ids),
  ]);
  const name = (id: number): ProjectRef => requireViewedProject(context, id, 'A project with this number');
  const isFiltered = Object.values(filters).some((each) => each !== null);
  const isNone = !isFiltered && Object.values(counts).every((count) => count === 0);
  return {
    filters,
    counts,
    artifacts: sliced.rows.map((artifact) => viewListedArtifact(artifact, name(artifact.projectId))),
    ...pageCursors(sliced, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id })),
    /** Largest first; the same content under several names counts once. */
    contents: sums.map(({ projectId, contents, bytes }) => ({ project: name(projectId), contents, bytes })),
    how_to_send: isNone ? ciSnippets('artifacts', context.apiUrl) : null,
  };
}

export function viewListedArtifact(artifact: Artifact, project: ProjectRef) {
  return { ...viewArtifact(artifact), project };
}
