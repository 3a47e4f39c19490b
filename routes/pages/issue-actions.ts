import { z } from 'zod';
import type { IssueChangeRequest } from '../../schemas/issues.ts';
import { requestSource } from '../../src/core/audit/audit.ts';
import {
  assignIssueByWord,
  commentOnIssue,
  deleteComment,
  type ExpectedState,
  updateIssueIfUnchanged,
} from '../../src/core/issues/actions.ts';
import { deleteIssue } from '../../src/core/issues/deletion.ts';
import { notifyMentioned } from '../../src/core/issues/mentions.ts';
import { splitOffHashes } from '../../src/core/issues/split.ts';
import { addIssueLink, removeIssueLink } from '../../src/core/issues/tracker-links.ts';
import {
  ignoreRequest,
  mergeRequest,
  reopenRequest,
  resolveRequest,
} from '../../src/core/page-models/issue/action-requests.ts';
import { issueDeletionModel } from '../../src/core/page-models/issue/deletion.ts';
import { findIssueOfPath } from '../../src/core/page-models/issue/find-issue.ts';
import { canRemoveComment } from '../../src/core/page-models/issue/history.ts';
import { issueConfirmationModel } from '../../src/core/page-models/issue/tabs.ts';
import {
  invalidPageInput,
  PageError,
  pageNotFound,
  pathId,
  type RequestContext,
  withPageErrors,
} from '../../src/core/page-models/request-context.ts';
import {
  type ActionResult,
  action,
  confirmationForm,
  type Declaration,
} from '../../src/http/pages/declarations.ts';
import { conflictPage, deletingPage } from '../../src/web/issue/confirm-pages.ts';

const seen = { seen_status: z.string().max(20).optional(), seen_at: z.string().max(40).optional() };
const text = z.string().max(200).optional();

/** Deleting needs the role admin, all others member. */
export function issueActions(): Declaration[] {
  return [
    action({
      path: '/issues/{id}/resolve',
      form: z.object({ ...seen, in: z.enum(['now', 'next_release']).optional(), release: text }),
      act: (visit, form) => change(visit, resolveRequest(form), seenOf(form)),
    }),
    action({
      path: '/issues/{id}/reopen',
      form: z.object(seen),
      act: (visit, form) => change(visit, reopenRequest, seenOf(form)),
    }),
    action({
      path: '/issues/{id}/ignore',
      form: z.object({
        ...seen,
        until: z.string('Choose how long to ignore it.').max(20),
        date: text,
        count: text,
        window: text,
        users: text,
      }),
      act: (visit, form) => change(visit, ignoreRequest(form, visit.nowMs), seenOf(form)),
    }),
    action({
      path: '/issues/{id}/merge',
      form: z.object({ merge: z.array(z.string().max(20)).max(100).optional(), issue_id: text }),
      act: async (visit, form) => {
        const { issue } = await findIssueOfPath(visit);
        return change(visit, mergeRequest(form.merge ?? [], form.issue_id, issue.id), null);
      },
    }),
    action({
      path: '/issues/{id}/undo-merge',
      form: z.object({ merge_id: z.coerce.number().int().min(1) }),
      act: (visit, form) => change(visit, { in: 'now', until: 'forever', undo_merge: form.merge_id }, null),
    }),
    action({
      path: '/issues/{id}/split',
      form: z.object({
        hash: z
          .array(z.string().regex(/^[0-9a-f]{64}$/, 'A fingerprint hash must have 64 hexadecimal digits.'))
          .max(200)
          .optional(),
      }),
      act: (visit, form) => split(visit, form.hash ?? []),
    }),
    ...otherActs(),
  ];
}

function otherActs(): Declaration[] {
  return [
    action({
      path: '/issues/{id}/assign',
      form: z.object({ to: z.string('Choose an assignee.').max(254) }),
      act: (visit, form) => assign(visit, form.to),
    }),
    action({
      path: '/issues/{id}/links',
      form: z.object({ link: z.string('Enter a URL.').max(2_048) }),
      act: (visit, form) => addLink(visit, form.link),
    }),
    action({ path: '/issues/{id}/links/{link_id}/remove', act: removeLink }),
    action({
      path: '/issues/{id}/comments',
      form: z.object({ text: z.string('Enter a comment.') }),
      act: (visit, form) => comment(visit, form.text),
    }),
    action({ path: '/issues/{id}/comments/{comment_id}/remove', act: takeBack }),
    action({
      path: '/issues/{id}/delete',
      needs: 'admin',
      form: confirmationForm,
      act: remove,
    }),
  ];
}

function seenOf(form: {
  readonly seen_status?: string | undefined;
  readonly seen_at?: string | undefined;
}): ExpectedState | null {
  const changedAtMs = Date.parse(form.seen_at ?? '');
  if (form.seen_status === undefined || !Number.isFinite(changedAtMs)) return null;
  return { status: form.seen_status, changedAtMs };
}

async function change(
  visit: RequestContext,
  asked: IssueChangeRequest,
  from: ExpectedState | null,
): Promise<ActionResult> {
  const { issue, project } = await findIssueOfPath(visit);
  const done = await updateIssueIfUnchanged(
    visit.deps,
    project,
    issue.id,
    { asked, seen: from },
    requestSource(visit),
  );
  if (done === 'overtaken') {
    const model = await issueConfirmationModel(visit);
    return { status: 409, view: (frame) => conflictPage(model, frame) };
  }
  const to = `/issues/${issue.id}`;
  return done === 'unchanged' ? { to, notice: 'issue-unchanged' } : { to };
}

async function split(visit: RequestContext, hashes: readonly string[]): Promise<ActionResult> {
  const { issue, project } = await findIssueOfPath(visit);
  if (hashes.length === 0) throw invalidPageInput('Choose the fingerprints to split off.');
  const into = await splitOffHashes(visit.deps, project, issue, hashes, requestSource(visit));
  return { to: `/issues/${into}`, notice: `issue-split.${issue.id}` };
}

/** Shows the progress if the deletion is already running. */
async function remove(visit: RequestContext): Promise<ActionResult> {
  const ending = await issueDeletionModel(visit);
  if (ending !== null) return { status: 200, view: (frame) => deletingPage(ending, frame) };
  const { issue } = await findIssueOfPath(visit);
  await deleteIssue(visit.deps, issue, requestSource(visit));
  const left = (await visit.deps.store.endingEvents(issue.id))?.events ?? null;
  return { to: '/issues', notice: `issue-deleted.${issue.id}${left === null ? '' : `.${left}`}` };
}

async function assign(visit: RequestContext, to: string): Promise<ActionResult> {
  const { issue } = await findIssueOfPath(visit);
  const word = to === 'nobody' ? null : to;
  const source = requestSource(visit);
  await withPageErrors(assignIssueByWord(visit.deps, { id: issue.projectId }, issue.id, word, source));
  return { back: true };
}

async function addLink(visit: RequestContext, link: string): Promise<ActionResult> {
  const { issue } = await findIssueOfPath(visit);
  await withPageErrors(addIssueLink(visit.deps, issue, link, requestSource(visit)));
  return { to: `/issues/${issue.id}` };
}

async function removeLink(visit: RequestContext): Promise<ActionResult> {
  const { issue } = await findIssueOfPath(visit);
  const id = pathId(visit, 'link_id', 'A link with this number');
  await removeIssueLink(visit.deps, issue, id, requestSource(visit));
  return { back: true };
}

async function comment(visit: RequestContext, said: string): Promise<ActionResult> {
  const { issue } = await findIssueOfPath(visit);
  const source = requestSource(visit);
  const added = await commentOnIssue(visit.deps, issue, said, source);
  void notifyMentioned(visit.deps, issue, added, source);
  return { back: true };
}

async function takeBack(visit: RequestContext): Promise<ActionResult> {
  const { issue } = await findIssueOfPath(visit);
  const id = pathId(visit, 'comment_id', 'A comment with this number');
  const found = await visit.deps.store.findComment(issue.projectId, issue.id, id);
  if (found === null) throw pageNotFound('A comment with this number');
  if (!canRemoveComment(found, visit.visitor)) {
    throw new PageError(403, 'Not allowed', 'Only its author or an admin can delete a comment.');
  }
  await deleteComment(visit.deps, issue, found, requestSource(visit));
  return { back: true };
}
