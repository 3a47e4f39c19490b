// Rows of artifacts, and what they are in the rules' words.
import type { Artifact } from '../../src/core/store/artifacts.ts';

export interface ArtifactRow {
  id: number;
  project_id: number;
  release: string;
  dist: string;
  name: string;
  type: Artifact['type'];
  debug_id: string;
  source_map: string | null;
  has_inline_map: number;
  size: number;
  sha256: string;
  created_at_ms: number;
  replaced_at_ms: number | null;
}

export const columns = `id, project_id, release, dist, name, type, debug_id, source_map, has_inline_map, size, sha256,
  created_at_ms, replaced_at_ms`;

/** An artifact as the rules know it, from its row. */
export function artifactOf(row: ArtifactRow): Artifact {
  return {
    id: row.id,
    projectId: row.project_id,
    release: row.release === '' ? null : row.release,
    dist: row.dist === '' ? null : row.dist,
    name: row.name,
    type: row.type,
    debugId: row.debug_id === '' ? null : row.debug_id,
    sourceMap: row.source_map,
    hasInlineMap: row.has_inline_map === 1,
    size: row.size,
    sha256: row.sha256,
    createdAtMs: row.created_at_ms,
    replacedAtMs: row.replaced_at_ms,
  };
}
