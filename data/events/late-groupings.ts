// Moving events whose key a late map changed to the issue of that key (D-114). An issue decides once where
// its events belong; then they go in slices, so that others write meanwhile. What is left to do stands in
// late_groupings: a process that dies in between is taken up by the next.

import type { Grouping } from '../../src/core/store/events.ts';
import type { Act } from '../../src/core/store/issues.ts';
import type { LateDecision, LateGroupingStore, LateMove } from '../../src/core/store/late-groupings.ts';
import type { Db, Query } from '../db.ts';
import { addActivity, type NewActivity } from '../issues/activity.ts';
import { claimHash, type FiledIssue, findByHash } from '../issues/hashes.ts';
import { mergeIssues } from '../issues/merges.ts';
import { lockMovers, movedEventsMax, moveEvents } from '../issues/moving.ts';
import { splitIssue } from '../issues/splitting.ts';
import { recountUsers } from '../issues/user-recount.ts';
import { listOf } from '../value-lists.ts';
import { reopenFor } from './reopening.ts';

interface LateKey {
  readonly hash: string;
  readonly older_hash: string;
  readonly events: number;
  readonly first_row: number;
}

/** Issues that one run looks at; the next one finds the rest. */
const issuesMax = 10_000;

/** The queries of `LateGroupingStore`. */
export function lateGroupingStore(db: Db, limits: { readonly issuePlacesMax: number }): LateGroupingStore {
  return {
    async issuesToRegroup(projectId) {
      const rows = await db.all<{ issue_id: number }>(
        'SELECT DISTINCT issue_id FROM late_groupings WHERE project_id = $1 ORDER BY issue_id LIMIT $2',
        [projectId, issuesMax],
      );
      return rows.map((row) => row.issue_id);
    },
    decideLate: (projectId, issueId, act) => db.write((tx) => decide(tx, projectId, issueId, act)),
    moveLate: (projectId, issueId, move, act) =>
      db.write((tx) => moveSlice(tx, { projectId, issueId, move, act, placesMax: limits.issuePlacesMax })),
    finishLate: (projectId, issueId, decision, act) => finish(db, projectId, issueId, decision, act),
  };
}

/** One row an issue says that its users are to be counted anew: no event has such a number. */
function markOf(issueId: number): number {
  return -issueId;
}

async function decide(tx: Query, projectId: number, issueId: number, act: Act): Promise<LateDecision> {
  await lockMovers(tx, projectId);
  const issue = await tx.get<{ merged_into: number | null; is_overflow: number }>(
    'SELECT merged_into, is_overflow FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  if (issue === undefined || issue.is_overflow === 1) {
    await tx.run('DELETE FROM late_groupings WHERE project_id = $1 AND issue_id = $2', [projectId, issueId]);
    return { moves: [], joinInto: null };
  }
  const keys = await keysOf(tx, projectId, issueId);
  const free: LateKey[] = [];
  const foreign: Array<{ key: LateKey; holder: FiledIssue }> = [];
  const staying: LateKey[] = [];
  for (const key of keys) {
    const holder = await holderOf(tx, projectId, key, act);
    if (holder === null) free.push(key);
    else if (holder.headId === (issue.merged_into ?? issueId)) staying.push(key);
    else foreign.push({ key, holder });
  }
  const isTaken = await hasKeyOfItsOwn(tx, projectId, issueId);
  const own = isTaken ? undefined : free.shift();
  if (own !== undefined) {
    await claimFor(tx, projectId, issueId, own, act);
    staying.push(own);
  }
  const moves: LateMove[] = [];
  for (const key of free) {
    const toId = await splitOff(tx, projectId, issueId, key, act);
    if (toId === null) staying.push(key);
    else moves.push(moveOf(key, toId));
  }
  const isWhole = !isTaken && staying.length === 0 && (await isAllLate(tx, projectId, issueId, keys));
  const main = isWhole ? foreign.shift() : undefined;
  for (const { key, holder } of foreign) {
    await noteMove(tx, projectId, issueId, holder.id, key.events, act);
    moves.push(moveOf(key, holder.id));
  }
  for (const key of staying) await removeKey(tx, projectId, issueId, key);
  if (moves.length > 0) await mark(tx, projectId, issueId);
  return { moves, joinInto: main?.holder.headId ?? null };
}

/** The keys of an issue's late events, those of most events first, of equals the one that came first. */
function keysOf(tx: Query, projectId: number, issueId: number): Promise<LateKey[]> {
  return tx.all<LateKey>(
    `SELECT hash, older_hash, COUNT(*) AS events, MIN(event_row) AS first_row FROM late_groupings
     WHERE project_id = $1 AND issue_id = $2 AND event_row > 0
     GROUP BY hash, older_hash ORDER BY COUNT(*) DESC, MIN(event_row)`,
    [projectId, issueId],
  );
}

/** As an event is filed: by the older rule where it knows the event, and the new hash joins that issue. */
async function holderOf(tx: Query, projectId: number, key: LateKey, act: Act): Promise<FiledIssue | null> {
  const older = key.older_hash === '' ? null : await findByHash(tx, projectId, key.older_hash);
  const known = await findByHash(tx, projectId, key.hash);
  if (older !== null && known === null) await claimFor(tx, projectId, older.id, key, act);
  return older ?? known;
}

/** Whether something else than what maps have cleared up leads to the issue. */
async function hasKeyOfItsOwn(tx: Query, projectId: number, issueId: number): Promise<boolean> {
  const row = await tx.get(
    'SELECT 1 AS held FROM issue_hashes WHERE issue_id = $2 AND project_id = $1 AND superseded = 0 LIMIT 1',
    [projectId, issueId],
  );
  return row !== undefined;
}

/** Whether every event of the issue waits to be moved. */
async function isAllLate(
  tx: Query,
  projectId: number,
  issueId: number,
  keys: readonly LateKey[],
): Promise<boolean> {
  const late = keys.reduce((sum, key) => sum + key.events, 0);
  const row = await tx.get<{ events: number }>(
    `SELECT COUNT(*) AS events FROM
       (SELECT 1 FROM events WHERE project_id = $1 AND issue_id = $2 LIMIT $3) AS stored`,
    [projectId, issueId, late + 1],
  );
  return late > 0 && (row?.events ?? 0) <= late;
}

async function claimFor(
  tx: Query,
  projectId: number,
  issueId: number,
  key: LateKey,
  act: Act,
): Promise<boolean> {
  const grouping = await groupingOf(tx, projectId, key);
  if (grouping === null) return false;
  if (!(await claimHash(tx, { projectId, grouping, atMs: act.nowMs }, issueId))) return false;
  const detail = { hash: grouping.hash, algorithm: grouping.algorithm };
  await note(tx, { projectId, issueId, kind: 'hash_added', detail }, act);
  return true;
}

/** The grouping of the first event that has the key; null when it is gone or has another one by now. */
async function groupingOf(tx: Query, projectId: number, key: LateKey): Promise<Grouping | null> {
  const row = await tx.get<{ grouping: string }>(
    'SELECT grouping FROM event_bodies WHERE event_row = $1 AND project_id = $2',
    [key.first_row, projectId],
  );
  const grouping = row === undefined ? null : (JSON.parse(row.grouping) as Grouping);
  return grouping?.hash === key.hash ? grouping : null;
}

async function splitOff(
  tx: Query,
  projectId: number,
  issueId: number,
  key: LateKey,
  act: Act,
): Promise<number | null> {
  const grouping = await groupingOf(tx, projectId, key);
  if (grouping === null) return null;
  const made = { projectId, fromId: issueId, eventRow: key.first_row, grouping, events: key.events };
  return splitIssue(tx, made, act);
}

function moveOf(key: LateKey, toId: number): LateMove {
  return { hash: key.hash, olderHash: key.older_hash, toId };
}

async function noteMove(
  tx: Query,
  projectId: number,
  fromId: number,
  toId: number,
  events: number,
  act: Act,
): Promise<void> {
  const kind = 'events_moved';
  await note(tx, { projectId, issueId: fromId, kind, detail: { into: toId, events } }, act);
  await note(tx, { projectId, issueId: toId, kind, detail: { from: fromId, events } }, act);
}

function note(
  tx: Query,
  about: Pick<NewActivity, 'projectId' | 'issueId' | 'kind' | 'detail'>,
  { actor, nowMs: atMs }: Act,
): Promise<void> {
  return addActivity(tx, { ...about, actor, atMs, from: '', to: '', eventId: null, release: null });
}

async function removeKey(tx: Query, projectId: number, issueId: number, key: LateKey): Promise<void> {
  await tx.run(
    `DELETE FROM late_groupings
     WHERE project_id = $1 AND issue_id = $2 AND hash = $3 AND older_hash = $4 AND event_row > 0`,
    [projectId, issueId, key.hash, key.older_hash],
  );
}

async function mark(tx: Query, projectId: number, issueId: number): Promise<void> {
  await tx.run(
    `INSERT INTO late_groupings (project_id, event_row, issue_id, hash, older_hash) VALUES ($1, $2, $3, '', '')
     ON CONFLICT (project_id, event_row) DO NOTHING`,
    [projectId, markOf(issueId), issueId],
  );
}

interface Slice {
  readonly projectId: number;
  readonly issueId: number;
  readonly move: LateMove;
  readonly act: Act;
  readonly placesMax: number;
}

async function moveSlice(tx: Query, { projectId, issueId, move, act, placesMax }: Slice): Promise<number> {
  await lockMovers(tx, projectId);
  const late = await tx.all<{ event_row: number }>(
    `SELECT event_row FROM late_groupings
     WHERE project_id = $1 AND issue_id = $2 AND hash = $3 AND older_hash = $4 AND event_row > 0
     ORDER BY event_row LIMIT $5`,
    [projectId, issueId, move.hash, move.olderHash, movedEventsMax],
  );
  if (late.length === 0) return 0;
  const rows = late.map((row) => row.event_row);
  await moveEvents(tx, { projectId, fromId: issueId, toId: move.toId, rows, placesMax });
  const head = await tx.get<{ head_id: number }>(
    'SELECT COALESCE(merged_into, id) AS head_id FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, move.toId],
  );
  await reopenFor(tx, { projectId, headId: head?.head_id ?? move.toId, issueId: move.toId }, act);
  const list = listOf(rows, 2);
  await tx.run(`DELETE FROM late_groupings WHERE project_id = $1 AND event_row IN (${list.marks})`, [
    projectId,
    ...list.values,
  ]);
  return late.length;
}

async function finish(
  db: Db,
  projectId: number,
  issueId: number,
  { joinInto }: LateDecision,
  act: Act,
): Promise<void> {
  const marked = await db.get(
    'SELECT 1 AS there FROM late_groupings WHERE project_id = $1 AND event_row = $2',
    [projectId, markOf(issueId)],
  );
  if (marked !== undefined) await recountUsers(db, projectId, issueId);
  await db.write(async (tx) => {
    await lockMovers(tx, projectId);
    if (joinInto !== null) {
      const merge = await mergeIssues(tx, projectId, joinInto, [issueId], act);
      if (merge !== null) await reopenFor(tx, { projectId, headId: joinInto, issueId }, act);
      // What joined goes by the key of the issue that it joined.
      await tx.run('DELETE FROM late_groupings WHERE project_id = $1 AND issue_id = $2', [
        projectId,
        issueId,
      ]);
    }
    await tx.run('DELETE FROM late_groupings WHERE project_id = $1 AND event_row = $2', [
      projectId,
      markOf(issueId),
    ]);
  });
}
