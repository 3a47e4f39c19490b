// Import of states and comments. What somebody did here is kept: an import may be repeated.

import type { IssueState } from '../../src/core/store/issues.ts';
import { storePart } from '../db.ts';
import { lockHead, putAssignee, putState } from './changes.ts';
import { comments } from './rows.ts';

export const issueImportStore = storePart(
  {
    async findForeignMerge(db, projectId, mergeId) {
      const merge = await db.get<{ actor: string; atMs: number }>(
        'SELECT actor, at_ms AS "atMs" FROM issue_merges WHERE project_id = $1 AND id = $2',
        [projectId, mergeId],
      );
      if (merge === undefined) return null;
      const rows = await db.all<{ event_id: string | null }>(
        `SELECT (SELECT event_id FROM events WHERE events.project_id = $1 AND events.issue_id = moved.issue_id
           ORDER BY received_at_ms, events.id LIMIT 1) AS event_id
         FROM issue_merge_members AS moved WHERE moved.merge_id = $2 ORDER BY moved.issue_id`,
        [projectId, mergeId],
      );
      return { ...merge, events: rows.flatMap((row) => row.event_id ?? []) };
    },
    async findCommentByNumber(db, projectId, commentId) {
      const where = 'WHERE project_id = $1 AND id = $2';
      return comments.only('issueId', 'author', 'atMs', 'body').find(db, where, [projectId, commentId]);
    },
  },
  {
    async importIssueStateRecord(tx, projectId, issueId, state, action) {
      const issue = await lockHead(tx, projectId, issueId);
      if (issue === null || isSameCondition(issue.state, state)) return false;
      const touched = await tx.get(
        `SELECT 1 AS there FROM issue_activity WHERE project_id = $1 AND issue_id = $2
           AND kind IN ('resolved', 'ignored', 'unresolved') LIMIT 1`,
        [projectId, issue.id],
      );
      if (touched !== undefined) return false;
      await putState(tx, projectId, issue, state, action);
      return true;
    },
    async importAssignee(tx, projectId, issueId, to, action) {
      const issue = await lockHead(tx, projectId, issueId);
      if (issue === null) return false;
      const touched = await tx.get(
        `SELECT 1 AS there FROM issue_activity WHERE project_id = $1 AND issue_id = $2 AND kind = 'assigned' LIMIT 1`,
        [projectId, issue.id],
      );
      if (touched !== undefined || issue.assignedTo !== null || issue.assignedTeam !== null) return false;
      await putAssignee(tx, projectId, issue.id, to, action);
      return true;
    },
    async importCommentRecord(tx, projectId, { issueId, author, atMs, body }) {
      // The same import at the same time waits here.
      const issue = await lockHead(tx, projectId, issueId);
      if (issue === null) return false;
      const written = await comments.insert(
        tx,
        { projectId, issueId, memberId: null, author, atMs, body },
        {
          when: `NOT EXISTS (SELECT 1 FROM issue_comments
            WHERE project_id = $1 AND issue_id = $2 AND at_ms = $3 AND author = $4 AND body = $5)`,
          values: [projectId, issueId, atMs, author, body],
        },
      );
      return written > 0;
    },
  },
);

function isSameCondition(one: IssueState, other: IssueState): boolean {
  const serialize = ({ status, substatus, resolution, ignore }: IssueState): string =>
    JSON.stringify([status, substatus, resolution, ignore]);
  return serialize(one) === serialize(other);
}
