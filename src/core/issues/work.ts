// What people of the workspace do with an issue: the rules of the API, and who did it in the activity and in
// the audit history.
import type { IssueChangeRequest } from '../../../schemas/issues.ts';
import { type AuditBy, type AuditedAct, actAudited } from '../audit/audit.ts';
import { issueName, toldOfIssue } from '../audit/told.ts';
import type { Deps } from '../deps.ts';
import { badRequest, invalidId } from '../errors.ts';
import { isLongerThan } from '../reading/cut-text.ts';
import { withoutNul } from '../reading/lenient.ts';
import type { Comment } from '../store/issue-pages.ts';
import type { Issue, IssueState } from '../store/issues.ts';
import type { Member } from '../store/members.ts';
import type { Project } from '../store/projects.ts';
import { actOnIssue } from './requests.ts';
import { getStandingIssue } from './standing.ts';

type Parts = Pick<Deps, 'store' | 'now'>;

const commentCharactersMax = 10_000;

/** The state that somebody saw when they asked for another. */
export interface SeenState {
  readonly status: string;
  readonly changedAtMs: number;
}

/** `overtaken`: somebody was faster, and nothing was changed; `unchanged`: it was so already. */
export type WorkDone = 'changed' | 'unchanged' | 'overtaken';

/** Who acts, as the activity of an issue names them: `member Ines Okafor`, `key ntf_sk_…`, `token`. */
export function actorOf({ actor: { kind, name } }: AuditBy): string {
  return kind === 'member' || kind === 'key' ? `${kind} ${name}` : name;
}

/** Changes the state of an issue, merges others into it or undoes a merge. Throws as `actOnIssue`. */
export async function updateIssue(
  deps: Parts,
  project: Project,
  issueId: number,
  asked: IssueChangeRequest,
  by: AuditBy,
): Promise<void> {
  await actAudited(deps, by, async (parts) => {
    await actOnIssue(parts, project, issueId, asked, actorOf(by));
    const result = await getStandingIssue(parts.store, project.id, issueId);
    return { result, told: toldOfIssue(result, project, asked) };
  });
}

/**
 * The same for who saw the issue: a state that is no longer the one which was seen is not changed. Of two who
 * resolve at once the second is told so.
 */
export async function workOnIssue(
  deps: Parts,
  project: Project,
  issueId: number,
  work: { readonly asked: IssueChangeRequest; readonly seen: SeenState | null },
  by: AuditBy,
): Promise<WorkDone> {
  const { asked, seen } = work;
  return actAudited<WorkDone, Parts>(deps, by, async (inside) => {
    const before = await inside.store.holdIssue(project.id, issueId);
    if (before === null) throw invalidId('issue');
    if (asked.status !== undefined && seen !== null && isOvertaken(before.state, seen)) {
      return { result: 'overtaken', told: null };
    }
    await actOnIssue(inside, project, issueId, asked, actorOf(by));
    const after = await inside.store.findIssue(project.id, before.id);
    if (asked.status !== undefined && after?.state.changedAtMs === before.state.changedAtMs) {
      const isSame = JSON.stringify(after.state) === JSON.stringify(before.state);
      if (isSame) return { result: 'unchanged', told: null };
    }
    return { result: 'changed', told: toldOfIssue(before, project, asked) };
  });
}

/**
 * Whether the state is another than the one that was seen. What merely aged is not: open is open, and whoever
 * resolves it means it.
 */
function isOvertaken(state: IssueState, seen: SeenState): boolean {
  if (state.status !== seen.status) return true;
  return state.status !== 'unresolved' && state.changedAtMs !== seen.changedAtMs;
}

/** Gives an issue to a member, or to nobody. Throws 404 where the issue is not there. */
export async function giveIssue(
  deps: Parts,
  issue: Issue,
  to: Pick<Member, 'id' | 'name'> | null,
  by: AuditBy,
): Promise<void> {
  await actAudited(deps, by, async ({ store }) => {
    const member = to === null ? null : { memberId: to.id, name: to.name };
    const act = { actor: actorOf(by), nowMs: deps.now() };
    const assigned = await store.assignIssue(issue.projectId, issue.id, member, act);
    if (assigned === null) throw invalidId('issue');
    const summary = to === null ? 'to nobody' : `to ${to.name}`;
    const told: AuditedAct = { ...aboutIssue(issue), action: 'issue.assigned', summary };
    return { result: null, told: assigned.changed ? told : null };
  });
}

/** Writes a comment. Throws 400 for one that says nothing, or too much. */
export async function commentOn(deps: Parts, issue: Issue, text: string, by: AuditBy): Promise<Comment> {
  const body = withoutNul(text).trim().toWellFormed();
  if (body === '') throw badRequest('notifier_comment', 'Enter a comment.');
  if (isLongerThan(body, commentCharactersMax)) {
    throw badRequest('notifier_comment', 'A comment must have at most 10,000 characters.');
  }
  return actAudited(deps, by, async ({ store }) => {
    const comment = await store.addComment({
      projectId: issue.projectId,
      issueId: issue.id,
      memberId: by.actor.kind === 'member' ? by.actor.id : null,
      author: by.actor.name,
      atMs: deps.now(),
      body,
    });
    return { result: comment, told: { ...aboutIssue(issue), action: 'issue.commented' } };
  });
}

/** Takes a comment away. */
export async function removeComment(deps: Parts, issue: Issue, comment: Comment, by: AuditBy): Promise<void> {
  await actAudited(deps, by, async ({ store }) => {
    const isGone = !(await store.removeComment(issue.projectId, comment.id));
    const summary = `by ${comment.author}`;
    const told: AuditedAct = { ...aboutIssue(issue), action: 'issue.comment_removed', summary };
    return { result: null, told: isGone ? null : told };
  });
}

function aboutIssue(issue: Issue) {
  return { object: { kind: 'issue', id: issue.id, name: issueName(issue) }, projectId: issue.projectId };
}
