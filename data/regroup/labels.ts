// By which key an issue says that it is grouped: what a run of regrouping writes, and its undo puts back.

import type { RegroupLabel, RegroupRun } from '../../src/core/store/regroup.ts';
import type { Query } from '../db.ts';
import { lockMovers } from '../issues/moving.ts';
import { groupingText } from '../issues/new-issue.ts';

/** Shows issues by other keys, and writes down by which each was shown before the run. */
export async function labelIssues(
  tx: Query,
  run: RegroupRun,
  projectId: number,
  labels: readonly RegroupLabel[],
): Promise<void> {
  await lockMovers(tx, projectId);
  for (const { issueId, grouping } of labels) {
    const after = groupingText(grouping);
    await tx.run(
      `INSERT INTO regroup_labels (run_id, project_id, issue_id, grouping_before, grouping_after)
       SELECT CAST($1 AS BIGINT), project_id, id, grouping, CAST($4 AS TEXT) FROM issues
       WHERE project_id = $2 AND id = $3
       ON CONFLICT (run_id, issue_id) DO UPDATE SET grouping_after = excluded.grouping_after`,
      [run.id, projectId, issueId, after],
    );
    await tx.run('UPDATE issues SET grouping = $3 WHERE project_id = $1 AND id = $2', [
      projectId,
      issueId,
      after,
    ]);
  }
}

/** Puts back so many; answers whether there were any. One that was shown otherwise since is let alone. */
export async function restoreLabels(
  tx: Query,
  run: RegroupRun,
  projectId: number,
  limit: number,
): Promise<boolean> {
  const rows = await tx.all<{ issue_id: number; grouping_before: string; grouping_after: string }>(
    `SELECT issue_id, grouping_before, grouping_after FROM regroup_labels
     WHERE run_id = $1 ORDER BY issue_id LIMIT $2`,
    [run.id, limit],
  );
  for (const { issue_id: issueId, grouping_before: before, grouping_after: after } of rows) {
    await tx.run('UPDATE issues SET grouping = $4 WHERE project_id = $1 AND id = $2 AND grouping = $3', [
      projectId,
      issueId,
      after,
      before,
    ]);
    await tx.run('DELETE FROM regroup_labels WHERE run_id = $1 AND issue_id = $2', [run.id, issueId]);
  }
  return rows.length > 0;
}
