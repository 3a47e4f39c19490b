import type { ArtifactsResponse, ArtifactView } from '../../../schemas/artifacts.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Artifact } from '../store/artifacts.ts';
import type { StoredUpload } from './store-artifacts.ts';

export function viewArtifact(artifact: Artifact): ArtifactView {
  return {
    artifact_id: artifact.id,
    name: artifact.name,
    type: artifact.type,
    release: artifact.release,
    dist: artifact.dist,
    debug_id: artifact.debugId,
    size: artifact.size,
    sha256: artifact.sha256,
    source_map: artifact.sourceMap,
    date_created: formatTime(artifact.createdAtMs),
    date_replaced: formatTime(artifact.replacedAtMs),
  };
}

export function viewStoredUpload(filed: StoredUpload): ArtifactsResponse {
  const artifacts = filed.artifacts.map(({ artifact, duplicate }) => {
    const { artifact_id, name, type, release, dist, debug_id, size, sha256 } = viewArtifact(artifact);
    return { artifact_id, name, type, release, dist, debug_id, size, sha256, duplicate };
  });
  return {
    accepted: true,
    artifact_ids: artifacts.map((artifact) => artifact.artifact_id),
    artifacts,
    warnings: filed.warnings,
  };
}
