// The row of a search made anew, where events have come to an issue or left it: its title of now, what its
// newest event tells, and its tags.
import type { Query } from '../../db.ts';
import { refreshSearchTags, setSearchHead } from './search-row.ts';
import { readTold } from './stored-tags.ts';

/** Writes by what an issue is found, as it stands. */
export async function searchAnew(tx: Query, projectId: number, issueId: number): Promise<void> {
  const issue = await tx.get<{ title: string; culprit: string; is_overflow: number }>(
    'SELECT title, culprit, is_overflow FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  if (issue === undefined) return;
  const newest = await tx.get<{ id: number }>(
    `SELECT id FROM events WHERE project_id = $1 AND issue_id = $2 ORDER BY received_at_ms DESC, id DESC LIMIT 1`,
    [projectId, issueId],
  );
  const isTold = newest !== undefined && issue.is_overflow === 0;
  const told = isTold ? (await readTold(tx, projectId, [newest.id])).get(newest.id) : undefined;
  const { title, culprit } = issue;
  await setSearchHead(tx, { projectId, issueId, title, culprit, text: () => told?.text ?? '' });
  await refreshSearchTags(tx, projectId, issueId);
}
