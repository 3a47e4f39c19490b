import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import type { PersonalTerm } from '../../src/core/store/users.ts';
import type { Eraser } from '../../src/core/users/personal-terms.ts';
import type { Db, Transaction } from '../db.ts';
import { feedback } from '../feedback/rows.ts';
import { refreshSearchTags } from '../issues/tags/search-row.ts';
import { defaulted, integer, json, type RowOf, tableOf, text } from '../table.ts';

export const erasures = tableOf('user_erasures', {
  id: defaulted(integer),
  projectId: integer,
  userHash: text,
  newHash: text,
  terms: json<readonly PersonalTerm[]>(),
  step: text,
  afterId: integer,
  atMs: integer,
});

export type Erasure = RowOf<typeof erasures>;

export interface ErasedSlice {
  readonly rows: number;
  /** Where the next batch begins; null once nothing is left of the step. */
  readonly afterId: number | null;
}

// Issues that an erased user saw: titles, tags, search texts, and the user's row that counts it.

const issueBatchSize = 20;

export async function eraseIssues(
  dbms: Db['dbms'],
  tx: Transaction,
  { projectId, userHash, newHash, afterId }: Erasure,
  eraser: Eraser,
): Promise<ErasedSlice> {
  // No issue has rows of users past its limit: those are found by their events.
  const issues = await tx.all<{ issue_id: number }>(
    `SELECT issue_id FROM
       (SELECT issue_id FROM issue_users WHERE user_hash IN ($2, $3) AND project_id = $1
        UNION SELECT issue_id FROM events WHERE project_id = $1 AND user_hash = $3) AS known
     WHERE issue_id > $4 ORDER BY issue_id LIMIT ${issueBatchSize}`,
    [projectId, userHash, newHash, afterId],
  );
  if (dbms === 'sqlite') await setSecureDelete(tx, 1);
  for (const { issue_id: issueId } of issues) {
    const row = await tx.get<{ merged_into: number | null }>(
      'SELECT merged_into FROM issues WHERE project_id = $1 AND id = $2',
      [projectId, issueId],
    );
    for (const id of new Set([issueId, row?.merged_into ?? issueId]))
      await eraseIssue(tx, projectId, id, eraser);
    await tx.run(
      'UPDATE issue_users SET user_hash = $4 WHERE project_id = $1 AND issue_id = $2 AND user_hash = $3',
      [projectId, issueId, userHash, newHash],
    );
  }
  if (dbms === 'sqlite') await setSecureDelete(tx, 0);
  return { rows: issues.length, afterId: issues.at(-1)?.issue_id ?? null };
}

/** Otherwise the trigrams of a changed text stay in the index until its parts are merged. */
async function setSecureDelete(tx: Transaction, value: 0 | 1): Promise<void> {
  // A literal: numbers are bound as REAL, which FTS5 does not take here.
  await tx.run(`INSERT INTO issue_trigrams (issue_trigrams, rank) VALUES ('secure-delete', ${value})`);
}

async function eraseIssue(
  tx: Transaction,
  projectId: number,
  issueId: number,
  eraser: Eraser,
): Promise<void> {
  const key = [projectId, issueId];
  const where = 'WHERE project_id = $1 AND id = $2';
  const issue = await tx.get<{ title: string; culprit: string; is_overflow: number }>(
    `SELECT title, culprit, is_overflow FROM issues ${where}`,
    key,
  );
  if (issue === undefined) return;
  const [title, culprit] = [eraser.text(issue.title), eraser.text(issue.culprit)];
  if (title !== issue.title || culprit !== issue.culprit) {
    const searchText = issue.is_overflow === 1 ? null : foldSearchTexts([title, culprit]);
    const values = [...key, title, culprit, searchText];
    await tx.run(`UPDATE issues SET title = $3, culprit = $4, search_text = $5 ${where}`, values);
  }
  await eraseTags(tx, projectId, issueId, eraser);
  const search = await tx.get<{ head: string }>(
    'SELECT head FROM issue_search WHERE project_id = $1 AND issue_id = $2',
    key,
  );
  const head = eraser.text(search?.head ?? '');
  if (search !== undefined && head !== search.head) {
    await tx.run('UPDATE issue_search SET head = $3 WHERE project_id = $1 AND issue_id = $2', [...key, head]);
  }
  const links = await tx.all<{ name: string }>(
    "SELECT DISTINCT name FROM incident_links WHERE kind = 'issue' AND object_id = $1",
    [issueId],
  );
  for (const { name } of links) {
    await tx.run(
      "UPDATE incident_links SET name = $3 WHERE kind = 'issue' AND object_id = $1 AND name = $2",
      [issueId, name, eraser.text(name)],
    );
  }
}

async function eraseTags(tx: Transaction, projectId: number, issueId: number, eraser: Eraser): Promise<void> {
  const rows = await tx.all<{ tag: string; value: string }>(
    'SELECT tag, value FROM issue_tags WHERE project_id = $1 AND issue_id = $2',
    [projectId, issueId],
  );
  const where = 'project_id = $1 AND issue_id = $2 AND tag = $3 AND value = $4';
  let changed = 0;
  for (const { tag, value } of rows) {
    const [erasedTag, erased] = [eraser.text(tag), eraser.text(value)];
    if (erasedTag === tag && erased === value) continue;
    changed += 1;
    await tx.run(
      `INSERT INTO issue_tags (project_id, issue_id, tag, value, events, first_seen_ms, last_seen_ms)
       SELECT project_id, issue_id, $5, $6, events, first_seen_ms, last_seen_ms FROM issue_tags WHERE ${where}
       ON CONFLICT (project_id, issue_id, tag, value) DO UPDATE SET events = issue_tags.events + excluded.events`,
      [projectId, issueId, tag, value, erasedTag, erased],
    );
    await tx.run(`DELETE FROM issue_tags WHERE ${where}`, [projectId, issueId, tag, value]);
  }
  if (changed > 0) await refreshSearchTags(tx, projectId, issueId);
}

// Bug reports of the erased user lose the contact; all others lose only what cannot mean anybody else.

const reportBatchSize = 200;

const read = feedback.only('id', 'message', 'name', 'email', 'url', 'userAgent', 'tags', 'details');

export async function eraseReports(
  tx: Transaction,
  erasure: Erasure,
  { own: ownEraser, elsewhere: otherEraser }: Readonly<Record<'own' | 'elsewhere', Eraser>>,
): Promise<ErasedSlice> {
  const { projectId, newHash, afterId } = erasure;
  const found = await tx.all<{ user_hash: string | null }>(
    `SELECT ${read.columns()}, (SELECT user_hash FROM events
       WHERE events.project_id = feedback.project_id AND events.event_id = feedback.event_id) AS user_hash
     FROM feedback WHERE project_id + 0 = $1 AND id > $2 ORDER BY id LIMIT ${reportBatchSize}`,
    [projectId, afterId],
  );
  const emails = new Set(
    erasure.terms.flatMap(({ name, value }) => (name === 'email' ? value.toLowerCase() : [])),
  );
  let last: number | null = null;
  for (const row of found) {
    const { user_hash: hash, ...report } = read.rowOf(row);
    const isOwn = hash === newHash || (report.email !== null && emails.has(report.email.toLowerCase()));
    await eraseReport(tx, projectId, report, isOwn ? ownEraser : otherEraser, isOwn);
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
  const condition = { where: 'id = $1 AND project_id = $2', values: [id, projectId] };
  await feedback.update(tx, { ...after, searchText }, condition);
}

// Texts that may repeat a title or an address: comments, notifications, incidents and saved reports.

/** Of all projects, by row id: no index of a project has this order. */
const rowBatchSize = 500;

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
     FROM ${step} WHERE id > $2 ORDER BY id LIMIT ${rowBatchSize}`,
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
