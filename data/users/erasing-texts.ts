// Texts that may repeat a title or an address: comments, notifications, incidents and saved reports.
import type { Eraser } from '../../src/core/users/personal-terms.ts';
import type { Transaction } from '../db.ts';
import type { ErasedSlice, Erasure } from './erasures.ts';

/** Of all projects, by row id: no index of a project has this order. */
const rowsAtOnce = 500;

const ofProject = 'project_id = $1';
const ofProjectOrAll = '(project_id = $1 OR project_id IS NULL)';

/** By name, since the name is stored with an erasure that was interrupted. */
const tables = {
  issue_comments: { columns: ['body'], where: ofProject },
  issue_activity: { columns: ['detail'], where: ofProject },
  alert_signals: { columns: ['title', 'detail'], where: ofProject },
  pending_notifications: { columns: ['title', 'detail'], where: ofProject },
  alert_deliveries: { columns: ['subject', 'why', 'body', 'html'], where: ofProjectOrAll },
  incidents: { columns: ['title', 'cause', 'post_mortem'], where: ofProjectOrAll },
  incident_updates: {
    columns: ['body'],
    where: `incident_id IN (SELECT id FROM incidents WHERE ${ofProjectOrAll})`,
  },
  reports: { columns: ['sums', 'body'], where: ofProjectOrAll },
} as const;

export const textTables = Object.keys(tables) as Array<keyof typeof tables>;

export async function eraseTexts(
  tx: Transaction,
  { projectId, step, afterId }: Erasure,
  eraser: Eraser,
): Promise<ErasedSlice> {
  const { columns, where } = tables[step as keyof typeof tables];
  const rows = await tx.all<Record<string, string | null> & { id: number }>(
    `SELECT id, ${columns.map((column) => `CASE WHEN ${where} THEN ${column} END AS ${column}`).join(', ')}
     FROM ${step} WHERE id > $2 ORDER BY id LIMIT ${rowsAtOnce}`,
    [projectId, afterId],
  );
  for (const row of rows) {
    for (const column of columns) {
      const before = row[column] ?? null;
      const after = before === null ? null : eraseStored(before, eraser);
      if (after === before) continue;
      await tx.run(`UPDATE ${step} SET ${column} = $2 WHERE id = $1`, [row.id, after]);
    }
  }
  return { rows: rows.length, afterId: rows.at(-1)?.id ?? null };
}

/** JSON stays JSON. */
function eraseStored(stored: string, eraser: Eraser): string {
  if (!/^\s*[[{]/.test(stored)) return eraser.text(stored);
  let parsed: unknown;
  try {
    parsed = JSON.parse(stored);
  } catch {
    return eraser.text(stored);
  }
  const before = JSON.stringify(parsed);
  const after = JSON.stringify(eraser.json(parsed));
  return after === before ? stored : after;
}
