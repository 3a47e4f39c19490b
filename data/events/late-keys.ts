// Writes down that a map changed the key of a stored event, in the transaction that stores the mapped event:
// its issue is grouped again after that (late-groupings.ts).
import { foldedTexts } from '../../src/core/reading/fold-text.ts';
import type { Regrouped } from '../../src/core/store/artifacts.ts';
import type { Query } from '../db.ts';
import { listOf } from '../value-lists.ts';

/** The event is shown by its new key at once, and waits to be moved where it belongs. */
export async function noteLateKey(
  tx: Query,
  projectId: number,
  row: number,
  regrouped: Regrouped,
): Promise<void> {
  const { grouping, olderHash = '', title, culprit, hashesBefore } = regrouped;
  const event = await tx.get<{ issue_id: number }>(
    'UPDATE events SET title = $3, culprit = $4, folded = $5 WHERE id = $1 AND project_id = $2 RETURNING issue_id',
    [row, projectId, title, culprit, foldedTexts([title, culprit])],
  );
  if (event === undefined) return;
  await showInIssue(tx, projectId, row, regrouped);
  await tx.run('UPDATE event_bodies SET grouping = $3 WHERE event_row = $1 AND project_id = $2', [
    row,
    projectId,
    JSON.stringify(grouping),
  ]);
  const gone = hashesBefore.filter((hash) => hash !== grouping.hash && hash !== olderHash);
  if (gone.length === 0 && hashesBefore.includes(grouping.hash)) return;
  if (gone.length > 0) {
    const list = listOf(gone, 2);
    await tx.run(
      `UPDATE issue_hashes SET superseded = 1 WHERE project_id = $1 AND superseded = 0 AND hash IN (${list.marks})`,
      [projectId, ...list.values],
    );
  }
  await tx.run(
    `INSERT INTO late_groupings (project_id, event_row, issue_id, hash, older_hash) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (project_id, event_row) DO UPDATE SET
       issue_id = excluded.issue_id, hash = excluded.hash, older_hash = excluded.older_hash`,
    [projectId, row, event.issue_id, grouping.hash, olderHash],
  );
}

/** An issue is called by its newest event: where that is this one, it is called anew. */
async function showInIssue(
  tx: Query,
  projectId: number,
  row: number,
  { title, culprit }: Regrouped,
): Promise<void> {
  await tx.run(
    `UPDATE issues SET title = $3, culprit = $4, folded = $5
     WHERE project_id = $1 AND is_overflow = 0 AND id = (SELECT issue_id FROM events WHERE id = $2)
       AND $2 = (SELECT id FROM events WHERE project_id = $1 AND issue_id = issues.id
         ORDER BY received_at_ms DESC, id DESC LIMIT 1)`,
    [projectId, row, title, culprit, foldedTexts([title, culprit])],
  );
}
