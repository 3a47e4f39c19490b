// What a run of regrouping writes down of the issues it touches, so that an undo can put them back.
import type { RegroupRun } from '../../src/core/store/regroup.ts';
import type { Query } from '../db.ts';
import { reopenFor } from '../events/reopening.ts';
import { stateColumns } from '../issues/rows.ts';

const shownColumns = [
  'title',
  'culprit',
  'folded',
  'level',
  'platform',
  'first_release',
  'last_release',
  'own_first_seen_ms',
  'own_last_seen_ms',
  'own_events_count',
] as const;

/** What an issue shows of its own events. */
export type Shown = { readonly [column in (typeof shownColumns)[number]]: string | number | null };

/** Who acts in the activity and the merges of a run. */
export function actorOf(run: Pick<RegroupRun, 'id'>): string {
  return `regroup ${run.id}`;
}

/** What an issue shows now; null when it is gone. */
export async function shownOf(tx: Query, projectId: number, issueId: number): Promise<Shown | null> {
  const row = await tx.get<Shown>(
    `SELECT ${shownColumns.join(', ')} FROM issues WHERE project_id = $1 AND id = $2`,
    [projectId, issueId],
  );
  return row === undefined
    ? null
    : (Object.fromEntries(shownColumns.map((name) => [name, row[name]])) as Shown);
}

/** Writes down what issues show before the run changes them for the first time. */
export async function keepBefore(
  tx: Query,
  run: RegroupRun,
  projectId: number,
  issueIds: readonly number[],
  isNew = false,
): Promise<void> {
  for (const issueId of issueIds) {
    const known = await tx.get('SELECT 1 AS there FROM regroup_issues WHERE run_id = $1 AND issue_id = $2', [
      run.id,
      issueId,
    ]);
    if (known !== undefined) continue;
    const shown = JSON.stringify(await shownOf(tx, projectId, issueId));
    await tx.run(
      `INSERT INTO regroup_issues (run_id, project_id, issue_id, is_new, shown_before, shown_after)
       VALUES ($1, $2, $3, $4, $5, $5)`,
      [run.id, projectId, issueId, Number(isNew), shown],
    );
  }
}

/** And what they show after each change. */
export async function keepAfter(
  tx: Query,
  run: RegroupRun,
  projectId: number,
  issueIds: readonly number[],
): Promise<void> {
  for (const issueId of issueIds) {
    const shown = JSON.stringify(await shownOf(tx, projectId, issueId));
    await tx.run('UPDATE regroup_issues SET shown_after = $3 WHERE run_id = $1 AND issue_id = $2', [
      run.id,
      issueId,
      shown,
    ]);
  }
}

/** The state of an issue as it is compared and put back. */
export function readState(tx: Query, projectId: number, issueId: number): Promise<object | undefined> {
  return tx.get<object>(
    `SELECT ${stateColumns}, regressions_count FROM issues WHERE project_id = $1 AND id = $2`,
    [projectId, issueId],
  );
}

/** Brings a resolved issue back where events came that are newer, and writes down what it was. */
export async function reopenKept(
  tx: Query,
  run: RegroupRun,
  about: { readonly projectId: number; readonly headId: number; readonly issueId: number },
  nowMs: number,
): Promise<void> {
  const { projectId, headId } = about;
  const before = JSON.stringify(await readState(tx, projectId, headId));
  await reopenFor(tx, about, { actor: actorOf(run), nowMs });
  const after = JSON.stringify(await readState(tx, projectId, headId));
  if (before === after) return;
  await tx.run(
    `UPDATE regroup_issues SET state_before = COALESCE(state_before, $3), state_after = $4
     WHERE run_id = $1 AND issue_id = $2`,
    [run.id, headId, before, after],
  );
}
