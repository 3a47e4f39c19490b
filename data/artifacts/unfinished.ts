// How many bytes of unfinished uploads a project holds: chunks that no bundle was filed from, contents that
// no artifact names yet. Counted with every write, so that nobody adds up megabytes to take one more.

import { tooMuchUnfinished } from '../../src/core/source-maps/artifacts.ts';
import type { ProjectBounds } from '../../src/core/store/bounds.ts';
import type { Query } from '../db.ts';

export type UploadLimits = Pick<ProjectBounds, 'unfinishedBytesMax'>;

/**
 * Counts bytes that are about to be written.
 * @throws 400 when they would go over the bound; then none is counted.
 */
export async function takeBytes(
  tx: Query,
  { unfinishedBytesMax }: UploadLimits,
  projectId: number,
  bytes: number,
): Promise<void> {
  if (bytes > unfinishedBytesMax) throw tooMuchUnfinished(unfinishedBytesMax);
  const taken = await tx.get(
    `INSERT INTO project_bounds (project_id, releases, environments, unfinished_bytes) VALUES ($1, 0, 0, $2)
     ON CONFLICT (project_id) DO UPDATE SET unfinished_bytes = project_bounds.unfinished_bytes + $2
     WHERE project_bounds.unfinished_bytes + $2 <= $3 RETURNING project_id`,
    [projectId, bytes, unfinishedBytesMax],
  );
  if (taken === undefined) throw tooMuchUnfinished(unfinishedBytesMax);
}

/** Gives bytes back: of what was finished, or is gone. */
export async function freeBytes(tx: Query, projectId: number, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await tx.run('UPDATE project_bounds SET unfinished_bytes = unfinished_bytes - $2 WHERE project_id = $1', [
    projectId,
    bytes,
  ]);
}
