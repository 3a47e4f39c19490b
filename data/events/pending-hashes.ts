// Events whose grouping a source map changed, until pending-regroupings.ts has moved them.
import { setImmediate } from 'node:timers/promises';
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import type { RegroupingChange } from '../../src/core/store/artifacts.ts';
import type { Db, Query } from '../db.ts';
import { integer, tableOf, text } from '../table.ts';

const pendingRegroupings = tableOf('pending_regroupings', {
  projectId: integer,
  eventRow: integer,
  issueId: integer,
  hash: text,
});

export interface PendingHash {
  readonly hash: string;
  readonly events: number;
  readonly firstRow: number;
}

const pageRows = 2_000;
const removedRows = 1_000;

/** Those with most events first, of equals the oldest. */
export async function listPendingHashes(db: Db, projectId: number, issueId: number): Promise<PendingHash[]> {
  const keys = new Map<string, PendingHash>();
  let after: [string, number] = ['', 0];
  for (;;) {
    const page = await db.all<{ hash: string; event_row: number }>(
      `SELECT hash, event_row FROM pending_regroupings
       WHERE project_id = $1 AND issue_id = $2 AND (hash, event_row) > ($3, $4)
       ORDER BY hash, event_row LIMIT $5`,
      [projectId, issueId, ...after, pageRows],
    );
    for (const { hash, event_row: row } of page) {
      const known = keys.get(hash) ?? { hash, events: 0, firstRow: row };
      keys.set(hash, { ...known, events: known.events + 1 });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) break;
    after = [last.hash, last.event_row];
    await setImmediate();
  }
  return [...keys.values()].sort(
    (left, right) => right.events - left.events || left.firstRow - right.firstRow,
  );
}

export function pendingRowsOf(db: Pick<Db, 'get' | 'run'>, projectId: number, issueId: number) {
  // This row says that the users of the issue must be recounted: no event has a negative id.
  const mark = -issueId;
  return {
    async isMarked(): Promise<boolean> {
      const marked = await db.get(
        'SELECT 1 AS there FROM pending_regroupings WHERE project_id = $1 AND event_row = $2',
        [projectId, mark],
      );
      return marked !== undefined;
    },
    async mark(): Promise<void> {
      const row = { projectId, eventRow: mark, issueId, hash: '' };
      await pendingRegroupings.insert(db, row, { onConflict: 'DO NOTHING' });
    },
    async unmark(): Promise<void> {
      await db.run('DELETE FROM pending_regroupings WHERE project_id = $1 AND event_row = $2', [
        projectId,
        mark,
      ]);
    },
    async remove(hash?: string): Promise<void> {
      const ofKey = hash === undefined ? '' : 'AND hash = $4';
      const values = hash === undefined ? [] : [hash];
      for (;;) {
        const { changes } = await db.run(
          `DELETE FROM pending_regroupings WHERE (project_id, event_row) IN
             (SELECT project_id, event_row FROM pending_regroupings
              WHERE project_id = $1 AND issue_id = $2 AND event_row > 0 ${ofKey} LIMIT $3)`,
          [projectId, issueId, removedRows, ...values],
        );
        if (changes < removedRows) return;
        await setImmediate();
      }
    },
  };
}

export async function addPendingRegrouping(
  tx: Query,
  projectId: number,
  row: number,
  regrouped: RegroupingChange,
): Promise<void> {
  const { grouping, title, culprit, hashBefore } = regrouped;
  const event = await tx.get<{ issue_id: number }>(
    'UPDATE events SET title = $3, culprit = $4, search_text = $5 WHERE id = $1 AND project_id = $2 RETURNING issue_id',
    [row, projectId, title, culprit, foldSearchTexts([title, culprit])],
  );
  if (event === undefined) return;
  await updateIssueHeading(tx, projectId, row, regrouped);
  if (hashBefore === grouping.hash) return;
  await tx.run(
    'UPDATE issue_hashes SET superseded = 1 WHERE project_id = $1 AND superseded = 0 AND hash = $2',
    [projectId, hashBefore],
  );
  await pendingRegroupings.insert(
    tx,
    { projectId, eventRow: row, issueId: event.issue_id, hash: grouping.hash },
    { onConflict: pendingRegroupings.mergeOn({ key: ['projectId', 'eventRow'], otherwise: 'given' }) },
  );
}

/** An issue has the title of its newest event. */
async function updateIssueHeading(
  tx: Query,
  projectId: number,
  row: number,
  { title, culprit }: RegroupingChange,
): Promise<void> {
  await tx.run(
    `UPDATE issues SET title = $3, culprit = $4, search_text = $5
     WHERE project_id = $1 AND is_overflow = 0 AND id = (SELECT issue_id FROM events WHERE id = $2)
       AND $2 = (SELECT id FROM events WHERE project_id = $1 AND issue_id = issues.id
         ORDER BY received_at_ms DESC, id DESC LIMIT 1)`,
    [projectId, row, title, culprit, foldSearchTexts([title, culprit])],
  );
}
