// Recounts users after events left the issue. Events are read outside of a transaction; only the end is one.

import { setImmediate } from 'node:timers/promises';
import type { Db, Query } from '../db.ts';
import { toValueLists } from '../value-lists.ts';
import { recount } from './merge-issues.ts';

const pageEvents = 2_000;
/** Row ids are drawn before the commit: rows so near to the newest are read again. */
const overlapRows = 1_000;

/** Without effect where retention removed events of the issue. */
export async function recountUsers(db: Db, projectId: number, issueId: number): Promise<void> {
  const before = await db.get<{ last: number | null }>('SELECT MAX(id) AS last FROM events');
  const counted = await db.get<{ own_events_count: number }>(
    'SELECT own_events_count FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  const countedUsers = await db.all<{ user_hash: string }>(
    'SELECT user_hash FROM issue_users WHERE project_id = $1 AND issue_id = $2',
    [projectId, issueId],
  );
  const absentUsers = new Set(countedUsers.map((row) => row.user_hash));
  if (absentUsers.size === 0) return;
  const stored = await readUsers(db, projectId, issueId, absentUsers);
  // Users of events that retention removed still count.
  if (absentUsers.size === 0 || (counted?.own_events_count ?? 0) > stored) return;
  const fromRow = (before?.last ?? 0) - overlapRows;
  await db.write((tx) => removeUsers(db.dbms, tx, { projectId, issueId, fromRow }, absentUsers));
}

/** Removes users of stored events from `absentUsers`; returns the number of events. */
async function readUsers(db: Db, projectId: number, issueId: number, absentUsers: Set<string>) {
  let [atMs, row, stored] = [Number.MIN_SAFE_INTEGER, 0, 0];
  for (;;) {
    const page = await db.all<{ id: number; received_at_ms: number; user_hash: string | null }>(
      `SELECT id, received_at_ms, user_hash FROM events
       WHERE project_id = $1 AND issue_id = $2 AND (received_at_ms, id) > ($3, $4)
       ORDER BY received_at_ms, id LIMIT $5`,
      [projectId, issueId, atMs, row, pageEvents],
    );
    for (const event of page) if (event.user_hash !== null) absentUsers.delete(event.user_hash);
    stored += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < pageEvents) return stored;
    [atMs, row] = [last.received_at_ms, last.id];
    await setImmediate();
  }
}

interface UserRecount {
  readonly projectId: number;
  readonly issueId: number;
  readonly fromRow: number;
}

async function removeUsers(
  dbms: Db['dbms'],
  tx: Query,
  { projectId, issueId, fromRow }: UserRecount,
  absentUsers: Set<string>,
): Promise<void> {
  // Waits for transactions that counted users and did not commit. SQLite has one writer.
  if (dbms === 'postgres') await tx.run('LOCK TABLE issue_users IN SHARE ROW EXCLUSIVE MODE');
  // By row id alone: the index of issues would lead through all its events.
  const fresh = await tx.all<{ user_hash: string }>(
    `SELECT DISTINCT user_hash FROM events
     WHERE id > $3 AND project_id + 0 = $1 AND issue_id + 0 = $2 AND user_hash IS NOT NULL`,
    [projectId, issueId, fromRow],
  );
  for (const { user_hash: user } of fresh) absentUsers.delete(user);
  const users = [...absentUsers];
  let removed = 0;
  for (const list of toValueLists(users, 3)) {
    removed += (
      await tx.run(
        `DELETE FROM issue_users WHERE project_id = $1 AND issue_id = $2 AND user_hash IN (${list.placeholders})`,
        [projectId, issueId, ...list.values],
      )
    ).changes;
  }
  if (removed === 0) return;
  const issue = await tx.get<{ merged_into: number | null }>(
    `UPDATE issues SET own_users_count = own_users_count - $3 WHERE project_id = $1 AND id = $2
     RETURNING merged_into`,
    [projectId, issueId, removed],
  );
  for (const id of new Set([issueId, issue?.merged_into ?? issueId])) await recount(tx, projectId, id);
}
