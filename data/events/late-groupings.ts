// Moving events whose key a late map changed to the issue of that key (D-114), in slices, so that others
// write meanwhile. What is left to do stands in late_groupings: a process that dies in between is taken up by
// the next. Where they belong is decided in late-decisions.ts.

import type { Act } from '../../src/core/store/issues.ts';
import type { LateDecision, LateGroupingStore, LateMove } from '../../src/core/store/late-groupings.ts';
import type { Db, Transaction } from '../db.ts';
import { mergeIssues } from '../issues/merges.ts';
import { lockMovers, movedEventsMax, moveEvents } from '../issues/moving.ts';
import { recountUsers } from '../issues/user-recount.ts';
import { listOf } from '../value-lists.ts';
import { decideLate } from './late-decisions.ts';
import { lateRowsOf } from './late-keys.ts';
import { reopenFor } from './reopening.ts';

/** Issues that one run looks at; the next one finds the rest. */
const issuesMax = 10_000;

interface Limits {
  readonly issuePlacesMax: number;
  readonly newIssuesPerHourMax: number;
}

/** The queries of `LateGroupingStore`. */
export function lateGroupingStore(db: Db, limits: Limits): LateGroupingStore {
  return {
    async issuesToRegroup(projectId) {
      const rows = await db.all<{ issue_id: number }>(
        'SELECT DISTINCT issue_id FROM late_groupings WHERE project_id = $1 ORDER BY issue_id LIMIT $2',
        [projectId, issuesMax],
      );
      return rows.map((row) => row.issue_id);
    },
    decideLate: (projectId, issueId, act) =>
      decideLate(db, { projectId, issueId, act, newIssuesMax: limits.newIssuesPerHourMax }),
    moveLate: (projectId, issueId, move, act) =>
      db.write((tx) => moveSlice(tx, { projectId, issueId, move, act, placesMax: limits.issuePlacesMax })),
    finishLate: (projectId, issueId, decision, act) => finish(db, projectId, issueId, decision, act),
  };
}

interface Slice {
  readonly projectId: number;
  readonly issueId: number;
  readonly move: LateMove;
  readonly act: Act;
  readonly placesMax: number;
}

async function moveSlice(
  tx: Transaction,
  { projectId, issueId, move, act, placesMax }: Slice,
): Promise<number> {
  await lockMovers(tx, projectId);
  const late = await tx.all<{ event_row: number }>(
    `SELECT event_row FROM late_groupings
     WHERE project_id = $1 AND issue_id = $2 AND hash = $3 AND event_row > 0
     ORDER BY event_row LIMIT $4`,
    [projectId, issueId, move.hash, movedEventsMax],
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
  const late = lateRowsOf(db, projectId, issueId);
  if (await late.isMarked()) await recountUsers(db, projectId, issueId);
  if (joinInto !== null) {
    await db.write(async (tx) => {
      await lockMovers(tx, projectId);
      const merge = await mergeIssues(tx, projectId, joinInto, [issueId], act);
      if (merge !== null) await reopenFor(tx, { projectId, headId: joinInto, issueId }, act);
    });
    // What joined goes by the key of the issue that it joined.
    await late.remove();
  }
  await late.unmark();
}
