// Artifacts of the demo as pages and the mapping of places ask for them, and their bytes.
import { gzipSync } from 'node:zlib';
import type {
  Artifact,
  ArtifactFilter,
  ArtifactLookFilter,
  ArtifactStore,
} from '../../../core/store/artifacts.ts';
import { type DeliveryWorld, shown } from '../../world/delivery/world.ts';
import { ofProjects, pageOf, searching, sliceOf, sortedBy } from './lists.ts';

type ArtifactReads = Pick<
  ArtifactStore,
  | 'sliceArtifacts'
  | 'countArtifacts'
  | 'contentSums'
  | 'lookUpArtifact'
  | 'sameContent'
  | 'findContent'
  | 'listArtifacts'
  | 'findArtifact'
  | 'hasArtifacts'
  | 'findArtifactsByDebugId'
  | 'findArtifactsByName'
  | 'findWildcardArtifacts'
>;

/** The reads of artifacts. */
export function artifactReads(world: DeliveryWorld): ArtifactReads {
  const all = (): Artifact[] => world.files.map(({ artifact }) => artifact);
  const find = (fits: (artifact: Artifact) => boolean): Artifact | null => all().find(fits) ?? null;
  return {
    async sliceArtifacts(projectIds, filter, slice) {
      const rows = fitting(world, projectIds, filter).filter(
        ({ type }) => filter.type === null || type === filter.type,
      );
      return sliceOf(rows, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id }), slice);
    },
    async countArtifacts(projectIds, filter) {
      const counts = { minified_source: 0, source_map: 0, source: 0 };
      for (const { type } of fitting(world, projectIds, filter)) counts[type] += 1;
      return counts;
    },
    contentSums: async (projectIds) => contentSums(listedArtifacts(world), projectIds),
    lookUpArtifact: async (artifactId) => find(({ id }) => id === artifactId),
    async sameContent({ id, projectId, sha256 }, limit) {
      return sortedBy(
        ofProjects(all(), [projectId]).filter((each) => each.sha256 === sha256 && each.id !== id),
        (each) => each.id,
        true,
      ).slice(0, limit);
    },
    async findContent(projectId, sha256) {
      const file = world.files.find(
        ({ artifact }) => artifact.projectId === projectId && artifact.sha256 === sha256,
      );
      return file === undefined ? null : [gzipSync(file.text)];
    },
    listArtifacts: async (projectId, filter) => pageOf(listed(world, projectId, filter), filter),
    async findArtifact(projectId, artifactId) {
      return find(({ id, projectId: own }) => id === artifactId && own === projectId);
    },
    hasArtifacts: async (projectId) => find((each) => each.projectId === projectId) !== null,
    async findArtifactsByDebugId(projectId, debugIds) {
      const found = ofProjects(all(), [projectId]).filter(({ debugId }) => debugIds.includes(debugId ?? ''));
      return sortedBy(found, ({ id }) => id, true);
    },
    async findArtifactsByName(projectId, release, names) {
      const found = ofProjects(standing(all()), [projectId]).filter(
        (each) => each.release === release && names.includes(each.name),
      );
      return sortedBy(found, ({ id }) => id, true);
    },
    // No bundler of the company names files by patterns.
    findWildcardArtifacts: async () => [],
  };
}

/** Those that lists show. */
export function listedArtifacts(world: DeliveryWorld): Artifact[] {
  return standing(world.files.map(({ artifact }) => artifact)).slice(0, shown.artifacts);
}

function standing(artifacts: readonly Artifact[]): Artifact[] {
  return artifacts.filter(({ replacedAtMs }) => replacedAtMs === null);
}

function fitting(
  world: DeliveryWorld,
  projectIds: readonly number[],
  { release, search }: ArtifactLookFilter,
): Artifact[] {
  const fits = searching(search);
  const word = search?.trim().toLowerCase() ?? '';
  // A checksum or a debug id is asked for by its beginning, and by no other text.
  const isBeginning = /^[0-9a-f-]{6,64}$/.test(word);
  return ofProjects(listedArtifacts(world), projectIds)
    .filter((artifact) => release === null || release === '' || artifact.release === release)
    .filter(
      ({ name, sha256, debugId }) =>
        fits(name) || (isBeginning && (sha256.startsWith(word) || (debugId ?? '').startsWith(word))),
    );
}

function listed(world: DeliveryWorld, projectId: number, filter: ArtifactFilter): Artifact[] {
  const fits = searching(filter.search);
  // Of all where a release is named: its files are shown beside it however old they are.
  const rows = standing(world.files.map(({ artifact }) => artifact));
  const found = ofProjects(rows, [projectId])
    .filter(({ release }) => filter.release === undefined || release === filter.release)
    .filter(({ debugId }) => filter.debugId === undefined || debugId === filter.debugId)
    .filter(({ name }) => fits(name));
  return sortedBy(found, ({ id }) => id, filter.descending);
}

function contentSums(artifacts: readonly Artifact[], projectIds: readonly number[]) {
  const sums = projectIds.flatMap((projectId) => {
    const sizes = new Map(ofProjects(artifacts, [projectId]).map(({ sha256, size }) => [sha256, size]));
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    return sizes.size === 0 ? [] : [{ projectId, contents: sizes.size, bytes }];
  });
  return sums.sort((one, other) => other.bytes - one.bytes || one.projectId - other.projectId);
}
