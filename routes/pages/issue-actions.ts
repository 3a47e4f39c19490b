import { z } from 'zod';
import {
  type IssueChangeRequest,
  issueIgnoreForm,
  issueReopenForm,
  issueResolveForm,
} from '../../schemas/issues.ts';
import {
  assignIssueByWord,
  commentOnIssue,
  deleteComment,
  deleteIssue,
  type ExpectedState,
  updateIssueIfUnchanged,
} from '../../src/core/issues/actions.ts';
import { notifyMentioned } from '../../src/core/issues/mentions.ts';
import { splitOffHashes } from '../../src/core/issues/split.ts';
import { addIssueLink, removeIssueLink } from '../../src/core/issues/tracker-links.ts';
import {
  actionLinkModel,
  findActionLink,
  ignoreRequest,
  linkGone,
  mergeRequest,
  reopenRequest,
  resolveRequest,
} from '../../src/core/page-models/issue/action-requests.ts';
import { findIssueOfPath, issueDeletionModel } from '../../src/core/page-models/issue/find-issue.ts';
import { canRemoveComment } from '../../src/core/page-models/issue/history.ts';
import { issueConfirmationModel, issueHistoryModel } from '../../src/core/page-models/issue/tabs.ts';
import {
  invalidPageInput,
  PageError,
  pageNotFound,
  pathId,
  type RequestContext,
} from '../../src/core/page-models/request-context.ts';
import {
  action,
  confirmationForm,
  goBack,
  noForm,
  page,
  showPage,
} from '../../src/http/pages/declarations.ts';
import {
  actionLinkPage,
  conflictPage,
  deletingPage,
  ignorePage,
  linkPage,
} from '../../src/web/issue/confirm-pages.ts';
import { issueHistoryPage } from '../../src/web/issue/tabs.ts';

const text = z.string().max(200, 'Use at most 200 characters.').optional();

export function issueActions() {
  return [
    action('/issues/{id}/resolve', 'member', issueResolveForm, (context, form) =>
      change(context, resolveRequest(form), seenOf(form)),
    ),
    action('/issues/{id}/reopen', 'member', issueReopenForm, (context, form) =>
      change(context, reopenRequest, seenOf(form)),
    ),
    action(
      '/issues/{id}/ignore',
      'member',
      issueIgnoreForm,
      (context, form) => change(context, ignoreRequest(form, context.nowMs), seenOf(form)),
      { onInvalid: { model: issueConfirmationModel, view: ignorePage } },
    ),
    action(
      '/issues/{id}/merge',
      'member',
      z.object({ merge: z.array(z.string().max(20)).max(100).optional(), issue_id: text }),
      async (context, form) => {
        const { issue } = await findIssueOfPath(context);
        return change(context, mergeRequest(form.merge ?? [], form.issue_id, issue.id), null);
      },
    ),
    action(
      '/issues/{id}/undo-merge',
      'member',
      z.object({ merge_id: z.coerce.number().int().min(1) }),
      (context, form) => change(context, { in: 'now', until: 'forever', undo_merge: form.merge_id }, null),
    ),
    action(
      '/issues/{id}/split',
      'member',
      z.object({
        hash: z
          .array(z.string().regex(/^[0-9a-f]{64}$/, 'A fingerprint hash must have 64 hexadecimal digits.'))
          .max(200)
          .optional(),
      }),
      (context, form) => split(context, form.hash ?? []),
    ),
    ...otherActions(),
  ];
}

function otherActions() {
  return [
    action(
      '/issues/{id}/assign',
      'member',
      z.object({ to: z.string('Choose an assignee.').max(254) }),
      (context, form) => assign(context, form.to),
    ),
    action(
      '/issues/{id}/links',
      'member',
      z.object({ link: z.string('Enter a URL.').max(2_048, 'Use at most 2,048 characters.') }),
      (context, form) => addLink(context, form.link),
      { onInvalid: { model: issueConfirmationModel, view: linkPage } },
    ),
    action('/issues/{id}/links/{link_id}/remove', 'member', noForm, removeLink),
    action(
      '/issues/{id}/comments',
      'member',
      z.object({ text: z.string('Enter a comment.') }),
      (context, form) => comment(context, form.text),
      {
        onInvalid: { model: issueHistoryModel, view: issueHistoryPage },
        fieldOf: { notifier_comment: 'text' },
      },
    ),
    action('/issues/{id}/comments/{comment_id}/remove', 'member', noForm, removeComment),
    action('/issues/{id}/delete', 'admin', confirmationForm, remove),
  ];
}

function seenOf(form: z.infer<typeof issueReopenForm>): ExpectedState | null {
  const changedAtMs = Date.parse(form.seen_at ?? '');
  if (form.seen_status === undefined || !Number.isFinite(changedAtMs)) return null;
  return { status: form.seen_status, changedAtMs };
}

async function change(context: RequestContext, changes: IssueChangeRequest, from: ExpectedState | null) {
  const { issue, project } = await findIssueOfPath(context);
  const done = await updateIssueIfUnchanged(
    context.deps,
    project,
    issue.id,
    { change: changes, seen: from },
    context.by,
  );
  if (done === 'overtaken') {
    const model = await issueConfirmationModel(context);
    return showPage((pageContext) => conflictPage(model, pageContext), 409);
  }
  const to = `/issues/${issue.id}`;
  return done === 'unchanged' ? { to, notice: 'issue-unchanged' } : { to };
}

async function split(context: RequestContext, hashes: readonly string[]) {
  const { issue, project } = await findIssueOfPath(context);
  if (hashes.length === 0) throw invalidPageInput('Choose the fingerprints to split off.');
  const into = await splitOffHashes(context.deps, project, issue, hashes, context.by);
  return { to: `/issues/${into}`, notice: `issue-split.${issue.id}` };
}

/** Shows the progress if the deletion is already running. */
async function remove(context: RequestContext) {
  const ending = await issueDeletionModel(context);
  if (ending !== null) return showPage((pageContext) => deletingPage(ending, pageContext));
  const { issue } = await findIssueOfPath(context);
  await deleteIssue(context.deps, issue, context.by);
  const remainingEvents = (await context.deps.store.endingEvents(issue.id))?.events ?? null;
  return {
    to: '/issues',
    notice: `issue-deleted.${issue.id}${remainingEvents === null ? '' : `.${remainingEvents}`}`,
  };
}

async function assign(context: RequestContext, to: string) {
  const { issue } = await findIssueOfPath(context);
  const word = to === 'nobody' ? null : to;
  await assignIssueByWord(context.deps, { id: issue.projectId }, issue.id, word, context.by);
  return goBack();
}

async function addLink(context: RequestContext, link: string) {
  const { issue } = await findIssueOfPath(context);
  await addIssueLink(context.deps, issue, link, context.by);
  return { to: `/issues/${issue.id}` };
}

async function removeLink(context: RequestContext) {
  const { issue } = await findIssueOfPath(context);
  const id = pathId(context, 'link_id', 'A link with this number');
  await removeIssueLink(context.deps, issue, id, context.by);
  return goBack();
}

async function comment(context: RequestContext, text: string) {
  const { issue } = await findIssueOfPath(context);
  const added = await commentOnIssue(context.deps, issue, text, context.by);
  void notifyMentioned(context.deps, issue, added, context.by);
  return goBack();
}

async function removeComment(context: RequestContext) {
  const { issue } = await findIssueOfPath(context);
  const id = pathId(context, 'comment_id', 'A comment with this number');
  const found = await context.deps.store.findComment(issue.projectId, issue.id, id);
  if (found === null) throw pageNotFound('A comment with this number');
  if (!canRemoveComment(found, context.currentUser)) {
    throw new PageError(403, 'Not allowed', 'Only its author or an admin can delete a comment.');
  }
  await deleteComment(context.deps, issue, found, context.by);
  return goBack();
}

// Links in messages that resolve or ignore an issue: a signed-in member confirms, and a link works once.

const path = '/issue-links/{token}';

export function issueLinkPages() {
  return [
    page(
      path,
      'member',
      async (context) => ({ ...(await actionLinkModel(context)), token: context.path['token'] ?? '' }),
      ({ token, ...model }, pageContext) => actionLinkPage(model, pageContext, token),
    ),
    action(path, 'member', confirmationForm, follow),
  ];
}

async function follow(context: RequestContext) {
  const { link, project } = await findActionLink(context);
  const until = link.action === 'mute' ? '24-hours' : 'forever';
  const change = link.action === 'resolve' ? resolveRequest({}) : ignoreRequest({ until }, context.nowMs);
  return context.deps.store.transaction(async (store) => {
    // Whoever deletes it first uses it.
    if (!(await store.deleteActionLink(link.tokenHash))) throw linkGone();
    const work = { change, seen: null };
    const deps = { ...context.deps, store };
    const done = await updateIssueIfUnchanged(deps, project, link.issueId, work, context.by);
    const to = `/issues/${link.issueId}`;
    return done === 'unchanged' ? { to, notice: 'issue-unchanged' } : { to };
  });
}
