import type { BulkActionKind, BulkStep, UndoStep } from '../../src/core/store/issues.ts';
import { storePart } from '../db.ts';
import { defaulted, integer, json, oneOf, tableOf } from '../table.ts';
import { lockHead, putState } from './changes.ts';

const actions = tableOf('bulk_actions', {
  id: defaulted(integer),
  ownerId: integer,
  action: oneOf<BulkActionKind>(),
  atMs: integer,
});

const steps = tableOf('bulk_action_steps', {
  bulkId: integer,
  projectId: integer,
  issueId: integer,
  step: json<UndoStep>(),
});
const shownSteps = steps.without('bulkId');

export const bulkActionStore = storePart(
  {
    async findBulkAction(db, ownerId, sinceMs) {
      const row = await db.get<{ id: number; action: BulkActionKind; atMs: number; issues: number }>(
        `SELECT id, action, at_ms AS "atMs", (SELECT COUNT(*) FROM bulk_action_steps WHERE bulk_id = bulk_actions.id) AS issues
         FROM bulk_actions WHERE owner_id = $1 AND at_ms > $2
           AND EXISTS (SELECT 1 FROM bulk_action_steps WHERE bulk_id = bulk_actions.id)
         ORDER BY id DESC LIMIT 1`,
        [ownerId, sinceMs],
      );
      return row ?? null;
    },
  },
  {
    async addBulkAction(tx, action, expiredBeforeMs) {
      const expired = 'SELECT id FROM bulk_actions WHERE at_ms < $1';
      await tx.run(`DELETE FROM bulk_action_steps WHERE bulk_id IN (${expired})`, [expiredBeforeMs]);
      await tx.run('DELETE FROM bulk_actions WHERE at_ms < $1', [expiredBeforeMs]);
      return (await actions.insertReturning(tx, action)).id;
    },
    addBulkSteps: (tx, bulkId, newSteps) =>
      steps.insertMany(
        tx,
        newSteps.map((step) => ({ bulkId, ...step })),
      ),
    async takeBulkSteps(tx, bulkId, limit) {
      const rows = await tx.all(
        `DELETE FROM bulk_action_steps WHERE bulk_id = $1 AND issue_id IN
           (SELECT issue_id FROM bulk_action_steps WHERE bulk_id = $1 ORDER BY issue_id LIMIT $2)
         RETURNING ${shownSteps.columns()}`,
        [bulkId, limit],
      );
      const removed: BulkStep[] = rows.map((row) => shownSteps.rowOf(row));
      return removed.sort((one, other) => one.issueId - other.issueId);
    },
    async restoreIssueState(tx, projectId, issueId, { before, after }, action) {
      const issue = await lockHead(tx, projectId, issueId);
      if (issue === null || issue.id !== issueId) return false;
      if (JSON.stringify(issue.state) !== JSON.stringify(after)) return false;
      await putState(tx, projectId, issue, before, action);
      return true;
    },
  },
);
