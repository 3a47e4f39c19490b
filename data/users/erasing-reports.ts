// Bug reports of the erased user lose the contact; all others lose only what cannot mean anybody else.
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import type { Eraser } from '../../src/core/users/personal-terms.ts';
import type { Transaction } from '../db.ts';
import { feedback } from '../feedback/rows.ts';
import type { RowOf } from '../table.ts';
import type { ErasedSlice, Erasure } from './erasures.ts';

const reportsAtOnce = 200;

const read = feedback.only('id', 'message', 'name', 'email', 'url', 'userAgent', 'tags', 'details');

export async function eraseReports(
  tx: Transaction,
  erasure: Erasure,
  { own, elsewhere }: Readonly<Record<'own' | 'elsewhere', Eraser>>,
): Promise<ErasedSlice> {
  const { projectId, newHash, afterId } = erasure;
  const found = await tx.all<{ user_hash: string | null }>(
    `SELECT ${read.columns()}, (SELECT user_hash FROM events
       WHERE events.project_id = feedback.project_id AND events.event_id = feedback.event_id) AS user_hash
     FROM feedback WHERE project_id + 0 = $1 AND id > $2 ORDER BY id LIMIT ${reportsAtOnce}`,
    [projectId, afterId],
  );
  const emails = new Set(
    erasure.terms.flatMap(({ name, value }) => (name === 'email' ? value.toLowerCase() : [])),
  );
  let last: number | null = null;
  for (const row of found) {
    const { user_hash: hash, ...report } = read.rowOf(row);
    const isOwn = hash === newHash || (report.email !== null && emails.has(report.email.toLowerCase()));
    await eraseReport(tx, projectId, report, isOwn ? own : elsewhere, isOwn);
    last = report.id;
  }
  return { rows: found.length, afterId: last };
}

async function eraseReport(
  tx: Transaction,
  projectId: number,
  report: RowOf<typeof read>,
  eraser: Eraser,
  isOwn: boolean,
): Promise<void> {
  const { id, ...before } = report;
  const text = (value: string | null): string | null => (value === null ? null : eraser.text(value));
  const after = {
    message: eraser.text(before.message),
    name: isOwn ? null : text(before.name),
    email: isOwn ? null : text(before.email),
    url: text(before.url),
    userAgent: text(before.userAgent),
    tags: eraser.json({ tags: before.tags }).tags,
    details: eraser.json(before.details),
  };
  if (isOwn) await tx.run('UPDATE feedback_screenshots SET name = NULL WHERE feedback_id = $1', [id]);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  const searchText = foldSearchTexts([after.message, after.name, after.email, after.url]);
  const where = { where: 'id = $1 AND project_id = $2', values: [id, projectId] };
  await feedback.update(tx, { ...after, searchText }, where);
}
