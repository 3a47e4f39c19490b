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
  readonly asked: {
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

export async function artifactsModel(visit: RequestContext): Promise<ArtifactsModel> {
  const { store } = visit.deps;
  const ids = viewedProjectIds(visit);
  const asked = {
    type: enumParam(visit, 'type', artifactTypes),
    release: textParam(visit, 'release'),
    q: textParam(visit, 'q'),
  };
  const filter = { type: asked.type, release: asked.release, search: asked.q };
  const [sliced, counts, sums] = await Promise.all([
    store.sliceArtifacts(ids, filter, sliceParam(visit, artifactsAPage)),
    store.countArtifacts(ids, filter),
    store.contentSums(ids),
  ]);
  const name = (id: number): ProjectRef => requireViewedProject(visit, id, 'A project with this number');
  const isAsked = Object.values(asked).some((each) => each !== null);
  const isNone = !isAsked && Object.values(counts).every((count) => count === 0);
  return {
    asked,
    counts,
    artifacts: sliced.rows.map((artifact) => viewListedArtifact(artifact, name(artifact.projectId))),
    ...pageCursors(sliced, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id })),
    contents: sums.map(({ projectId, contents, bytes }) => ({ project: name(projectId), contents, bytes })),
    how_to_send: isNone ? ciSnippets('artifacts', visit.apiUrl) : null,
  };
}

export function viewListedArtifact(artifact: Artifact, project: ProjectRef): ListedArtifact {
  return { ...viewArtifact(artifact), project };
}
