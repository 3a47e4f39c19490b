// Issues that an erased user saw: titles, tags, search texts, and the user's row that counts it.
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import type { Eraser } from '../../src/core/users/personal-terms.ts';
import type { Db, Transaction } from '../db.ts';
import { refreshSearchTags } from '../issues/tags/search-row.ts';
import type { ErasedSlice, Erasure } from './erasures.ts';

const issuesAtOnce = 20;

export async function eraseIssues(
  dbms: Db['dbms'],
  tx: Transaction,
  { projectId, userHash, newHash, afterId }: Erasure,
  own: Eraser,
): Promise<ErasedSlice> {
  // No issue has rows of users past its limit: those are found by their events.
  const issues = await tx.all<{ issue_id: number }>(
    `SELECT issue_id FROM
       (SELECT issue_id FROM issue_users WHERE user_hash IN ($2, $3) AND project_id = $1
        UNION SELECT issue_id FROM events WHERE project_id = $1 AND user_hash = $3) AS known
     WHERE issue_id > $4 ORDER BY issue_id LIMIT ${issuesAtOnce}`,
    [projectId, userHash, newHash, afterId],
  );
  if (dbms === 'sqlite') await setSecureDelete(tx, 1);
  for (const { issue_id: issueId } of issues) {
    const row = await tx.get<{ merged_into: number | null }>(
      'SELECT merged_into FROM issues WHERE project_id = $1 AND id = $2',
      [projectId, issueId],
    );
    for (const id of new Set([issueId, row?.merged_into ?? issueId]))
      await eraseIssue(tx, projectId, id, own);
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

async function eraseIssue(tx: Transaction, projectId: number, issueId: number, own: Eraser): Promise<void> {
  const key = [projectId, issueId];
  const where = 'WHERE project_id = $1 AND id = $2';
  const issue = await tx.get<{ title: string; culprit: string; is_overflow: number }>(
    `SELECT title, culprit, is_overflow FROM issues ${where}`,
    key,
  );
  if (issue === undefined) return;
  const [title, culprit] = [own.text(issue.title), own.text(issue.culprit)];
  if (title !== issue.title || culprit !== issue.culprit) {
    const searchText = issue.is_overflow === 1 ? null : foldSearchTexts([title, culprit]);
    const values = [...key, title, culprit, searchText];
    await tx.run(`UPDATE issues SET title = $3, culprit = $4, search_text = $5 ${where}`, values);
  }
  await eraseTags(tx, projectId, issueId, own);
  const search = await tx.get<{ head: string }>(
    'SELECT head FROM issue_search WHERE project_id = $1 AND issue_id = $2',
    key,
  );
  const head = own.text(search?.head ?? '');
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
      [issueId, name, own.text(name)],
    );
  }
}

async function eraseTags(tx: Transaction, projectId: number, issueId: number, own: Eraser): Promise<void> {
  const rows = await tx.all<{ tag: string; value: string }>(
    'SELECT tag, value FROM issue_tags WHERE project_id = $1 AND issue_id = $2',
    [projectId, issueId],
  );
  const where = 'project_id = $1 AND issue_id = $2 AND tag = $3 AND value = $4';
  let changed = 0;
  for (const { tag, value } of rows) {
    const [erasedTag, erased] = [own.text(tag), own.text(value)];
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
