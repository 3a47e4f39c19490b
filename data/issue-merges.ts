// Merging issues and undoing it. Nothing is moved: a merged issue points at the one that stands for it, and keeps its own
// events, hashes, users, hours and own_ figures, so that undoing is exact however much came in between.
import type { Act, Issue, IssueMerge, IssueStore } from '../src/core/issue-store.ts';
import { type ActivityKind, issueUsersMax } from '../src/core/issues.ts';
import type { Db, Query } from './db.ts';
import { addActivity } from './issue-activity.ts';
import { lockHead } from './issue-changes.ts';
import { stateWord } from './issue-rows.ts';
import { readIssue } from './issues.ts';

interface MergeRow {
  readonly id: number;
  readonly into_issue_id: number;
  readonly actor: string;
  readonly at_ms: number;
  readonly undone_at_ms: number | null;
}

interface MemberRow {
  readonly issue_id: number;
  readonly merged_into_before: number | null;
}

/** The queries that merge issues and take them apart again. */
export function mergeStore(db: Db): Pick<IssueStore, 'mergeIssues' | 'unmergeIssues' | 'listMerges'> {
  return {
    mergeIssues: (projectId, intoIssueId, issueIds, act) =>
      db.write((tx) => mergeIssues(tx, projectId, intoIssueId, issueIds, act)),
    unmergeIssues: (projectId, mergeId, act) => db.write((tx) => unmergeIssues(tx, projectId, mergeId, act)),
    async listMerges(projectId, issueId) {
      const rows = await db.all<MergeRow>(
        `SELECT id, into_issue_id, actor, at_ms, undone_at_ms FROM issue_merges
         WHERE project_id = $1 AND into_issue_id = $2 ORDER BY id DESC LIMIT 100`,
        [projectId, issueId],
      );
      return Promise.all(rows.map(async (row) => mergeOf(row, await membersOf(db, row.id))));
    },
  };
}

async function mergeIssues(
  tx: Query,
  projectId: number,
  intoIssueId: number,
  issueIds: readonly number[],
  act: Act,
): Promise<{ merge: IssueMerge; issue: Issue } | null> {
  const heads = new Map<number, Issue>();
  // In one order for everybody, so that two merges wait for each other and never in a circle.
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
  const row = await insertMerge(tx, projectId, into.id, act);
  for (const head of moved) await moveGroup(tx, projectId, row.id, head.id, into.id);
  await recount(tx, projectId, into.id);
  const detail = { merge_id: row.id, issue_ids: moved.map((head) => head.id) };
  await note(tx, into, 'merged', act, detail);
  for (const head of moved) await note(tx, head, 'merged', act, { merge_id: row.id, into: into.id });
  const issue = (await readIssue(tx, projectId, into.id)) as Issue;
  return { merge: mergeOf(row, await membersOf(tx, row.id)), issue };
}

async function insertMerge(tx: Query, projectId: number, intoId: number, act: Act): Promise<MergeRow> {
  const row = await tx.get<MergeRow>(
    `INSERT INTO issue_merges (project_id, into_issue_id, actor, at_ms) VALUES ($1, $2, $3, $4)
     RETURNING id, into_issue_id, actor, at_ms, undone_at_ms`,
    [projectId, intoId, act.actor, act.nowMs],
  );
  if (row === undefined) throw new Error('A new merge returned no row.');
  return row;
}

/** An issue comes with all that was merged into it, and where each pointed is written down. */
async function moveGroup(
  tx: Query,
  projectId: number,
  mergeId: number,
  headId: number,
  intoId: number,
): Promise<void> {
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

async function unmergeIssues(
  tx: Query,
  projectId: number,
  mergeId: number,
  act: Act,
): Promise<IssueMerge | null> {
  const row = await tx.get<MergeRow>(
    `UPDATE issue_merges SET undone_at_ms = $3 WHERE project_id = $1 AND id = $2 AND undone_at_ms IS NULL
     RETURNING id, into_issue_id, actor, at_ms, undone_at_ms`,
    [projectId, mergeId, act.nowMs],
  );
  if (row === undefined) return null;
  const head = await lockHead(tx, projectId, row.into_issue_id);
  if (head === null) throw new Error('The issue of a merge is not there.');
  const members = await membersOf(tx, row.id);
  const restored = await restoreMembers(tx, projectId, head.id, members);
  for (const id of [head.id, ...restored]) await recount(tx, projectId, id);
  await note(tx, head, 'unmerged', act, { merge_id: row.id, issue_ids: restored });
  for (const id of restored) {
    const issue = await readIssue(tx, projectId, id);
    if (issue !== null) await note(tx, issue, 'unmerged', act, { merge_id: row.id, from: head.id });
  }
  return mergeOf(row, members);
}

/** Only what is still filed under the same issue goes back; a later merge or undo may have taken the rest elsewhere. */
async function restoreMembers(
  tx: Query,
  projectId: number,
  headId: number,
  members: readonly MemberRow[],
): Promise<number[]> {
  const restored: number[] = [];
  const rootsFirst = [...members].sort(
    (left, right) => Number(left.merged_into_before !== null) - Number(right.merged_into_before !== null),
  );
  for (const member of rootsFirst) {
    const target = member.merged_into_before;
    const back = await tx.run(
      `UPDATE issues SET merged_into =
         (SELECT COALESCE(before.merged_into, before.id) FROM issues before WHERE before.project_id = $1 AND before.id = $4)
       WHERE project_id = $1 AND id = $2 AND merged_into = $3`,
      [projectId, member.issue_id, headId, target],
    );
    if (back.changes > 0 && target === null) restored.push(member.issue_id);
  }
  return restored;
}

/** Figures of an issue that stands for others, from the own figures of each. */
async function recount(tx: Query, projectId: number, headId: number): Promise<void> {
  const group = `FROM issues own WHERE own.project_id = $1 AND (own.id = $2 OR own.merged_into = $2)`;
  await tx.run(
    `UPDATE issues SET
       events_count = (SELECT SUM(own.own_events_count) ${group}),
       first_seen_ms = (SELECT MIN(own.own_first_seen_ms) ${group}),
       last_seen_ms = (SELECT MAX(own.own_last_seen_ms) ${group}),
       users_count = (SELECT COUNT(*) FROM (SELECT DISTINCT user_hash FROM issue_users WHERE project_id = $1
         AND issue_id IN (SELECT own.id ${group}) LIMIT $3) AS users)
     WHERE project_id = $1 AND id = $2`,
    [projectId, headId, issueUsersMax],
  );
}

function note(
  tx: Query,
  issue: Issue,
  kind: ActivityKind,
  act: Act,
  detail: Record<string, unknown>,
): Promise<void> {
  const state = stateWord(issue.state);
  return addActivity(tx, {
    projectId: issue.projectId,
    issueId: issue.id,
    kind,
    actor: act.actor,
    atMs: act.nowMs,
    from: state,
    to: state,
    eventId: null,
    release: null,
    detail,
  });
}

async function membersOf(query: Pick<Query, 'all'>, mergeId: number): Promise<MemberRow[]> {
  return query.all<MemberRow>(
    'SELECT issue_id, merged_into_before FROM issue_merge_members WHERE merge_id = $1 ORDER BY issue_id',
    [mergeId],
  );
}

function mergeOf(row: MergeRow, members: readonly MemberRow[]): IssueMerge {
  return {
    id: row.id,
    intoIssueId: row.into_issue_id,
    issueIds: members.map((member) => member.issue_id),
    actor: row.actor,
    atMs: row.at_ms,
    undoneAtMs: row.undone_at_ms,
  };
}
