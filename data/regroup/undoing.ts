// Takes a run of regrouping back, slice by slice: what the journal says is put back and struck from it, so
// that an undo which was interrupted goes on where it was. What came in between stays.

import type { RegroupRun, UndoSlice } from '../../src/core/store/regroup.ts';
import type { Db, Query, Transaction } from '../db.ts';
import { findBody, groupingColumn } from '../event-bodies.ts';
import { lockHead } from '../issues/changes.ts';
import { leaveGroup, recount } from '../issues/merges.ts';
import { lockMovers, movedEventsMax, moveEvents, showAsFilled } from '../issues/moving.ts';
import { searchAnew } from '../issues/told/search-anew.ts';
import { recountUsers } from '../issues/user-recount.ts';
import { raiseKeysVersion } from '../projects/settings.ts';
import { listOf } from '../value-lists.ts';
import { actorOf, readState, type Shown, shownOf } from './journal.ts';
import { restoreLabels } from './labels.ts';

/** Rows of a few bytes that one transaction looks at. */
const sliceRows = 200;

interface Undo {
  readonly run: RegroupRun;
  readonly projectId: number;
  readonly placesMax: number;
}

/** Does the next slice; see `RegroupStore.undoRegroupSlice`. */
export async function undoSlice(db: Db, undo: Undo, nowMs: number): Promise<UndoSlice> {
  const step = await db.write(async (tx) => {
    await lockMovers(tx, undo.projectId);
    if (await begin(tx, undo, nowMs)) return 0;
    if (await lookWhatCame(tx, undo)) return 0;
    if (await unmerge(tx, undo, nowMs)) return 0;
    const events = await moveBack(tx, undo);
    if (events > 0) return events;
    if (await restoreHashes(tx, undo)) return 0;
    return (await restoreLabels(tx, undo.run, undo.projectId, sliceRows)) ? 0 : null;
  });
  if (step !== null) return { done: false, events: step };
  const issueId = await nextIssue(db, undo);
  if (issueId !== null) {
    await recountUsers(db, undo.projectId, issueId);
    await db.write((tx) => restoreIssue(tx, undo, issueId));
    return { done: false, events: 0 };
  }
  await db.run('DELETE FROM regroup_runs WHERE id = $1', [undo.run.id]);
  return { done: true };
}

/** From here on the project goes by the rule that it had. */
async function begin(tx: Query, { run, projectId }: Undo, nowMs: number): Promise<boolean> {
  const begun = await tx.run('UPDATE regroup_runs SET undo_at_ms = $2 WHERE id = $1 AND undo_at_ms IS NULL', [
    run.id,
    nowMs,
  ]);
  if (begun.changes === 0) return false;
  await tx.run('UPDATE projects SET grouping_version = $2 WHERE id = $1', [projectId, run.versionBefore]);
  await raiseKeysVersion(tx);
  return true;
}

/** Before anything is put back: which issues are as the run left them. */
async function lookWhatCame(tx: Query, { run, projectId }: Undo): Promise<boolean> {
  const rows = await tx.all<{ issue_id: number; shown_before: string; shown_after: string }>(
    `SELECT issue_id, shown_before, shown_after FROM regroup_issues
     WHERE run_id = $1 AND untouched IS NULL ORDER BY issue_id LIMIT $2`,
    [run.id, sliceRows],
  );
  for (const { issue_id: issueId, shown_before: before, shown_after: after } of rows) {
    const moved = await tx.get<{ events: number }>(
      `SELECT (SELECT COUNT(*) FROM regroup_moves WHERE run_id = $1 AND to_issue_id = $2)
         - (SELECT COUNT(*) FROM regroup_moves WHERE run_id = $1 AND from_issue_id = $2) AS events`,
      [run.id, issueId],
    );
    const came = eventsOf(after) - eventsOf(before) - (moved?.events ?? 0);
    const isSame = after === JSON.stringify(await shownOf(tx, projectId, issueId));
    await tx.run('UPDATE regroup_issues SET untouched = $3 WHERE run_id = $1 AND issue_id = $2', [
      run.id,
      issueId,
      Number(came === 0 && isSame),
    ]);
  }
  return rows.length > 0;
}

function eventsOf(shown: string): number {
  return Number((JSON.parse(shown) as Shown | null)?.own_events_count ?? 0);
}

/** The last merge of the run that is left; one that somebody undid since is only struck. */
async function unmerge(tx: Query, { run, projectId }: Undo, nowMs: number): Promise<boolean> {
  const merge = await tx.get<{ id: number; into_issue_id: number; undone_at_ms: number | null }>(
    `SELECT id, into_issue_id, undone_at_ms FROM issue_merges
     WHERE project_id = $1 AND actor = $2 AND into_issue_id IN
       (SELECT issue_id FROM regroup_issues WHERE run_id = $3) ORDER BY id DESC LIMIT 1`,
    [projectId, actorOf(run), run.id],
  );
  if (merge === undefined) return false;
  if (merge.undone_at_ms === null) {
    const head = await lockHead(tx, projectId, merge.into_issue_id);
    await tx.run('UPDATE issue_merges SET undone_at_ms = $2 WHERE id = $1', [merge.id, nowMs]);
    const restored = head === null ? [] : await leaveGroup(tx, projectId, head.id);
    for (const id of head === null ? [] : [head.id, ...restored]) await recount(tx, projectId, id);
  }
  await tx.run('DELETE FROM issue_merge_members WHERE merge_id = $1', [merge.id]);
  await tx.run('DELETE FROM issue_merges WHERE id = $1', [merge.id]);
  return true;
}

async function moveBack(tx: Transaction, { run, projectId, placesMax }: Undo): Promise<number> {
  const first = await tx.get<{ from_issue_id: number; to_issue_id: number }>(
    `SELECT from_issue_id, to_issue_id FROM regroup_moves WHERE run_id = $1
     ORDER BY to_issue_id, from_issue_id LIMIT 1`,
    [run.id],
  );
  if (first === undefined) return 0;
  const { from_issue_id: toId, to_issue_id: fromId } = first;
  const kept = await tx.all<{ event_row: number; grouping_before: string }>(
    `SELECT event_row, grouping_before FROM regroup_moves
     WHERE run_id = $1 AND to_issue_id = $2 AND from_issue_id = $3 LIMIT $4`,
    [run.id, fromId, toId, movedEventsMax],
  );
  const rows = kept.map((row) => row.event_row);
  // What a run that was cut off moved away and its second part back is at home already.
  const moved =
    fromId === toId
      ? await eventsAt(tx, projectId, toId, rows)
      : await moveEvents(tx, { projectId, fromId, toId, rows, placesMax });
  const isMoved = new Set(moved.map((event) => event.id));
  for (const { event_row: row, grouping_before: grouping } of kept) {
    // What was mapped or moved since is grouped by what it is now.
    if (!isMoved.has(row)) continue;
    await putBack(tx, projectId, row, grouping);
  }
  const list = listOf(rows, 2);
  await tx.run(`DELETE FROM regroup_moves WHERE run_id = $1 AND event_row IN (${list.marks})`, [
    run.id,
    ...list.values,
  ]);
  return rows.length;
}

/** How the event was grouped: where its body says so, the column need not. */
async function putBack(tx: Query, projectId: number, row: number, grouping: string): Promise<void> {
  const stored = await findBody(tx, projectId, row);
  if (stored === null) return;
  await tx.run('UPDATE event_bodies SET grouping = $3 WHERE event_row = $1 AND project_id = $2', [
    row,
    projectId,
    groupingColumn(stored, grouping),
  ]);
}

/** Those of the rows whose event is at the issue. */
function eventsAt(
  tx: Query,
  projectId: number,
  issueId: number,
  rows: readonly number[],
): Promise<Array<{ id: number }>> {
  const list = listOf(rows, 3);
  return tx.all<{ id: number }>(
    `SELECT id FROM events WHERE project_id + 0 = $1 AND issue_id + 0 = $2 AND id IN (${list.marks})`,
    [projectId, issueId, ...list.values],
  );
}

/** Hashes lead where they led; one that leads elsewhere by now is let alone. */
async function restoreHashes(tx: Query, { run, projectId }: Undo): Promise<boolean> {
  const rows = await tx.all<{ hash: string; issue_before: number | null; issue_after: number }>(
    'SELECT hash, issue_before, issue_after FROM regroup_hashes WHERE run_id = $1 ORDER BY hash LIMIT $2',
    [run.id, sliceRows],
  );
  for (const { hash, issue_before: before, issue_after: after } of rows) {
    const key = [projectId, hash, after];
    if (before !== null) {
      await tx.run(
        'UPDATE issue_hashes SET issue_id = $4 WHERE project_id = $1 AND hash = $2 AND issue_id = $3',
        [...key, before],
      );
    } else if (!(await isStillUsed(tx, run, projectId, after))) {
      await tx.run('DELETE FROM issue_hashes WHERE project_id = $1 AND hash = $2 AND issue_id = $3', key);
    }
    await tx.run('DELETE FROM regroup_hashes WHERE run_id = $1 AND hash = $2', [run.id, hash]);
  }
  return rows.length > 0;
}

/** An issue that the run made and that events have come to since stays, and is found by its hash. */
async function isStillUsed(tx: Query, run: RegroupRun, projectId: number, issueId: number): Promise<boolean> {
  const made = await tx.get(
    `SELECT 1 AS used FROM regroup_issues JOIN events ON events.issue_id = regroup_issues.issue_id
     WHERE run_id = $1 AND regroup_issues.issue_id = $3 AND is_new = 1 AND events.project_id = $2 LIMIT 1`,
    [run.id, projectId, issueId],
  );
  return made !== undefined;
}

async function nextIssue(db: Db, { run }: Undo): Promise<number | null> {
  const row = await db.get<{ issue_id: number }>(
    'SELECT issue_id FROM regroup_issues WHERE run_id = $1 ORDER BY issue_id LIMIT 1',
    [run.id],
  );
  return row?.issue_id ?? null;
}

interface KeptIssue {
  readonly is_new: number;
  readonly shown_before: string;
  readonly state_before: string | null;
  readonly state_after: string | null;
  readonly untouched: number | null;
}

async function restoreIssue(tx: Query, { run, projectId }: Undo, issueId: number): Promise<void> {
  await lockMovers(tx, projectId);
  const kept = await tx.get<KeptIssue>(
    `SELECT is_new, shown_before, state_before, state_after, untouched FROM regroup_issues
     WHERE run_id = $1 AND issue_id = $2`,
    [run.id, issueId],
  );
  if (kept === undefined) return;
  await tx.run('DELETE FROM issue_activity WHERE project_id = $1 AND issue_id = $2 AND actor = $3', [
    projectId,
    issueId,
    actorOf(run),
  ]);
  await tx.run('DELETE FROM regroup_issues WHERE run_id = $1 AND issue_id = $2', [run.id, issueId]);
  if (kept.is_new === 1) {
    if (await removeEmpty(tx, projectId, issueId)) return;
    await showAsFilled(tx, projectId, issueId);
  }
  const shown = JSON.parse(kept.shown_before) as Shown;
  if (kept.untouched === 1 && (await isStillSo(tx, projectId, issueId, shown))) {
    const { own_events_count: _counted, ...columns } = shown;
    await write(tx, projectId, issueId, columns);
    await searchAnew(tx, projectId, issueId);
  }
  const state = JSON.stringify(await readState(tx, projectId, issueId));
  if (kept.state_before !== null && state === kept.state_after) {
    await write(tx, projectId, issueId, JSON.parse(kept.state_before) as Columns);
  }
  const head = await tx.get<{ head_id: number }>(
    'SELECT COALESCE(merged_into, id) AS head_id FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  for (const id of new Set([issueId, head?.head_id ?? issueId])) await recount(tx, projectId, id);
}

type Columns = Readonly<Record<string, string | number | null>>;

/** Under the lock of the row: no event came while the others were brought back. */
async function isStillSo(tx: Query, projectId: number, issueId: number, shown: Shown): Promise<boolean> {
  const row = await tx.get<{ own_events_count: number }>(
    `UPDATE issues SET regressions_count = regressions_count WHERE project_id = $1 AND id = $2
     RETURNING own_events_count`,
    [projectId, issueId],
  );
  return row?.own_events_count === shown.own_events_count;
}

/** The names come from our own statements, read back. */
async function write(tx: Query, projectId: number, issueId: number, columns: Columns): Promise<void> {
  const names = Object.keys(columns).filter((name) => /^[a-z_]+$/.test(name));
  const sets = names.map((name, index) => `${name} = $${index + 3}`).join(', ');
  await tx.run(`UPDATE issues SET ${sets} WHERE project_id = $1 AND id = $2`, [
    projectId,
    issueId,
    ...names.map((name) => columns[name] ?? null),
  ]);
}

/** What an issue without events may have. */
const ownTables = [
  'issue_activity',
  'issue_users',
  'issue_hours',
  'issue_releases',
  'issue_tags',
  'issue_search',
  'issue_hashes',
];

/** An issue that the run made goes again where no event has come to it and nobody merged it. */
async function removeEmpty(tx: Query, projectId: number, issueId: number): Promise<boolean> {
  const used = await tx.get(
    `SELECT 1 AS used FROM issues WHERE project_id = $1 AND id = $2 AND
       (own_events_count > 0 OR merged_into IS NOT NULL OR EXISTS
         (SELECT 1 FROM issues others WHERE others.project_id = $1 AND others.merged_into = $2))`,
    [projectId, issueId],
  );
  if (used !== undefined) return false;
  for (const table of ownTables) {
    await tx.run(`DELETE FROM ${table} WHERE project_id = $1 AND issue_id = $2`, [projectId, issueId]);
  }
  await tx.run('DELETE FROM issues WHERE project_id = $1 AND id = $2', [projectId, issueId]);
  return true;
}
