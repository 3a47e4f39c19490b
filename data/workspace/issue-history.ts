import { cutText } from '../../src/core/parsing/cut-text.ts';
import type { HistoryCursor, HistoryEntry } from '../../src/core/store/issue-queries.ts';
import { signal } from '../alerts/signals.ts';
import { type SqlValue, storePart } from '../db.ts';
import { lockHead, putAssignee } from '../issues/changes.ts';
import { groupOf } from '../issues/group.ts';
import { activities, comments } from '../issues/rows.ts';
import { readPage } from '../paging.ts';
import { toValueList } from '../value-lists.ts';

/** Of a comment in a message. */
const notedCharactersMax = 500;

/** Comments stay with the issue they were written on, and are shown with its head. */
const ofGroup = `project_id = $1 AND issue_id IN (${groupOf('$1', '$2')})`;

export const issueHistory = storePart(
  {
    async listIssueHistory(db, projectId, issueId, { limit, before }) {
      const values: SqlValue[] = [projectId, issueId, limit];
      const commentValues: SqlValue[] = [projectId, issueId, limit];
      const [activityRows, commentRows] = await Promise.all([
        activities.list(
          db,
          `WHERE project_id = $1 AND issue_id = $2
             ${beforeText(before, 'act', values)} ORDER BY at_ms DESC, id DESC LIMIT $3`,
          values,
        ),
        comments.list(
          db,
          `WHERE ${ofGroup} ${beforeText(before, 'comment', commentValues)} ORDER BY at_ms DESC, id DESC LIMIT $3`,
          commentValues,
        ),
      ]);
      const entries: HistoryEntry[] = [
        ...activityRows.map((act) => ({ kind: 'act' as const, atMs: act.atMs, act })),
        ...commentRows.map((comment) => ({ kind: 'comment' as const, atMs: comment.atMs, comment })),
      ];
      return entries.sort(newestFirst).slice(0, limit);
    },
    async countIssueHistory(db, projectId, issueId) {
      const row = await db.get<{ entries: number }>(
        `SELECT (SELECT COUNT(*) FROM issue_activity WHERE project_id = $1 AND issue_id = $2)
           + (SELECT COUNT(*) FROM issue_comments WHERE ${ofGroup}) AS entries`,
        [projectId, issueId],
      );
      return Number(row?.entries ?? 0);
    },
    async lastActivity(db, projectId, issueId, kinds) {
      const list = toValueList(kinds, 3);
      const where = `WHERE project_id = $1 AND issue_id = $2 AND kind IN (${list.placeholders})`;
      return activities.find(db, `${where} ORDER BY id DESC LIMIT 1`, [projectId, issueId, ...list.values]);
    },
    async listComments(db, projectId, issueId, window) {
      const from = `FROM issue_comments WHERE ${ofGroup}`;
      const values = [projectId, issueId];
      const list = { columns: comments.columns(), from, order: 'at_ms DESC, id DESC', values };
      const page = await readPage(db, list, window);
      return { rows: page.rows.map(comments.rowOf), total: page.total };
    },
    findComment: (db, projectId, issueId, commentId) =>
      comments.find(db, `WHERE ${ofGroup} AND id = $3`, [projectId, issueId, commentId]),
  },
  {
    async assignIssue(tx, projectId, issueId, to, action) {
      const issue = await lockHead(tx, projectId, issueId);
      if (issue === null) return null;
      const memberId = to !== null && 'memberId' in to ? to.memberId : null;
      const teamId = to !== null && 'teamId' in to ? to.teamId : null;
      if (issue.assignedTo === memberId && issue.assignedTeam === teamId)
        return { before: issue, changed: false };
      await putAssignee(tx, projectId, issue.id, to, action);
      if (to !== null) {
        const summary = {
          title: null,
          detail: `Assigned to ${to.name} by ${action.actor.replace(/^member /, '')}`,
          path: `/issues/${issue.id}`,
        };
        const object = 'memberId' in to ? `member ${to.memberId}` : `team ${to.teamId}`;
        const notification = {
          projectId,
          kind: 'issue.assigned' as const,
          objectId: issue.id,
          atMs: action.nowMs,
        };
        await signal(tx, { ...notification, object, summary });
      }
      return { before: issue, changed: true };
    },
    async addComment(tx, { mentioned = [], ...comment }) {
      const inserted = await comments.insertReturning(tx, comment);
      const { projectId, issueId: objectId, author, body, atMs } = comment;
      const path = `/issues/${objectId}/activity#comment-${inserted.id}`;
      const summary = { title: null, detail: `${author}: ${cutText(body, notedCharactersMax)}`, path };
      await signal(tx, { projectId, kind: 'issue.commented', objectId, atMs, summary });
      if (mentioned.length > 0) {
        const object = mentioned.join(',');
        await signal(tx, { projectId, kind: 'issue.mentioned', objectId, atMs, object, summary });
      }
      return inserted;
    },
    async removeComment(tx, projectId, commentId) {
      const { changes } = await tx.run('DELETE FROM issue_comments WHERE project_id = $1 AND id = $2', [
        projectId,
        commentId,
      ]);
      return changes > 0;
    },
  },
);

/** At the same time comments come first; of one kind the later first. */
function newestFirst(one: HistoryEntry, other: HistoryEntry): number {
  if (one.atMs !== other.atMs) return other.atMs - one.atMs;
  if (one.kind !== other.kind) return one.kind === 'comment' ? -1 : 1;
  return idOf(other) - idOf(one);
}

function idOf(entry: HistoryEntry): number {
  return entry.kind === 'act' ? entry.act.id : entry.comment.id;
}

function beforeText(before: HistoryCursor | null, kind: HistoryEntry['kind'], values: SqlValue[]): string {
  if (before === null) return '';
  const at = `$${values.push(before.atMs)}`;
  // Comments come first at the same time.
  if (before.kind !== kind) return kind === 'act' ? `AND at_ms <= ${at}` : `AND at_ms < ${at}`;
  return `AND (at_ms, id) < (${at}, $${values.push(before.id)})`;
}
