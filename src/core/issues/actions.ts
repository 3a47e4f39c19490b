import type { IssueChangeRequest } from '../../../schemas/issues.ts';
import { type AuditSource, audited, formatActor, runAudited } from '../audit/audit.ts';
import { issueAuditEvent, issueChangeAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createNotFoundError } from '../errors.ts';
import { isLongerThan } from '../parsing/cut-text.ts';
import { formatCountWithNoun } from '../parsing/format/numbers.ts';
import { removeNul } from '../parsing/unknown-values.ts';
import type { Comment } from '../store/issue-queries.ts';
import type { Assignee, Issue, IssueState } from '../store/issues.ts';
import type { Project } from '../store/projects.ts';
import { getAssignee } from './assignees.ts';
import { continueInBackground } from './background-work.ts';
import { applyIssueChange, requireOneAction } from './change-requests.ts';
import { listMentioned } from './mentions.ts';
import { getIssueAfterMerge } from './resolve-merged.ts';
import { addIssueLink, removeIssueLink } from './tracker-links.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

const commentCharactersMax = 10_000;

export interface ExpectedState {
  readonly status: string;
  readonly changedAtMs: number;
}

/** `overtaken`: somebody else changed it first, nothing was changed. */
export type ActionResult = 'changed' | 'unchanged' | 'overtaken';

export async function updateIssue(
  deps: ServiceDeps,
  project: Project,
  issueId: number,
  changes: IssueChangeRequest,
  by: AuditSource,
): Promise<void> {
  const { assigned_to: assignee, link, unlink } = changes;
  if (assignee !== undefined || link !== undefined || unlink !== undefined) {
    requireOneAction(changes);
    const issue = await getIssueAfterMerge(deps.store, project.id, issueId);
    if (assignee !== undefined) await assignIssueByWord(deps, project, issueId, assignee, by);
    if (link !== undefined) await addIssueLink(deps, issue, link, by);
    if (unlink !== undefined) await removeIssueLink(deps, issue, unlink, by);
    return;
  }
  await runAudited(deps, by, async (txDeps) => {
    await applyIssueChange(txDeps, project, issueId, changes, formatActor(by));
    const result = await getIssueAfterMerge(txDeps.store, project.id, issueId);
    return { result, auditEvent: issueChangeAuditEvent(result, project, changes) };
  });
}

/** The same from a page: nothing changes if the state is no longer the one that the user saw. */
export async function updateIssueIfUnchanged(
  deps: ServiceDeps,
  project: Project,
  issueId: number,
  work: { readonly change: IssueChangeRequest; readonly seen: ExpectedState | null },
  by: AuditSource,
): Promise<ActionResult> {
  const { change, seen } = work;
  return runAudited<ActionResult, ServiceDeps>(deps, by, async (txDeps) => {
    const before = await txDeps.store.lockIssueForChange(project.id, issueId);
    if (before === null) throw createNotFoundError('issue');
    if (change.status !== undefined && seen !== null && isOvertaken(before.state, seen)) {
      return { result: 'overtaken', auditEvent: null };
    }
    await applyIssueChange(txDeps, project, issueId, change, formatActor(by));
    const after = await txDeps.store.findIssue(project.id, before.id);
    if (change.status !== undefined && after?.state.changedAtMs === before.state.changedAtMs) {
      const isSame = JSON.stringify(after.state) === JSON.stringify(before.state);
      if (isSame) return { result: 'unchanged', auditEvent: null };
    }
    return { result: 'changed', auditEvent: issueChangeAuditEvent(before, project, change) };
  });
}

/** Ageing from `new` to `ongoing` does not count as a change. */
function isOvertaken(state: IssueState, seen: ExpectedState): boolean {
  if (state.status !== seen.status) return true;
  return state.status !== 'unresolved' && state.changedAtMs !== seen.changedAtMs;
}

/** A word as `getAssignee` reads it; null unassigns. Throws 404, and 400 for an unknown assignee. */
export async function assignIssueByWord(
  deps: ServiceDeps,
  project: Pick<Project, 'id'>,
  issueId: number,
  word: number | string | null,
  by: AuditSource,
): Promise<void> {
  const issue = await getIssueAfterMerge(deps.store, project.id, issueId);
  const to = word === null ? null : await getAssignee(deps, project.id, String(word), deps.now());
  await assignIssueTo(deps, issue, to, by);
}

/** Null unassigns it. Throws 404. */
export const assignIssueTo = audited(async ({ store, now, by }, issue: Issue, to: Assignee | null) => {
  const action = { actor: formatActor(by), nowMs: now() };
  const assigned = await store.assignIssue(issue.projectId, issue.id, to, action);
  if (assigned === null) throw createNotFoundError('issue');
  const auditEvent = issueAuditEvent(issue, 'issue.assigned', `to ${to?.name ?? 'nobody'}`);
  return { result: null, auditEvent: assigned.changed ? auditEvent : null };
});

/** Throws 400 for an empty or too long comment. */
export async function commentOnIssue(
  deps: ServiceDeps,
  issue: Issue,
  text: string,
  by: AuditSource,
): Promise<Comment> {
  const body = removeNul(text).trim().toWellFormed();
  if (body === '') throw createBadRequestError('notifier_comment', 'Enter a comment.');
  if (isLongerThan(body, commentCharactersMax)) {
    throw createBadRequestError('notifier_comment', 'A comment must have at most 10,000 characters.');
  }
  const mentioned = await listMentioned(deps, issue.projectId, body, by);
  return runAudited(deps, by, async ({ store }) => {
    const comment = await store.addComment({
      projectId: issue.projectId,
      issueId: issue.id,
      memberId: by.actor.kind === 'member' ? by.actor.id : null,
      author: by.actor.name,
      atMs: deps.now(),
      body,
      mentioned: mentioned.map(({ id }) => id),
    });
    return { result: comment, auditEvent: issueAuditEvent(issue, 'issue.commented') };
  });
}

export const deleteComment = audited(async ({ store }, issue: Issue, comment: Comment) => {
  const isRemoved = await store.removeComment(issue.projectId, comment.id);
  const auditEvent = issueAuditEvent(issue, 'issue.comment_removed', `by ${comment.author}`);
  return { result: null, auditEvent: isRemoved ? auditEvent : null };
});

/** Merged issues too; hidden at once, removed in the background. User feedback stays. Throws 404. */
export async function deleteIssue(
  deps: Pick<Deps, 'store' | 'now' | 'log'>,
  issue: Issue,
  by: AuditSource,
): Promise<void> {
  await runAudited(deps, by, async ({ store }) => {
    const issues = await store.endIssue(issue.projectId, issue.id, deps.now());
    if (issues === 0) throw createNotFoundError('issue');
    const events = formatCountWithNoun(issue.eventsCount, 'event');
    const summary = issues === 1 ? events : `${events}, with ${issues - 1} merged into it`;
    return { result: issues, auditEvent: issueAuditEvent(issue, 'issue.deleted', summary) };
  });
  await continueInBackground(deps);
}
