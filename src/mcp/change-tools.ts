import { z } from 'zod';
import { issueChangeRequest } from '../../schemas/issues.ts';
import { createInvalidParamError } from '../core/errors.ts';
import { assignIssueByWord, commentOnIssue, updateIssue } from '../core/issues/actions.ts';
import { notifyMentioned } from '../core/issues/mentions.ts';
import { type FoundIssue, findIssueOfPath } from '../core/page-models/issue/find-issue.ts';
import { issueIdField } from './issue-tools.ts';
import { type Tool, tool } from './tool.ts';
import { contextOf, type McpUser, requireChange } from './user.ts';

async function findChangedIssue(user: McpUser, id: number): Promise<FoundIssue> {
  requireChange(user);
  return findIssueOfPath(contextOf(user, { path: { id: String(id) } }));
}

/** As `POST /issues/{id}` does. */
async function changeIssue(user: McpUser, id: number, change: object): Promise<string> {
  const { issue, project } = await findChangedIssue(user, id);
  await updateIssue(user.deps, project, issue.id, issueChangeRequest.parse(change), user.by);
  const after = await user.deps.store.findIssue(project.id, issue.id);
  return `Issue #${issue.id} is ${after?.state.status ?? 'changed'}.`;
}

const { in: when, release, until, date, count, users } = issueChangeRequest.shape;

const resolveIssue = tool({
  name: 'resolve_issue',
  title: 'Resolve an issue',
  description: 'Marks an issue as resolved. It is reopened as a regression when it is seen again.',
  input: { issue_id: issueIdField, in: when, release },
  changes: true,
  answer: (user, { issue_id: id, ...rest }) => changeIssue(user, id, { ...rest, status: 'resolved' }),
});

const ignoreIssue = tool({
  name: 'ignore_issue',
  title: 'Ignore an issue',
  description: 'Ignores an issue: forever, until a date, or until further events or users.',
  input: { issue_id: issueIdField, until, date, count, users },
  changes: true,
  answer: (user, { issue_id: id, ...rest }) => changeIssue(user, id, { ...rest, status: 'ignored' }),
});

const reopenIssue = tool({
  name: 'reopen_issue',
  title: 'Reopen an issue',
  description: 'Marks a resolved or ignored issue as unresolved.',
  input: { issue_id: issueIdField },
  changes: true,
  answer: (user, { issue_id: id }) => changeIssue(user, id, { status: 'unresolved' }),
});

const assignIssue = tool({
  name: 'assign_issue',
  title: 'Assign an issue',
  description: 'Assigns an issue to a member or a team with access to its project, or to nobody.',
  input: {
    issue_id: issueIdField,
    assignee: z
      .string()
      .min(1)
      .max(254)
      .nullable()
      .describe('me, the id or e-mail address of a member, a team such as #payments, or null for nobody.'),
  },
  changes: true,
  async answer(user, { issue_id: id, assignee }) {
    const { issue, project } = await findChangedIssue(user, id);
    const { memberId } = user.currentUser;
    if (assignee === 'me' && memberId === null) {
      throw createInvalidParamError({ assignee: 'You are not a member here, so “me” is nobody.' });
    }
    const word = assignee === 'me' ? memberId : assignee;
    await assignIssueByWord(user.deps, project, issue.id, word, user.by);
    return `Issue #${issue.id} is assigned to ${assignee ?? 'nobody'}.`;
  },
});

const commentIssue = tool({
  name: 'comment_on_issue',
  title: 'Comment on an issue',
  description: 'Adds a comment to an issue. @Name notifies a member by e-mail.',
  input: { issue_id: issueIdField, text: z.string().min(1).max(10_000) },
  changes: true,
  async answer(user, { issue_id: id, text }) {
    const { issue } = await findChangedIssue(user, id);
    const comment = await commentOnIssue(user.deps, issue, text, user.by);
    void notifyMentioned(user.deps, issue, comment, user.by);
    return `Commented on issue #${issue.id}.`;
  },
});

export const changeTools: readonly Tool[] = [
  resolveIssue,
  ignoreIssue,
  reopenIssue,
  assignIssue,
  commentIssue,
];
