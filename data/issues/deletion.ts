import { type DeletingIssue, storedCountMax } from '../../src/core/store/issue-queries.ts';
import { type Query, storePart } from '../db.ts';
import { deleteRows } from '../table.ts';
import { toValueList } from '../value-lists.ts';

/** No issue has this id: issues that were merged into a deleted one are found by nobody. */
const deletedIssueId = 0;

const rowsMax = 1000;
const eventsMax = 200;

interface OwnedByIssue {
  readonly table: string;
  readonly key: string;
  /** Which rows belong to issue $2 of project $1, where there is no `issue_id`. */
  readonly condition?: string;
}

/** Removed before their event; of rows with bytes few at once. */
export const ownedByEvents: ReadonlyArray<OwnedByIssue & { readonly rowsMax: number }> = [
  { table: 'event_attachments', key: 'id', rowsMax: 10 },
  { table: 'event_bodies', key: 'event_row', rowsMax: 200 },
  { table: 'pending_regroupings', key: 'project_id, event_row', rowsMax },
  { table: 'pending_symbolications', key: 'project_id, awaited, event_row', rowsMax },
];

/** In this order: a row goes before what it refers to. */
export const ownedByIssues: readonly OwnedByIssue[] = [
  { table: 'issue_hashes', key: 'id' },
  { table: 'pending_regroupings', key: 'project_id, event_row' },
  { table: 'issue_users', key: 'project_id, issue_id, user_hash' },
  { table: 'issue_hours', key: 'project_id, issue_id, hour_ms' },
  { table: 'issue_releases', key: 'project_id, release, environment, issue_id' },
  { table: 'issue_tags', key: 'project_id, issue_id, tag, value' },
  { table: 'issue_search', key: 'issue_id' },
  { table: 'issue_activity', key: 'id' },
  { table: 'issue_comments', key: 'id' },
  { table: 'issue_links', key: 'id' },
  {
    table: 'issue_merge_members',
    key: 'merge_id, issue_id',
    condition: `(issue_id = $2 AND merge_id IN (SELECT id FROM issue_merges WHERE project_id = $1))
      OR merge_id IN (SELECT id FROM issue_merges WHERE project_id = $1 AND into_issue_id = $2)`,
  },
  { table: 'issue_merges', key: 'id', condition: 'project_id = $1 AND into_issue_id = $2' },
  { table: 'regroup_issues', key: 'run_id, issue_id' },
];

export const issueDeletionStore = storePart(
  {
    async nextEndingIssue(db) {
      const ending = await db.get<DeletingIssue>(
        'SELECT issue_id AS "issueId", project_id AS "projectId" FROM issue_deletions ORDER BY issue_id LIMIT 1',
      );
      return ending ?? null;
    },
    async endingEvents(db, issueId) {
      const ending = await db.get<{ projectId: number; events: number }>(
        `SELECT project_id AS "projectId", (SELECT COUNT(*) FROM (SELECT 1 AS one FROM events
             WHERE events.project_id = issue_deletions.project_id
               AND events.issue_id = issue_deletions.issue_id LIMIT $2) AS left_ones) AS events
         FROM issue_deletions WHERE issue_id = $1`,
        [issueId, storedCountMax],
      );
      return ending ?? null;
    },
  },
  {
    // Hashes first: an event in progress is either stored before, or finds the issue changed and is grouped again.
    async endIssue(tx, projectId, issueId, nowMs) {
      const head = await tx.get<{ id: number }>(
        `UPDATE issues SET merged_into = $3, is_overflow = 0
         WHERE project_id = $1 AND id = $2 AND merged_into IS NULL RETURNING id`,
        [projectId, issueId, deletedIssueId],
      );
      if (head === undefined) return 0;
      const { changes } = await tx.run(
        'UPDATE issues SET merged_into = $3, is_overflow = 0 WHERE project_id = $1 AND merged_into = $2',
        [projectId, issueId, deletedIssueId],
      );
      await tx.run(
        `INSERT INTO issue_deletions (issue_id, project_id, at_ms)
         SELECT id, project_id, $3 FROM issues WHERE project_id = $1 AND merged_into = $2
           AND id NOT IN (SELECT issue_id FROM issue_deletions WHERE project_id = $1)`,
        [projectId, deletedIssueId, nowMs],
      );
      // Moves of events in progress end here.
      await tx.run(
        `DELETE FROM issue_splits WHERE project_id = $1 AND
           (from_issue_id IN (SELECT issue_id FROM issue_deletions WHERE project_id = $1)
            OR to_issue_id IN (SELECT issue_id FROM issue_deletions WHERE project_id = $1))`,
        [projectId],
      );
      await tx.run(
        `DELETE FROM issue_hashes WHERE project_id = $1 AND issue_id IN
           (SELECT issue_id FROM issue_deletions WHERE project_id = $1)`,
        [projectId],
      );
      return changes + 1;
    },
    async removeIssueSlice(tx, issue) {
      const { projectId, issueId } = issue;
      const events = await removeEvents(tx, issue);
      if (events > 0) return { removed: events, done: false };
      for (const ownedTable of ownedByIssues) {
        const { condition: where = 'project_id = $1 AND issue_id = $2' } = ownedTable;
        const removed = await deleteRows(
          tx,
          { ...ownedTable, rowsMax },
          { where, values: [projectId, issueId] },
        );
        if (removed > 0) return { removed, done: false };
      }
      await tx.run('DELETE FROM issues WHERE project_id = $1 AND id = $2 AND merged_into = $3', [
        projectId,
        issueId,
        deletedIssueId,
      ]);
      await tx.run('DELETE FROM issue_deletions WHERE issue_id = $1', [issueId]);
      return { removed: 1, done: true };
    },
  },
);

async function removeEvents(tx: Query, { projectId, issueId }: DeletingIssue): Promise<number> {
  const rows = await tx.all<{ id: number }>(
    'SELECT id FROM events WHERE project_id = $1 AND issue_id = $2 LIMIT $3',
    [projectId, issueId, eventsMax],
  );
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const list = toValueList(ids, 2);
  const values = [projectId, ...list.values];
  for (const part of ownedByEvents) {
    const where = `project_id = $1 AND event_row IN (${list.placeholders})`;
    const removed = await deleteRows(tx, part, { where, values });
    if (removed > 0) return removed;
  }
  const where = `project_id + 0 = $1 AND id IN (${list.placeholders})`;
  return (await tx.run(`DELETE FROM events WHERE ${where}`, values)).changes;
}
