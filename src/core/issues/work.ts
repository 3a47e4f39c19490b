// Actions of members and keys on issues, with activity and audit entries.
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

/** The state on the page when the user clicked. */
export interface SeenState {
  readonly status: string;
  readonly changedAtMs: number;
}

/** `overtaken`: somebody else changed it first, nothing was changed. */
export type WorkDone = 'changed' | 'unchanged' | 'overtaken';

/** The actor in the activity: `member Ines Okafor`, `key ntf_sk_…`, `token`. */
export function actorOf({ actor: { kind, name } }: AuditBy): string {
  return kind === 'member' || kind === 'key' ? `${kind} ${name}` : name;
}

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

/** The same from a page: nothing changes if the state is no longer the one that the user saw. */
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

/** Ageing from `new` to `ongoing` does not count as a change. */
function isOvertaken(state: IssueState, seen: SeenState): boolean {
  if (state.status !== seen.status) return true;
  return state.status !== 'unresolved' && state.changedAtMs !== seen.changedAtMs;
}

/** Null unassigns it. Throws 404. */
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

/** Throws 400 for an empty or too long comment. */
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
