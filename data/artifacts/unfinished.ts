// Bytes of unfinished uploads of a project (chunks and unused contents), counted with every write.

import { createUnfinishedLimitError } from '../../src/core/source-maps/artifacts.ts';
import type { ProjectLimits } from '../../src/core/store/projects.ts';
import type { Query } from '../db.ts';

export type UploadLimits = Pick<ProjectLimits, 'unfinishedBytesMax'>;

/** @throws 400 when the project would exceed its limit; then nothing is counted. */
export async function takeBytes(
  tx: Query,
  { unfinishedBytesMax }: UploadLimits,
  projectId: number,
  bytes: number,
): Promise<void> {
  if (bytes > unfinishedBytesMax) throw createUnfinishedLimitError(unfinishedBytesMax);
  const taken = await tx.get(
    `INSERT INTO project_bounds (project_id, releases, environments, unfinished_bytes) VALUES ($1, 0, 0, $2)
     ON CONFLICT (project_id) DO UPDATE SET unfinished_bytes = project_bounds.unfinished_bytes + $2
     WHERE project_bounds.unfinished_bytes + $2 <= $3 RETURNING project_id`,
    [projectId, bytes, unfinishedBytesMax],
  );
  if (taken === undefined) throw createUnfinishedLimitError(unfinishedBytesMax);
}

export async function freeBytes(tx: Query, projectId: number, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await tx.run('UPDATE project_bounds SET unfinished_bytes = unfinished_bytes - $2 WHERE project_id = $1', [
    projectId,
    bytes,
  ]);
}
