// What a person changes in the state of an issue: the row and the note of it, in one transaction.

import { requestedState } from '../../src/core/issues/life.ts';
import type { Act, Assignee, Issue, IssueChange, IssueState } from '../../src/core/store/issues.ts';
import type { Db, Query } from '../db.ts';
import { addActivity } from './activity.ts';
import { readNewestRelease } from './newest-release.ts';
import { findIssue } from './reads.ts';
import { stateWord, writeState } from './rows.ts';

/**
 * See `IssueStore.changeIssue`. A merged issue has no state of its own: the one that stands for it is
 * changed.
 */
export function changeIssue(
  db: Db,
  projectId: number,
  issueId: number,
  change: IssueChange,
  act: Act,
): Promise<Issue | null> {
  return db.write(async (tx) => {
    const issue = await lockHead(tx, projectId, issueId);
    if (issue === null) return null;
    const state = requestedState(change, {
      nowMs: act.nowMs,
      eventsCount: issue.eventsCount,
      usersCount: issue.usersCount,
      newestRelease: asksForNext(change) ? await readNewestRelease(tx, projectId, issue.id) : null,
    });
    if (isSameState(issue.state, state)) return issue;
    await putState(tx, projectId, issue, state, act);
    return { ...issue, state };
  });
}

/** Gives an issue to a member, or to nobody, and says so in its activity. */
export async function putAssignee(
  tx: Query,
  projectId: number,
  issueId: number,
  to: Assignee | null,
  act: Act,
): Promise<void> {
  const memberId = to?.memberId ?? null;
  await tx.run('UPDATE issues SET assigned_to = $3 WHERE project_id = $1 AND id = $2', [
    projectId,
    issueId,
    memberId,
  ]);
  await addActivity(tx, {
    projectId,
    issueId,
    kind: 'assigned',
    actor: act.actor,
    atMs: act.nowMs,
    from: '',
    to: '',
    eventId: null,
    release: null,
    detail: { member_id: memberId, name: to?.name ?? null },
  });
}

/** Gives an issue a state that somebody decided, and says so in its activity. */
export async function putState(
  tx: Query,
  projectId: number,
  issue: Issue,
  state: IssueState,
  act: Act,
): Promise<void> {
  await writeState(tx, projectId, issue.id, state);
  await addActivity(tx, {
    projectId,
    issueId: issue.id,
    kind: state.status,
    actor: act.actor,
    atMs: act.nowMs,
    from: stateWord(issue.state),
    to: stateWord(state),
    eventId: null,
    release: state.resolution?.in === 'release' ? state.resolution.release : null,
    detail: { ...state.resolution, ...state.ignore },
  });
}

/** Reads the issue that stands for an id, with its row locked: an event may be counting it at this moment. */
export async function lockHead(tx: Query, projectId: number, issueId: number): Promise<Issue | null> {
  const row = await tx.get<{ id: number; merged_into: number | null }>(
    'UPDATE issues SET regressions_count = regressions_count WHERE project_id = $1 AND id = $2 RETURNING id, merged_into',
    [projectId, issueId],
  );
  if (row === undefined) return null;
  if (row.merged_into !== null) return lockHead(tx, projectId, row.merged_into);
  return findIssue(tx, projectId, row.id);
}

function asksForNext(change: IssueChange): boolean {
  return change.status === 'resolved' && change.in === 'next_release';
}

/** Asking again for what is already so changes nothing. An open issue is open, whatever its sub-state. */
function isSameState(before: IssueState, after: IssueState): boolean {
  if (before.status !== after.status) return false;
  const details = (state: IssueState): string => JSON.stringify([state.resolution, state.ignore]);
  return details(before) === details(after);
}
