import type { IssueChangeRequest } from '../../../schemas/issues.ts';
import { type AuditSource, audited, formatActor } from '../audit/audit.ts';
import { issueAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { RestError } from '../errors.ts';
import type { Assignee, BulkAction, BulkActionKind, BulkStep, Issue, UndoStep } from '../store/issues.ts';
import { assignIssueTo, updateIssueIfUnchanged } from './actions.ts';
import { viewAssignees } from './assignees.ts';
import { assigneeIdsOf, sliceIssues, undoMs } from './bulk.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

/** The newest action that `ownerId` may still undo. */
export async function findUndoableAction(
  { store, now }: ServiceDeps,
  ownerId: number,
): Promise<(BulkAction & { readonly issues: number; readonly untilMs: number }) | null> {
  const found = await store.findBulkAction(ownerId, now() - undoMs);
  return found === null ? null : { ...found, untilMs: found.atMs + undoMs };
}

/** Restores state, assignee or parts, unless changed since. Throws 409 after a minute, or if it is not the newest. */
export async function undoBulkAction(
  deps: ServiceDeps,
  ownerId: number,
  bulkId: number,
  by: AuditSource,
): Promise<{ readonly action: BulkActionKind; readonly restored: number; readonly unchanged: number }> {
  const found = await findUndoableAction(deps, ownerId);
  if (found === null || found.id !== bulkId) {
    throw new RestError(
      'notifier_undo_expired',
      'This can no longer be undone. Change the issues back instead.',
      409,
    );
  }
  let [restored, unchanged] = [0, 0];
  for (;;) {
    const done = await deps.store.transaction(async (store) => {
      const steps = await store.takeBulkSteps(bulkId, sliceIssues);
      let undone = 0;
      for (const step of steps) if (await undoStep({ ...deps, store }, step, by)) undone += 1;
      return { taken: steps.length, undone };
    });
    if (done.taken === 0) return { action: found.action, restored, unchanged };
    restored += done.undone;
    unchanged += done.taken - done.undone;
  }
}

async function undoStep(deps: ServiceDeps, { projectId, issueId, step }: BulkStep, by: AuditSource) {
  const { store } = deps;
  const project = await store.findProject(projectId);
  const issue = project === null ? null : await store.lockIssueForChange(projectId, issueId);
  // Null also for whoever lost access to the project since then.
  if (project === null || issue === null || issue.id !== issueId) return false;
  if (step.of === 'merge') {
    const merge = (await store.listMerges(projectId, issueId)).find(({ id }) => id === step.mergeId);
    if (merge?.undoneAtMs !== null) return false;
    const changes: IssueChangeRequest = { undo_merge: step.mergeId, in: 'now', until: 'forever' };
    await updateIssueIfUnchanged(deps, project, issueId, { change: changes, seen: null }, by);
    return true;
  }
  if (step.of === 'assignee') {
    if (JSON.stringify(assigneeIdsOf(issue)) !== JSON.stringify(step.after)) return false;
    await assignIssueTo(deps, issue, await formerAssignee(deps, { ...issue, ...step.before }), by);
    return true;
  }
  return restoreState(deps, issue, step, by);
}

const auditActions = {
  resolved: 'issue.resolved',
  ignored: 'issue.ignored',
  unresolved: 'issue.reopened',
} as const;

const restoreState = audited(
  async ({ store, now, by }, issue: Issue, states: Extract<UndoStep, { readonly of: 'state' }>) => {
    const action = { actor: formatActor(by), nowMs: now() };
    const result = await store.restoreIssueState(issue.projectId, issue.id, states, action);
    const auditEvent = issueAuditEvent(issue, auditActions[states.before.status], 'undone');
    return { result, auditEvent: result ? auditEvent : null };
  },
);

async function formerAssignee({ store, now }: ServiceDeps, issue: Issue): Promise<Assignee | null> {
  const { assignedTo, assignedTeam } = issue;
  const view = (await viewAssignees({ store }, [issue], now())).get(issue.id) ?? null;
  const name = view?.name ?? null;
  // Removed since then.
  if (name === null) return null;
  if (assignedTo !== null) return { memberId: assignedTo, name };
  return assignedTeam === null ? null : { teamId: assignedTeam, name };
}
