// Moves events whose grouping a late source map changed, in slices; another process can continue.

import { setImmediate } from 'node:timers/promises';
import type { Grouping } from '../../src/core/store/events.ts';
import type { ActorAndTime } from '../../src/core/store/issues.ts';
import type { PendingMove, PendingRegroupingStore, RegroupingPlan } from '../../src/core/store/regroup.ts';
import type { Db, Query, StoreMethod, Transaction } from '../db.ts';
import { findBody, readGrouping, withGroupingFrames } from '../event-bodies.ts';
import { addActivity } from '../issues/activity.ts';
import { admitNewIssue } from '../issues/find-or-create.ts';
import { headOf } from '../issues/group.ts';
import { claimHash, findByHash, findBySecondaryHash, type MatchedIssue } from '../issues/hashes.ts';
import { mergeIssues } from '../issues/merge-issues.ts';
import { lockBothIssues, movedEventsMax, moveEvents } from '../issues/move-events.ts';
import { splitIssue } from '../issues/new-issue.ts';
import { issues, ofIssue } from '../issues/rows.ts';
import { recountUsers } from '../issues/user-recount.ts';
import { toValueList } from '../value-lists.ts';
import { listPendingHashes, type PendingHash, pendingRowsOf } from './pending-hashes.ts';
import { reopenFor } from './reopening.ts';

/** Groupings decided in one transaction: each may make an issue. */
const decidedKeysMax = 20;

/** Issues of one run; the next run takes the others. */
const issuesMax = 10_000;

interface Limits {
  readonly issuePlacesMax: number;
  readonly newIssuesPerHourMax: number;
}

export function pendingRegroupingStore(db: Db, limits: Limits): PendingRegroupingStore {
  return {
    async issuesToRegroup(projectId) {
      const rows = await db.all<{ issue_id: number }>(
        'SELECT DISTINCT issue_id FROM pending_regroupings WHERE project_id = $1 ORDER BY issue_id LIMIT $2',
        [projectId, issuesMax],
      );
      return rows.map((row) => row.issue_id);
    },
    planRegrouping: (projectId, issueId, action) =>
      planRegrouping(db, { projectId, issueId, action, newIssuesMax: limits.newIssuesPerHourMax }),
    moveRegroupedEvents: (projectId, issueId, move, action) =>
      db.write((tx) => moveSlice(tx, { projectId, issueId, move, action, placesMax: limits.issuePlacesMax })),
    finishRegrouping: (projectId, issueId, decision, action) =>
      finish(db, projectId, issueId, decision, action),
  };
}

interface Slice {
  readonly projectId: number;
  readonly issueId: number;
  readonly move: PendingMove;
  readonly action: ActorAndTime;
  readonly placesMax: number;
}

async function moveSlice(tx: Transaction, { projectId, issueId, move, action, placesMax }: Slice) {
  await lockBothIssues(tx, projectId);
  const late = await tx.all<{ event_row: number }>(
    `SELECT event_row FROM pending_regroupings
     WHERE project_id = $1 AND issue_id = $2 AND hash = $3 AND event_row > 0
     ORDER BY event_row LIMIT $4`,
    [projectId, issueId, move.hash, movedEventsMax],
  );
  if (late.length === 0) return 0;
  const rows = late.map((row) => row.event_row);
  await moveEvents(tx, { projectId, fromId: issueId, toId: move.toId, rows, placesMax });
  const headId = await headOf(tx, projectId, move.toId);
  await reopenFor(tx, { projectId, headId, issueId: move.toId }, action);
  const list = toValueList(rows, 2);
  await tx.run(
    `DELETE FROM pending_regroupings WHERE project_id = $1 AND event_row IN (${list.placeholders})`,
    [projectId, ...list.values],
  );
  return late.length;
}

const finish: StoreMethod<'finishRegrouping', Db> = async (db, projectId, issueId, { joinInto }, action) => {
  const late = pendingRowsOf(db, projectId, issueId);
  if (await late.isMarked()) await recountUsers(db, projectId, issueId);
  if (joinInto !== null) {
    await db.write(async (tx) => {
      await lockBothIssues(tx, projectId);
      const merge = await mergeIssues(tx, projectId, joinInto, [issueId], action);
      if (merge !== null) await reopenFor(tx, { projectId, headId: joinInto, issueId }, action);
    });
    await late.remove();
  }
  await late.unmark();
};

interface DecisionContext {
  readonly projectId: number;
  readonly issueId: number;
  readonly action: ActorAndTime;
  /** New issues of the project in one hour; past it events stay where they are. */
  readonly newIssuesMax: number;
}

interface SortedKeys {
  readonly staying: PendingHash[];
  readonly foreign: Array<{ readonly key: PendingHash; readonly match: MatchedIssue }>;
  readonly split: PendingMove[];
  readonly claimed: Grouping[];
}

async function planRegrouping(db: Db, deciding: DecisionContext): Promise<RegroupingPlan> {
  const { projectId, issueId } = deciding;
  const keys = await listPendingHashes(db, projectId, issueId);
  const sorted: SortedKeys = { staying: [], foreign: [], split: [], claimed: [] };
  for (const part of toBatches(keys)) {
    if (!(await db.write((tx) => sortKeys(tx, deciding, part, sorted)))) {
      await pendingRowsOf(db, projectId, issueId).remove();
      return { moves: [], joinInto: null };
    }
    await setImmediate();
  }
  const { staying, foreign, split, claimed: own } = sorted;
  // In its own transaction: whoever locks the issue must not wait for a hash.
  for (const grouping of own) await issues.update(db, { grouping }, ofIssue(projectId, issueId));
  const isWhole = staying.length === 0 && split.length === 0 && (await hasOnlyKeys(db, deciding, keys));
  const main = isWhole ? foreign.shift() : undefined;
  if (split.length + foreign.length > 0) await db.write((tx) => pendingRowsOf(tx, projectId, issueId).mark());
  for (const part of toBatches(foreign)) await db.write((tx) => recordMoves(tx, deciding, part));
  for (const key of staying) await pendingRowsOf(db, projectId, issueId).remove(key.hash);
  const moves = [...split, ...foreign.map(({ key, match }) => moveOf(key, match.id))];
  return { moves, joinInto: main?.match.headId ?? null };
}

function toBatches<Item>(items: readonly Item[]): Item[][] {
  const batches = [];
  for (let at = 0; at < items.length; at += decidedKeysMax)
    batches.push(items.slice(at, at + decidedKeysMax));
  return batches;
}

/** False where no event of the issue is moved. */
async function sortKeys(
  tx: Query,
  context: DecisionContext,
  keys: readonly PendingHash[],
  target: SortedKeys,
): Promise<boolean> {
  const { projectId, issueId } = context;
  await lockBothIssues(tx, projectId);
  const issue = await tx.get<{ head_id: number; is_overflow: number }>(
    'SELECT COALESCE(merged_into, id) AS head_id, is_overflow FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  if (issue === undefined || issue.is_overflow === 1) return false;
  const isKept = await isKeptTogether(tx, context);
  // The transaction may run again, so the result is collected anew.
  const found: SortedKeys = { staying: [], foreign: [], split: [], claimed: [] };
  for (const key of keys) {
    const known = await findByHash(tx, projectId, key.hash);
    const match = known ?? (isKept ? null : await joinSecondaryHash(tx, context, key));
    if (match === null && !isKept) await settleKey(tx, context, key, found);
    else if (match === null) await keepInIssue(tx, context, key, found);
    else if (isKept) found.staying.push(key);
    else if (match.headId === issue.head_id) found.staying.push(key);
    else found.foreign.push({ key, match });
  }
  target.staying.push(...found.staying);
  target.foreign.push(...found.foreign);
  target.split.push(...found.split);
  target.claimed.push(...found.claimed);
  return true;
}

/** A hash without an issue becomes the issue's own where it has none, else that of a new issue. */
async function settleKey(tx: Query, context: DecisionContext, key: PendingHash, found: SortedKeys) {
  const { projectId, issueId, action } = context;
  if (!(await hasOwnKey(tx, projectId, issueId))) return keepInIssue(tx, context, key, found);
  const grouping = await groupingOfKey(tx, projectId, key);
  const isAllowed =
    grouping !== null &&
    (await admitNewIssue(tx, { projectId, atMs: action.nowMs, sender: null }, context.newIssuesMax)) ===
      'admitted';
  const newIssue = { projectId, fromId: issueId, eventRow: key.firstRow, events: key.events };
  const toId = isAllowed ? await splitIssue(tx, { ...newIssue, grouping }, action) : null;
  if (toId === null) found.staying.push(key);
  else found.split.push(moveOf(key, toId));
}

async function keepInIssue(tx: Query, context: DecisionContext, key: PendingHash, found: SortedKeys) {
  const grouping = await claimFor(tx, context, context.issueId, key);
  if (grouping !== null) found.claimed.push(grouping);
  found.staying.push(key);
}

/** A merge made by a person means that all of it is one issue; merges by source maps or rules do not. */
async function isKeptTogether(tx: Query, { projectId, issueId, action }: DecisionContext): Promise<boolean> {
  const row = await tx.get(
    `SELECT 1 AS kept FROM issue_merges
     WHERE project_id = $1 AND undone_at_ms IS NULL AND actor <> $3 AND actor NOT LIKE 'regroup %'
       AND (into_issue_id = $2 OR id IN (SELECT merge_id FROM issue_merge_members WHERE issue_id = $2))
     LIMIT 1`,
    [projectId, issueId, action.actor],
  );
  return row !== undefined;
}

// Joins the issue of a less or better informed grouping of the same fault; the hash leads to it from now on.
async function joinSecondaryHash(tx: Query, context: DecisionContext, key: PendingHash) {
  const grouping = await groupingOfKey(tx, context.projectId, key);
  if (grouping === null) return null;
  const claim = { projectId: context.projectId, grouping, atMs: context.action.nowMs };
  const related = await findBySecondaryHash(tx, claim);
  if (related !== null) await claimFor(tx, context, related.id, key);
  return related;
}

async function hasOwnKey(query: Pick<Query, 'get'>, projectId: number, issueId: number): Promise<boolean> {
  const row = await query.get(
    'SELECT 1 AS held FROM issue_hashes WHERE issue_id = $2 AND project_id = $1 AND superseded = 0 LIMIT 1',
    [projectId, issueId],
  );
  return row !== undefined;
}

async function hasOnlyKeys(db: Db, { projectId, issueId }: DecisionContext, keys: readonly PendingHash[]) {
  if (await hasOwnKey(db, projectId, issueId)) return false;
  const late = keys.reduce((sum, key) => sum + key.events, 0);
  const row = await db.get<{ events: number }>(
    `SELECT COUNT(*) AS events FROM
       (SELECT 1 FROM events WHERE project_id = $1 AND issue_id = $2 LIMIT $3) AS stored`,
    [projectId, issueId, late + 1],
  );
  return late > 0 && (row?.events ?? 0) <= late;
}

/** Null where the hash leads to an issue already. */
async function claimFor(
  tx: Query,
  { projectId, action }: DecisionContext,
  issueId: number,
  key: PendingHash,
): Promise<Grouping | null> {
  const grouping = await groupingOfKey(tx, projectId, key);
  if (grouping === null) return null;
  if (!(await claimHash(tx, { projectId, grouping, atMs: action.nowMs }, issueId))) return null;
  const detail = { hash: grouping.hash, algorithm: grouping.algorithm };
  await addActivity(tx, { projectId, issueId, kind: 'hash_added', detail }, action);
  return grouping;
}

/** Null where the event is gone or was grouped again. */
async function groupingOfKey(tx: Query, projectId: number, key: PendingHash): Promise<Grouping | null> {
  const stored = await findBody(tx, projectId, key.firstRow);
  const grouping = stored === null ? null : readGrouping(stored);
  return grouping?.hash === key.hash ? withGroupingFrames(grouping, stored) : null;
}

function moveOf(key: PendingHash, toId: number): PendingMove {
  return { hash: key.hash, toId };
}

async function recordMoves(
  tx: Query,
  { projectId, issueId, action }: DecisionContext,
  moves: SortedKeys['foreign'],
): Promise<void> {
  const kind = 'events_moved';
  for (const { key, match } of moves) {
    const { events } = key;
    await addActivity(tx, { projectId, issueId, kind, detail: { into: match.id, events } }, action);
    const detail = { from: issueId, events };
    await addActivity(tx, { projectId, issueId: match.id, kind, detail }, action);
  }
}
