import type { ArtifactView } from '../../../../schemas/artifacts.ts';
import { viewArtifact } from '../../source-maps/views.ts';
import { type Artifact, type ArtifactType, artifactTypes } from '../../store/artifacts.ts';
import type { Snippet } from '../snippets.ts';
import type { Visit } from '../visit.ts';
import {
  askedSlice,
  askedText,
  askedWord,
  type Neighbours,
  neighboursOf,
  type ProjectName,
  projectIdsOf,
  projectOf,
} from './lists.ts';
import { sendLines } from './send-lines.ts';

export interface ListedArtifact extends ArtifactView {
  readonly project: ProjectName;
}

export interface ArtifactsModel extends Neighbours {
  readonly asked: {
    readonly type: ArtifactType | null;
    readonly release: string | null;
    readonly q: string | null;
  };
  readonly counts: Readonly<Record<ArtifactType, number>>;
  readonly artifacts: readonly ListedArtifact[];
  /** Largest first; the same content under several names counts once. */
  readonly contents: ReadonlyArray<{
    readonly project: ProjectName;
    readonly contents: number;
    readonly bytes: number;
  }>;
  readonly how_to_send: readonly Snippet[] | null;
}

const artifactsAPage = 40;

export async function artifactsModel(visit: Visit): Promise<ArtifactsModel> {
  const { store } = visit.deps;
  const ids = projectIdsOf(visit);
  const asked = {
    type: askedWord(visit, 'type', artifactTypes),
    release: askedText(visit, 'release'),
    q: askedText(visit, 'q'),
  };
  const filter = { type: asked.type, release: asked.release, search: asked.q };
  const [sliced, counts, sums] = await Promise.all([
    store.sliceArtifacts(ids, filter, askedSlice(visit, artifactsAPage)),
    store.countArtifacts(ids, filter),
    store.contentSums(ids),
  ]);
  const name = (id: number): ProjectName => projectOf(visit, id, 'A project with this number');
  const isAsked = Object.values(asked).some((each) => each !== null);
  const isNone = !isAsked && Object.values(counts).every((count) => count === 0);
  return {
    asked,
    counts,
    artifacts: sliced.rows.map((artifact) => listedArtifact(artifact, name(artifact.projectId))),
    ...neighboursOf(sliced, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id })),
    contents: sums.map(({ projectId, contents, bytes }) => ({ project: name(projectId), contents, bytes })),
    how_to_send: isNone ? sendLines('artifacts', visit.apiUrl) : null,
  };
}

export function listedArtifact(artifact: Artifact, project: ProjectName): ListedArtifact {
  return { ...viewArtifact(artifact), project };
}
