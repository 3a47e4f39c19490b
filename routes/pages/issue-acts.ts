import { z } from 'zod';
import type { IssueChangeRequest } from '../../schemas/issues.ts';
import { byVisit } from '../../src/core/audit/audit.ts';
import { parseId } from '../../src/core/ids.ts';
import { deleteIssue } from '../../src/core/issues/deletion.ts';
import { splitOff } from '../../src/core/issues/splitting.ts';
import {
  commentOn,
  giveIssue,
  removeComment,
  type SeenState,
  workOnIssue,
} from '../../src/core/issues/work.ts';
import {
  ignoreRequest,
  mergeRequest,
  reopenRequest,
  resolveRequest,
} from '../../src/core/workspace/issue/acts.ts';
import { endingModel } from '../../src/core/workspace/issue/ending.ts';
import { issueOfPath } from '../../src/core/workspace/issue/found.ts';
import { mayRemove } from '../../src/core/workspace/issue/history.ts';
import { issueAskModel } from '../../src/core/workspace/issue/tabs.ts';
import { notHere, PageRefusal, pathNumber, type Visit, wrongInput } from '../../src/core/workspace/visit.ts';
import { type ActAnswer, act, type Declaration, sure } from '../../src/http/pages/declare.ts';
import { endingPage, overtakenPage } from '../../src/pages/issue/ask.ts';

const seen = { seen_status: z.string().max(20).optional(), seen_at: z.string().max(40).optional() };
const text = z.string().max(200).optional();

/** Deleting needs the role admin, all others member. */
export function issueActs(): Declaration[] {
  return [
    act({
      path: '/issues/{id}/resolve',
      form: z.object({ ...seen, in: z.enum(['now', 'next_release']).optional(), release: text }),
      act: (visit, form) => change(visit, resolveRequest(form), seenOf(form)),
    }),
    act({
      path: '/issues/{id}/reopen',
      form: z.object(seen),
      act: (visit, form) => change(visit, reopenRequest, seenOf(form)),
    }),
    act({
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
    act({
      path: '/issues/{id}/merge',
      form: z.object({ merge: z.array(z.string().max(20)).max(100).optional(), issue_id: text }),
      act: async (visit, form) => {
        const { issue } = await issueOfPath(visit);
        return change(visit, mergeRequest(form.merge ?? [], form.issue_id, issue.id), null);
      },
    }),
    act({
      path: '/issues/{id}/undo-merge',
      form: z.object({ merge_id: z.coerce.number().int().min(1) }),
      act: (visit, form) => change(visit, { in: 'now', until: 'forever', undo_merge: form.merge_id }, null),
    }),
    act({
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
    act({
      path: '/issues/{id}/assign',
      form: z.object({ to: z.string('Choose an assignee.').max(20) }),
      act: (visit, form) => assign(visit, form.to),
    }),
    act({
      path: '/issues/{id}/comments',
      form: z.object({ text: z.string('Enter a comment.') }),
      act: (visit, form) => comment(visit, form.text),
    }),
    act({ path: '/issues/{id}/comments/{comment_id}/remove', act: takeBack }),
    act({
      path: '/issues/{id}/delete',
      needs: 'admin',
      form: sure,
      act: remove,
    }),
  ];
}

function seenOf(form: {
  readonly seen_status?: string | undefined;
  readonly seen_at?: string | undefined;
}): SeenState | null {
  const changedAtMs = Date.parse(form.seen_at ?? '');
  if (form.seen_status === undefined || !Number.isFinite(changedAtMs)) return null;
  return { status: form.seen_status, changedAtMs };
}

async function change(visit: Visit, asked: IssueChangeRequest, from: SeenState | null): Promise<ActAnswer> {
  const { issue, project } = await issueOfPath(visit);
  const done = await workOnIssue(visit.deps, project, issue.id, { asked, seen: from }, byVisit(visit));
  if (done === 'overtaken') {
    const model = await issueAskModel(visit);
    return { status: 409, view: (frame) => overtakenPage(model, frame) };
  }
  const to = `/issues/${issue.id}`;
  return done === 'unchanged' ? { to, notice: 'issue-unchanged' } : { to };
}

async function split(visit: Visit, hashes: readonly string[]): Promise<ActAnswer> {
  const { issue, project } = await issueOfPath(visit);
  if (hashes.length === 0) throw wrongInput('Choose the fingerprints to split off.');
  const into = await splitOff(visit.deps, project, issue, hashes, byVisit(visit));
  return { to: `/issues/${into}`, notice: `issue-split.${issue.id}` };
}

/** Shows the progress if the deletion is already running. */
async function remove(visit: Visit): Promise<ActAnswer> {
  const ending = await endingModel(visit);
  if (ending !== null) return { status: 200, view: (frame) => endingPage(ending, frame) };
  const { issue } = await issueOfPath(visit);
  await deleteIssue(visit.deps, issue, byVisit(visit));
  const left = (await visit.deps.store.endingEvents(issue.id))?.events ?? null;
  return { to: '/issues', notice: `issue-deleted.${issue.id}${left === null ? '' : `.${left}`}` };
}

async function assign(visit: Visit, to: string): Promise<ActAnswer> {
  const { issue } = await issueOfPath(visit);
  const memberId = to === 'nobody' ? null : parseId(to);
  const member = memberId === null ? null : await visit.deps.store.findMember(memberId);
  if (to !== 'nobody' && member === null) throw notHere('A member with this number');
  await giveIssue(visit.deps, issue, member, byVisit(visit));
  return { back: true };
}

async function comment(visit: Visit, said: string): Promise<ActAnswer> {
  const { issue } = await issueOfPath(visit);
  await commentOn(visit.deps, issue, said, byVisit(visit));
  return { back: true };
}

async function takeBack(visit: Visit): Promise<ActAnswer> {
  const { issue } = await issueOfPath(visit);
  const id = pathNumber(visit, 'comment_id', 'A comment with this number');
  const found = await visit.deps.store.findComment(issue.projectId, issue.id, id);
  if (found === null) throw notHere('A comment with this number');
  if (!mayRemove(found, visit.visitor)) {
    throw new PageRefusal(403, 'Not allowed', 'Only its author or an admin can delete a comment.');
  }
  await removeComment(visit.deps, issue, found, byVisit(visit));
  return { back: true };
}
