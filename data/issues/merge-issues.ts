// To merge issues: a merged issue points at its head and keeps its own events, hashes, users, hours and own_
// counters, so that unmerging is exact. Other counters are those of the group in a head, its own in a merged issue.

import { issueUsersMax } from '../../src/core/issues/state-transitions.ts';
import type { ActivityKind, ActorAndTime, Issue, IssueMerge } from '../../src/core/store/issues.ts';
import { type Query, type StoreMethod, storePart } from '../db.ts';
import { defaulted, integer, nullable, type RowOf, tableOf, text } from '../table.ts';
import { toValueLists } from '../value-lists.ts';
import { addActivity } from './activity.ts';
import { lockHead } from './changes.ts';
import { groupOf } from './group.ts';
import { findIssue } from './reads.ts';
import { stateWord } from './rows.ts';

const merges = tableOf('issue_merges', {
  id: defaulted(integer),
  projectId: integer,
  intoIssueId: integer,
  actor: text,
  atMs: integer,
  undoneAtMs: defaulted(nullable(integer)),
}).without('projectId');
type MergeRow = RowOf<typeof merges>;

const listedMax = 100;

export const mergeStore = storePart(
  {
    async listMerges(db, projectId, issueId) {
      const rows = await merges.list(
        db,
        `WHERE project_id = $1 AND into_issue_id IN (${groupOf('$1', '$2')}) ORDER BY id DESC LIMIT $3`,
        [projectId, issueId, listedMax],
      );
      return Promise.all(rows.map(async (row) => mergeOf(row, await membersOf(db, row.id))));
    },
  },
  {
    mergeIssues: (tx, projectId, intoIssueId, issueIds, action) =>
      mergeIssues(tx, projectId, intoIssueId, issueIds, action),
    async unmergeIssues(tx, projectId, issueId, mergeId, action) {
      const merge = await merges.find(tx, 'WHERE project_id = $1 AND id = $2', [projectId, mergeId]);
      if (merge === null) return null;
      const head = await lockHead(tx, projectId, merge.intoIssueId);
      const requested = await findIssue(tx, projectId, issueId);
      if (head === null || requested === null || (requested.mergedInto ?? requested.id) !== head.id)
        return null;
      const undone = await merges.updateReturning(
        tx,
        { undoneAtMs: action.nowMs },
        { where: 'project_id = $1 AND id = $2 AND undone_at_ms IS NULL', values: [projectId, mergeId] },
      );
      if (undone === null) return null;
      const restored = await leaveGroup(tx, projectId, head.id);
      for (const id of [head.id, ...restored]) await recount(tx, projectId, id);
      await recordActivity(tx, head, 'unmerged', action, { merge_id: mergeId, issue_ids: restored });
      for (const id of restored) {
        const issue = await findIssue(tx, projectId, id);
        if (issue !== null)
          await recordActivity(tx, issue, 'unmerged', action, { merge_id: mergeId, from: head.id });
      }
      return mergeOf(undone, await membersOf(tx, mergeId));
    },
  },
);

export const mergeIssues: StoreMethod<'mergeIssues'> = async (
  tx,
  projectId,
  intoIssueId,
  issueIds,
  action,
) => {
  const heads = new Map<number, Issue>();
  // Locked in the order of ids, so that two merges cannot deadlock.
  for (const id of [...new Set([intoIssueId, ...issueIds])].sort((left, right) => left - right)) {
    const head = await lockHead(tx, projectId, id);
    if (head === null) return null;
    heads.set(id, head);
  }
  const into = heads.get(intoIssueId) as Issue;
  const moved = [...new Map([...heads.values()].map((head) => [head.id, head])).values()].filter(
    (head) => head.id !== into.id,
  );
  if (moved.length === 0) return null;
  const { actor, nowMs: atMs } = action;
  const row = await merges.insertReturning(tx, { projectId, intoIssueId: into.id, actor, atMs });
  for (const head of moved) await moveGroup(tx, projectId, row.id, head.id, into.id);
  for (const id of [into.id, ...moved.map((head) => head.id)]) await recount(tx, projectId, id);
  const detail = { merge_id: row.id, issue_ids: moved.map((head) => head.id) };
  await recordActivity(tx, into, 'merged', action, detail);
  for (const head of moved)
    await recordActivity(tx, head, 'merged', action, { merge_id: row.id, into: into.id });
  return mergeOf(row, await membersOf(tx, row.id));
};

async function moveGroup(tx: Query, projectId: number, mergeId: number, headId: number, intoId: number) {
  await tx.run(
    `INSERT INTO issue_merge_members (merge_id, issue_id, merged_into_before)
     SELECT CAST($1 AS BIGINT), id, merged_into FROM issues WHERE project_id = $2 AND (id = $3 OR merged_into = $3)`,
    [mergeId, projectId, headId],
  );
  await tx.run('UPDATE issues SET merged_into = $3 WHERE project_id = $1 AND (id = $2 OR merged_into = $2)', [
    projectId,
    headId,
    intoId,
  ]);
}

// Releases the issues that no merge keeps in the group of `headId`; returns the released heads.
async function leaveGroup(tx: Query, projectId: number, headId: number): Promise<number[]> {
  const group = await tx.all<{ id: number }>(
    'SELECT id FROM issues WHERE project_id = $1 AND merged_into = $2 ORDER BY id',
    [projectId, headId],
  );
  const links = await tx.all<{ issue_id: number; into_issue_id: number }>(
    `SELECT issue_merge_members.issue_id, issue_merges.into_issue_id FROM issues
       JOIN issue_merge_members ON issue_merge_members.issue_id = issues.id
       JOIN issue_merges ON issue_merges.id = issue_merge_members.merge_id
     WHERE issues.project_id = $1 AND issues.merged_into = $2
       AND merged_into_before IS NULL AND undone_at_ms IS NULL`,
    [projectId, headId],
  );
  const followers = followersByHead(
    group.map((row) => row.id),
    new Map(links.map((link) => [link.issue_id, link.into_issue_id])),
  );
  const restored = group.map((row) => row.id).filter((id) => followers.has(id));
  for (const id of restored) {
    await pointAt(tx, projectId, [id], null);
    await pointAt(tx, projectId, followers.get(id) ?? [], id);
  }
  return restored;
}

/** Heads by the links, each with those of `ids` below it. */
function followersByHead(ids: readonly number[], links: ReadonlyMap<number, number>): Map<number, number[]> {
  const followers = new Map<number, number[]>();
  for (const id of ids) {
    let head = id;
    const passed = new Set<number>();
    for (let next = links.get(head); next !== undefined && !passed.has(next); next = links.get(head)) {
      passed.add(next);
      head = next;
    }
    const known = followers.get(head) ?? [];
    if (id !== head) known.push(id);
    followers.set(head, known);
  }
  return followers;
}

async function pointAt(tx: Query, projectId: number, ids: readonly number[], headId: number | null) {
  for (const list of toValueLists(ids, 3)) {
    await tx.run(
      `UPDATE issues SET merged_into = $2 WHERE project_id = $1 AND id IN (${list.placeholders})`,
      [projectId, headId, ...list.values],
    );
  }
}

/** Lock first: PostgreSQL computes subqueries from before a wait, and would miss the event that was waited for. */
export async function lockIssue(tx: Query, projectId: number, issueId: number): Promise<void> {
  await tx.run('UPDATE issues SET regressions_count = regressions_count WHERE project_id = $1 AND id = $2', [
    projectId,
    issueId,
  ]);
}

/** From own counters. Those of ignoring begin at that moment: who joins or leaves does not change them. */
export async function recount(tx: Query, projectId: number, headId: number): Promise<void> {
  await lockIssue(tx, projectId, headId);
  const group = `FROM issues own WHERE own.project_id = $1 AND (own.id = $2 OR own.merged_into = $2)`;
  const events = `(SELECT SUM(own.own_events_count) ${group})`;
  // Issues whose events were all moved away do not count while there are others.
  const seen = (of: string): string =>
    `COALESCE((SELECT ${of} ${group} AND own.own_events_count > 0), (SELECT ${of} ${group}))`;
  const users = `(SELECT COUNT(*) FROM (SELECT DISTINCT user_hash FROM issue_users WHERE project_id = $1
    AND issue_id IN (SELECT own.id ${group}) LIMIT $3) AS users)`;
  await tx.run(
    `UPDATE issues SET
       events_count = ${events},
       users_count = ${users},
       ignored_events_before = ignored_events_before - events_count + ${events},
       ignored_users_before = ignored_users_before - users_count + ${users},
       first_seen_ms = ${seen('MIN(own.own_first_seen_ms)')},
       last_seen_ms = ${seen('MAX(own.own_last_seen_ms)')}
     WHERE project_id = $1 AND id = $2`,
    [projectId, headId, issueUsersMax],
  );
}

function recordActivity(
  tx: Query,
  issue: Issue,
  kind: ActivityKind,
  action: ActorAndTime,
  detail: Record<string, unknown>,
): Promise<void> {
  const { projectId, id: issueId } = issue;
  const state = stateWord(issue.state);
  return addActivity(tx, { projectId, issueId, kind, from: state, to: state, detail }, action);
}

async function membersOf(
  query: Pick<Query, 'all'>,
  mergeId: number,
): Promise<Array<{ readonly issue_id: number }>> {
  return query.all('SELECT issue_id FROM issue_merge_members WHERE merge_id = $1 ORDER BY issue_id', [
    mergeId,
  ]);
}

function mergeOf(row: MergeRow, members: readonly { readonly issue_id: number }[]): IssueMerge {
  const { intoIssueId: _into, ...merge } = row;
  return { ...merge, issueIds: members.map((member) => member.issue_id) };
}
