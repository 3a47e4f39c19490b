// States and comments that come from another database. What somebody here did stays: an import may come
// again. Queries only.

import type {
  Act,
  Assignee,
  ForeignComment,
  IssueState,
  TakingOverStore,
} from '../../src/core/store/issues.ts';
import type { Db, Query } from '../db.ts';
import { lockHead, putAssignee, putState } from './changes.ts';

/** The queries of `TakingOverStore`. */
export function takingOverStore(db: Db): TakingOverStore {
  return {
    takeOverState: (projectId, issueId, state, act) =>
      db.write((tx) => takeOverState(tx, projectId, issueId, state, act)),
    takeOverAssignee: (projectId, issueId, to, act) =>
      db.write((tx) => takeOverAssignee(tx, projectId, issueId, to, act)),
    takeOverComment: (projectId, { issueId, author, atMs, body }) =>
      db.write(async (tx) => {
        // Whoever else takes over the same waits until it is there.
        const issue = await lockHead(tx, projectId, issueId);
        if (issue === null) return false;
        const { changes } = await tx.run(
          `INSERT INTO issue_comments (project_id, issue_id, member_id, author, at_ms, body)
           SELECT $1, $2, NULL, $3, $4, $5 WHERE NOT EXISTS (
             SELECT 1 FROM issue_comments
             WHERE project_id = $1 AND issue_id = $2 AND at_ms = $4 AND author = $3 AND body = $5)`,
          [projectId, issueId, author, atMs, body],
        );
        return changes > 0;
      }),
    async findForeignMerge(projectId, mergeId) {
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
    async findCommentByNumber(projectId, commentId) {
      const row = await db.get<ForeignComment>(
        `SELECT issue_id AS "issueId", author, at_ms AS "atMs", body
         FROM issue_comments WHERE project_id = $1 AND id = $2`,
        [projectId, commentId],
      );
      return row ?? null;
    },
  };
}

async function takeOverState(
  tx: Query,
  projectId: number,
  issueId: number,
  state: IssueState,
  act: Act,
): Promise<boolean> {
  const issue = await lockHead(tx, projectId, issueId);
  if (issue === null || isAlike(issue.state, state)) return false;
  const touched = await tx.get(
    `SELECT 1 AS there FROM issue_activity WHERE project_id = $1 AND issue_id = $2
       AND kind IN ('resolved', 'ignored', 'unresolved') LIMIT 1`,
    [projectId, issue.id],
  );
  if (touched !== undefined) return false;
  await putState(tx, projectId, issue, state, act);
  return true;
}

async function takeOverAssignee(
  tx: Query,
  projectId: number,
  issueId: number,
  to: Assignee,
  act: Act,
): Promise<boolean> {
  const issue = await lockHead(tx, projectId, issueId);
  if (issue === null) return false;
  const touched = await tx.get(
    `SELECT 1 AS there FROM issue_activity WHERE project_id = $1 AND issue_id = $2 AND kind = 'assigned' LIMIT 1`,
    [projectId, issue.id],
  );
  if (touched !== undefined || issue.assignedTo !== null) return false;
  await putAssignee(tx, projectId, issue.id, to, act);
  return true;
}

/** When it became so does not matter. */
function isAlike(one: IssueState, other: IssueState): boolean {
  const words = ({ status, substatus, resolution, ignore }: IssueState): string =>
    JSON.stringify([status, substatus, resolution, ignore]);
  return words(one) === words(other);
}
