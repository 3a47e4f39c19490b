// Which issue a hash leads to, and giving a hash that leads nowhere to an issue. Queries only.
import type { Grouping } from '../../src/core/store/events.ts';
import type { Query } from '../db.ts';

/**
 * Where an event goes. `headId` is the issue it counts for; it differs from `id` when that was merged into
 * another.
 */
export interface FiledIssue {
  readonly id: number;
  readonly headId: number;
  readonly isNew: boolean;
}

/** A grouping whose hash is to lead to an issue from now on. */
export interface HashClaim {
  readonly projectId: number;
  readonly grouping: Pick<Grouping, 'hash' | 'algorithm'>;
  readonly atMs: number;
}

/** The issue that a hash leads to, or null. */
export async function findByHash(tx: Query, projectId: number, hash: string): Promise<FiledIssue | null> {
  const row = await tx.get<{ id: number; merged_into: number | null }>(
    `SELECT issues.id, issues.merged_into FROM issue_hashes JOIN issues ON issues.id = issue_hashes.issue_id
     WHERE issue_hashes.project_id = $1 AND issue_hashes.hash = $2`,
    [projectId, hash],
  );
  return row === undefined ? null : { id: row.id, headId: row.merged_into ?? row.id, isNew: false };
}

/** Makes a hash lead to an issue; false, and nothing done, where it leads to one already. */
export async function claimHash(tx: Query, claim: HashClaim, issueId: number): Promise<boolean> {
  const { projectId, grouping, atMs } = claim;
  const claimed = await tx.run(
    `INSERT INTO issue_hashes (project_id, hash, issue_id, algorithm, created_at_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (project_id, hash) DO NOTHING`,
    [projectId, grouping.hash, issueId, grouping.algorithm, atMs],
  );
  return claimed.changes > 0;
}
