// What a run of regrouping changes, each in a short transaction that also writes down what was before.

import type { Grouping } from '../../src/core/store/events.ts';
import type { RegroupedEvent, RegroupRun, RegroupStore } from '../../src/core/store/regroup.ts';
import type { Db, Query, Transaction } from '../db.ts';
import { type BodyRow, bodyColumns, groupingOf, writeGrouping } from '../event-bodies.ts';
import { addActivity } from '../issues/activity.ts';
import { claimHash, findByHash } from '../issues/hashes.ts';
import { mergeIssues } from '../issues/merges.ts';
import { lockMovers, moveEvents, showAsFilled } from '../issues/moving.ts';
import { splitIssue } from '../issues/splitting.ts';
import { recountUsers } from '../issues/user-recount.ts';
import { raiseKeysVersion } from '../projects/settings.ts';
import { listOf } from '../value-lists.ts';
import { actorOf, keepAfter, keepBefore, reopenKept } from './journal.ts';
import { labelIssues } from './labels.ts';
import { findRun } from './reading.ts';

type RegroupWrites = Pick<
  RegroupStore,
  | 'beginRegroup'
  | 'strikeStaleRegroup'
  | 'claimRegroupHash'
  | 'splitRegroupIssue'
  | 'moveRegrouped'
  | 'joinRegrouped'
  | 'labelRegrouped'
  | 'recountRegrouped'
  | 'finishRegroup'
>;

interface Limits {
  readonly issuePlacesMax: number;
}

/** The writing part of `RegroupStore`. */
export function regroupWrites(db: Db, limits: Limits): RegroupWrites {
  return {
    beginRegroup: (projectId, versionAfter, nowMs) =>
      db.write((tx) => begin(tx, projectId, versionAfter, nowMs)),
    strikeStaleRegroup: (run, projectId) => strikeStale(db, run, projectId),
    claimRegroupHash: (run, projectId, grouping, issueId) =>
      db.write((tx) => claim(tx, run, projectId, grouping, issueId)),
    splitRegroupIssue: (run, split) => db.write((tx) => splitOff(tx, run, split)),
    moveRegrouped: (run, move, events) =>
      db.write((tx) => moveSlice(tx, run, { ...move, placesMax: limits.issuePlacesMax }, events)),
    joinRegrouped: (run, projectId, intoId, issueIds) =>
      db.write((tx) => join(tx, run, projectId, intoId, issueIds)),
    labelRegrouped: (run, projectId, labels) => db.write((tx) => labelIssues(tx, run, projectId, labels)),
    recountRegrouped: (run, projectId, afterId) => recountNext(db, run, projectId, afterId),
    finishRegroup: (run, projectId, nowMs) => db.write((tx) => finish(tx, run, projectId, nowMs)),
  };
}

/** Rows of journals that one transaction strikes. */
const struckRows = 1_000;

async function begin(tx: Query, projectId: number, versionAfter: string, nowMs: number): Promise<RegroupRun> {
  await lockMovers(tx, projectId);
  const last = await findRun(tx, projectId);
  if (last !== null && (last.finishedAtMs === null || last.undoAtMs !== null)) return takeUp(tx, last);
  // From here on it can be undone no more; what its journal holds goes in slices.
  if (last !== null) await tx.run('DELETE FROM regroup_runs WHERE id = $1', [last.id]);
  await tx.run(
    `INSERT INTO regroup_runs (project_id, version_before, version_after, started_at_ms)
     SELECT id, grouping_version, $2, $3 FROM projects WHERE id = $1 AND deleted_at_ms IS NULL`,
    [projectId, versionAfter, nowMs],
  );
  const run = await findRun(tx, projectId);
  if (run === null) throw new Error('A project that is regrouped is not there.');
  return run;
}

/** A run that was interrupted, or whose undo was: its journal still says all that there was before. */
async function takeUp(tx: Query, run: RegroupRun): Promise<RegroupRun> {
  await tx.run('UPDATE regroup_runs SET finished_at_ms = NULL, undo_at_ms = NULL WHERE id = $1', [run.id]);
  return { ...run, finishedAtMs: null, undoAtMs: null };
}

async function strikeStale(db: Db, run: RegroupRun, projectId: number): Promise<number> {
  for (const [table, key] of [
    ['regroup_moves', 'event_row'],
    ['regroup_hashes', 'hash'],
    ['regroup_issues', 'issue_id'],
    ['regroup_labels', 'issue_id'],
  ]) {
    const { changes } = await db.run(
      `DELETE FROM ${table} WHERE (run_id, ${key}) IN
         (SELECT run_id, ${key} FROM ${table} WHERE project_id = $1 AND run_id < $2 LIMIT $3)`,
      [projectId, run.id, struckRows],
    );
    if (changes > 0) return changes;
  }
  const { changes } = await db.run(
    `UPDATE regroup_issues SET untouched = NULL WHERE run_id = $1 AND issue_id IN
       (SELECT issue_id FROM regroup_issues WHERE run_id = $1 AND untouched IS NOT NULL LIMIT $2)`,
    [run.id, struckRows],
  );
  return changes;
}

async function claim(
  tx: Query,
  run: RegroupRun,
  projectId: number,
  grouping: Grouping,
  issueId: number,
): Promise<void> {
  await lockMovers(tx, projectId);
  const before = await findByHash(tx, projectId, grouping.hash);
  if (before?.id === issueId) return;
  await keepBefore(tx, run, projectId, [issueId]);
  if (before === null) {
    await claimHash(tx, { projectId, grouping, atMs: run.startedAtMs }, issueId);
  } else {
    await tx.run('UPDATE issue_hashes SET issue_id = $3 WHERE project_id = $1 AND hash = $2', [
      projectId,
      grouping.hash,
      issueId,
    ]);
  }
  await keepHash(tx, run, projectId, grouping.hash, before?.id ?? null, issueId);
  await addActivity(tx, {
    projectId,
    issueId,
    kind: 'hash_added',
    actor: actorOf(run),
    atMs: run.startedAtMs,
    from: '',
    to: '',
    eventId: null,
    release: null,
    detail: { hash: grouping.hash, algorithm: grouping.algorithm },
  });
}

async function keepHash(
  tx: Query,
  run: RegroupRun,
  projectId: number,
  hash: string,
  issueBefore: number | null,
  issueAfter: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO regroup_hashes (run_id, project_id, hash, issue_before, issue_after) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (run_id, hash) DO UPDATE SET issue_after = excluded.issue_after`,
    [run.id, projectId, hash, issueBefore, issueAfter],
  );
}

async function splitOff(
  tx: Query,
  run: RegroupRun,
  split: Parameters<RegroupStore['splitRegroupIssue']>[1],
): Promise<number | null> {
  const { projectId, fromId, grouping } = split;
  await lockMovers(tx, projectId);
  const before = await findByHash(tx, projectId, grouping.hash);
  await keepBefore(tx, run, projectId, [fromId]);
  const id = await splitIssue(tx, split, { actor: actorOf(run), nowMs: run.startedAtMs });
  if (id === null) return null;
  await keepBefore(tx, run, projectId, [id], true);
  await keepHash(tx, run, projectId, grouping.hash, before?.id ?? null, id);
  return id;
}

interface Move {
  readonly projectId: number;
  readonly fromId: number;
  readonly toId: number;
  readonly placesMax: number;
}

async function moveSlice(
  tx: Transaction,
  run: RegroupRun,
  move: Move,
  events: readonly RegroupedEvent[],
): Promise<number> {
  const { projectId, fromId, toId } = move;
  await lockMovers(tx, projectId);
  const sides = await withHeads(tx, projectId, [fromId, toId]);
  await keepBefore(tx, run, projectId, sides);
  await keepMoves(tx, run, move, events);
  const moved = await moveEvents(tx, { ...move, rows: events.map((event) => event.row) });
  for (const { row, grouping } of events) {
    await writeGrouping(tx, projectId, row, grouping);
  }
  const [headId = toId] = await headsOf(tx, projectId, [toId]);
  await reopenKept(tx, run, { projectId, headId, issueId: toId }, run.startedAtMs);
  await keepAfter(tx, run, projectId, sides);
  return moved.length;
}

/** Where each event is and how it was grouped; one that was moved before keeps where it came from first. */
async function keepMoves(
  tx: Query,
  run: RegroupRun,
  { projectId, fromId, toId }: Move,
  events: readonly RegroupedEvent[],
): Promise<void> {
  const list = listOf(
    events.map((event) => event.row),
    3,
  );
  const rows = await tx.all<BodyRow & { readonly id: number }>(
    `SELECT events.id, ${bodyColumns} FROM events JOIN event_bodies ON event_bodies.event_row = events.id
     WHERE events.project_id + 0 = $1 AND events.issue_id + 0 = $2 AND events.id IN (${list.marks})`,
    [projectId, fromId, ...list.values],
  );
  for (const row of rows) {
    // In words, also where the body says it: a map may put another one in its place before an undo.
    const before = groupingOf(row);
    await tx.run(
      `INSERT INTO regroup_moves (run_id, project_id, event_row, from_issue_id, to_issue_id, grouping_before)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (run_id, event_row) DO UPDATE SET to_issue_id = excluded.to_issue_id`,
      [run.id, projectId, row.id, fromId, toId, before === null ? row.grouping : JSON.stringify(before)],
    );
  }
}

async function join(
  tx: Query,
  run: RegroupRun,
  projectId: number,
  intoId: number,
  issueIds: readonly number[],
): Promise<void> {
  await lockMovers(tx, projectId);
  const sides = await withHeads(tx, projectId, [intoId, ...issueIds]);
  await keepBefore(tx, run, projectId, sides);
  const merged = await mergeIssues(tx, projectId, intoId, issueIds, {
    actor: actorOf(run),
    nowMs: run.startedAtMs,
  });
  if (merged === null) return;
  const [headId = intoId] = await headsOf(tx, projectId, [intoId]);
  for (const issueId of issueIds) await reopenKept(tx, run, { projectId, headId, issueId }, run.startedAtMs);
  await keepAfter(tx, run, projectId, sides);
}

async function headsOf(tx: Query, projectId: number, ids: readonly number[]): Promise<number[]> {
  const list = listOf(ids, 2);
  const rows = await tx.all<{ head_id: number }>(
    `SELECT DISTINCT COALESCE(merged_into, id) AS head_id FROM issues WHERE project_id = $1 AND id IN (${list.marks})`,
    [projectId, ...list.values],
  );
  return rows.map((row) => row.head_id);
}

async function withHeads(tx: Query, projectId: number, ids: readonly number[]): Promise<number[]> {
  return [...new Set([...ids, ...(await headsOf(tx, projectId, ids))])];
}

async function recountNext(
  db: Db,
  run: RegroupRun,
  projectId: number,
  afterId: number,
): Promise<number | null> {
  const next = await db.get<{ issue_id: number; is_new: number; is_left: number }>(
    `SELECT issue_id, is_new, CASE WHEN EXISTS (SELECT 1 FROM regroup_moves
         WHERE run_id = $1 AND from_issue_id = regroup_issues.issue_id) THEN 1 ELSE 0 END AS is_left
     FROM regroup_issues WHERE run_id = $1 AND issue_id > $2 ORDER BY issue_id LIMIT 1`,
    [run.id, afterId],
  );
  if (next === undefined) return null;
  const { issue_id: issueId } = next;
  if (next.is_left === 1) await recountUsers(db, projectId, issueId);
  if (next.is_new === 1) {
    await db.write(async (tx) => {
      await showAsFilled(tx, projectId, issueId);
      await keepAfter(tx, run, projectId, [issueId]);
    });
  }
  return issueId;
}

async function finish(tx: Query, run: RegroupRun, projectId: number, nowMs: number): Promise<void> {
  await lockMovers(tx, projectId);
  await tx.run('UPDATE projects SET grouping_version = $2 WHERE id = $1', [projectId, run.versionAfter]);
  await tx.run('UPDATE regroup_runs SET finished_at_ms = $2 WHERE id = $1', [run.id, nowMs]);
  await raiseKeysVersion(tx);
}
