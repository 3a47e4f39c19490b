import { stateAfterRequest } from '../../src/core/issues/state-transitions.ts';
import type { ActorAndTime, Assignee, Issue, IssueChange, IssueState } from '../../src/core/store/issues.ts';
import type { Db, Query } from '../db.ts';
import { addActivity } from './activity.ts';
import { readNewestRelease } from './newest-release.ts';
import { findIssue } from './reads.ts';
import { issues, stateWord, writeState } from './rows.ts';

/** Changes the head where the issue is merged: a merged issue has no state of its own. */
export function changeIssue(
  db: Db,
  projectId: number,
  issueId: number,
  change: IssueChange,
  act: ActorAndTime,
): Promise<Issue | null> {
  return db.write(async (tx) => {
    const issue = await lockHead(tx, projectId, issueId);
    if (issue === null) return null;
    const state = stateAfterRequest(change, {
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

export async function putAssignee(
  tx: Query,
  projectId: number,
  issueId: number,
  to: Assignee | null,
  act: ActorAndTime,
): Promise<void> {
  const memberId = to !== null && 'memberId' in to ? to.memberId : null;
  const teamId = to !== null && 'teamId' in to ? to.teamId : null;
  const assigned = { assignedTo: memberId, assignedTeam: teamId };
  await issues.update(tx, assigned, { where: 'project_id = $1 AND id = $2', values: [projectId, issueId] });
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
    detail: { member_id: memberId, ...(teamId !== null && { team_id: teamId }), name: to?.name ?? null },
  });
}

export async function putState(
  tx: Query,
  projectId: number,
  issue: Issue,
  state: IssueState,
  act: ActorAndTime,
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

/** Answers the head of an issue with its row locked, since events may be counting it. */
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

/** Unresolved stays as it is, whatever its substatus. */
function isSameState(before: IssueState, after: IssueState): boolean {
  if (before.status !== after.status) return false;
  const details = (state: IssueState): string => JSON.stringify([state.resolution, state.ignore]);
  return details(before) === details(after);
}
