import type { ActorAndTime } from '../../src/core/store/issues.ts';
import type { RegroupedEvent, RegroupRun } from '../../src/core/store/regroup.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import { type Db, type Query, storePart, type Transaction } from '../db.ts';
import { writeGrouping } from '../event-bodies.ts';
import { reopenFor } from '../events/reopening.ts';
import { addActivity } from '../issues/activity.ts';
import { headOf } from '../issues/group.ts';
import { claimHash, findByHash } from '../issues/hashes.ts';
import { mergeIssues } from '../issues/merge-issues.ts';
import { type EventMove, lockBothIssues, moveEvents, showAsFilled } from '../issues/move-events.ts';
import { splitIssue } from '../issues/new-issue.ts';
import { issues, ofIssue } from '../issues/rows.ts';
import { recountUsers } from '../issues/user-recount.ts';
import { raiseKeysVersion } from '../projects/settings.ts';
import { findRun } from './reading.ts';

interface Limits {
  readonly issuePlacesMax: number;
}

export function regroupWrites(db: Db, limits: Limits) {
  return {
    ...regroupSteps(db),
    moveRegrouped: (run, move, events) =>
      db.write((tx) => moveSlice(tx, run, { ...move, placesMax: limits.issuePlacesMax }, events)),
  } satisfies Partial<StoreParts>;
}

const regroupSteps = storePart(
  {
    async recountRegrouped(db, run, projectId) {
      const next = await db.get<{ issue_id: number; is_new: number; lost_events: number }>(
        'SELECT issue_id, is_new, lost_events FROM regroup_issues WHERE run_id = $1 ORDER BY issue_id LIMIT 1',
        [run.id],
      );
      if (next === undefined) return false;
      const { issue_id: issueId } = next;
      if (next.lost_events === 1) await recountUsers(db, projectId, issueId);
      await db.write(async (tx) => {
        if (next.is_new === 1) await showAsFilled(tx, projectId, issueId);
        await tx.run('DELETE FROM regroup_issues WHERE run_id = $1 AND issue_id = $2', [run.id, issueId]);
      });
      return true;
    },
  },
  {
    async beginRegroup(tx, projectId, versionAfter, nowMs) {
      await lockBothIssues(tx, projectId);
      const last = await findRun(tx, projectId);
      if (last !== null && last.finishedAtMs === null) return last;
      if (last !== null) await tx.run('DELETE FROM regroup_runs WHERE id = $1', [last.id]);
      await tx.run(
        `INSERT INTO regroup_runs (project_id, version_after, started_at_ms)
         SELECT id, $2, $3 FROM projects WHERE id = $1 AND deleted_at_ms IS NULL`,
        [projectId, versionAfter, nowMs],
      );
      const run = await findRun(tx, projectId);
      if (run === null) throw new Error('The project to regroup was not found.');
      return run;
    },
    async claimRegroupHash(tx, run, projectId, grouping, issueId) {
      await lockBothIssues(tx, projectId);
      const before = await findByHash(tx, projectId, grouping.hash);
      if (before?.id === issueId) return;
      if (before === null) {
        await claimHash(tx, { projectId, grouping, atMs: run.startedAtMs }, issueId);
      } else {
        await tx.run('UPDATE issue_hashes SET issue_id = $3 WHERE project_id = $1 AND hash = $2', [
          projectId,
          grouping.hash,
          issueId,
        ]);
      }
      const detail = { hash: grouping.hash, algorithm: grouping.algorithm };
      await addActivity(tx, { projectId, issueId, kind: 'hash_added', detail }, actionOf(run));
    },
    async splitRegroupIssue(tx, run, split) {
      const { projectId } = split;
      await lockBothIssues(tx, projectId);
      const id = await splitIssue(tx, split, actionOf(run));
      if (id === null) return null;
      await noteIssue(tx, run, { projectId, issueId: id }, 'is_new');
      return id;
    },
    async joinRegrouped(tx, run, projectId, intoId, issueIds) {
      await lockBothIssues(tx, projectId);
      const act = actionOf(run);
      const merged = await mergeIssues(tx, projectId, intoId, issueIds, act);
      if (merged === null) return;
      const headId = await headOf(tx, projectId, intoId);
      for (const issueId of issueIds) await reopenFor(tx, { projectId, headId, issueId }, act);
    },
    async labelRegrouped(tx, projectId, labels) {
      await lockBothIssues(tx, projectId);
      for (const { issueId, grouping } of labels) {
        await issues.update(tx, { grouping }, ofIssue(projectId, issueId));
      }
    },
    async finishRegroup(tx, run, projectId, nowMs) {
      await lockBothIssues(tx, projectId);
      await tx.run('UPDATE projects SET grouping_version = $2 WHERE id = $1', [projectId, run.versionAfter]);
      await tx.run('UPDATE regroup_runs SET finished_at_ms = $2 WHERE id = $1', [run.id, nowMs]);
      await raiseKeysVersion(tx);
    },
  },
);

function actionOf(run: RegroupRun): ActorAndTime {
  return { actor: `regroup ${run.id}`, nowMs: run.startedAtMs };
}

async function noteIssue(
  tx: Query,
  run: RegroupRun,
  { projectId, issueId }: { readonly projectId: number; readonly issueId: number },
  column: 'is_new' | 'lost_events',
): Promise<void> {
  await tx.run(
    `INSERT INTO regroup_issues (run_id, project_id, issue_id, is_new, lost_events) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (run_id, issue_id) DO UPDATE SET ${column} = 1`,
    [run.id, projectId, issueId, Number(column === 'is_new'), Number(column === 'lost_events')],
  );
}

type Move = Omit<EventMove, 'rows'>;

async function moveSlice(tx: Transaction, run: RegroupRun, move: Move, events: readonly RegroupedEvent[]) {
  const { projectId, fromId, toId } = move;
  await lockBothIssues(tx, projectId);
  await noteIssue(tx, run, { projectId, issueId: fromId }, 'lost_events');
  const moved = await moveEvents(tx, { ...move, rows: events.map((event) => event.row) });
  for (const { row, grouping } of events) {
    await writeGrouping(tx, projectId, row, grouping);
  }
  const headId = await headOf(tx, projectId, toId);
  await reopenFor(tx, { projectId, headId, issueId: toId }, actionOf(run));
  return moved.length;
}
