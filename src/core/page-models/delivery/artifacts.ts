import type { ArtifactView } from '../../../../schemas/artifacts.ts';
import { viewArtifact } from '../../source-maps/views.ts';
import { type Artifact, type ArtifactType, artifactTypes } from '../../store/artifacts.ts';
import type { RequestContext } from '../request-context.ts';
import type { Snippet } from '../snippets.ts';
import { ciSnippets } from './ci-snippets.ts';
import {
  enumParam,
  type PageCursors,
  type ProjectRef,
  pageCursors,
  requireViewedProject,
  sliceParam,
  textParam,
  viewedProjectIds,
} from './list-params.ts';

export interface ListedArtifact extends ArtifactView {
  readonly project: ProjectRef;
}

export interface ArtifactsModel extends PageCursors {
  readonly filters: {
    readonly type: ArtifactType | null;
    readonly release: string | null;
    readonly q: string | null;
  };
  readonly counts: Readonly<Record<ArtifactType, number>>;
  readonly artifacts: readonly ListedArtifact[];
  /** Largest first; the same content under several names counts once. */
  readonly contents: ReadonlyArray<{
    readonly project: ProjectRef;
    readonly contents: number;
    readonly bytes: number;
  }>;
  readonly how_to_send: readonly Snippet[] | null;
}

const artifactsAPage = 40;

export async function artifactsModel(context: RequestContext): Promise<ArtifactsModel> {
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
  const isAsked = Object.values(filters).some((each) => each !== null);
  const isNone = !isAsked && Object.values(counts).every((count) => count === 0);
  return {
    filters,
    counts,
    artifacts: sliced.rows.map((artifact) => viewListedArtifact(artifact, name(artifact.projectId))),
    ...pageCursors(sliced, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id })),
    contents: sums.map(({ projectId, contents, bytes }) => ({ project: name(projectId), contents, bytes })),
    how_to_send: isNone ? ciSnippets('artifacts', context.apiUrl) : null,
  };
}

export function viewListedArtifact(artifact: Artifact, project: ProjectRef): ListedArtifact {
  return { ...viewArtifact(artifact), project };
}
