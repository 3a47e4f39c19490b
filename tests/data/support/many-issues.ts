// Issues as rows: filing events of so many would take longer than all that is tested of them.
import type { Db } from '../../../data/db.ts';

/** Adds issues of project 1 that are alike, each with so many events of one hour; answers their numbers. */
export function addIssues(db: Db, count: number, events: number, atMs: number): Promise<readonly number[]> {
  return db.write(async (tx) => {
    const issue = `(1, 0, 'many', '', 'error', 'php', 'ng2', 'unresolved', ${atMs}, 0, ${events}, 0, ${atMs}, ${atMs},
      ${events}, 0, ${atMs}, ${atMs})`;
    const rows = await tx.all<{ id: number }>(
      `INSERT INTO issues (project_id, is_overflow, title, culprit, level, platform, grouping, status, state_changed_at_ms,
         regressions_count, events_count, users_count, first_seen_ms, last_seen_ms, own_events_count, own_users_count,
         own_first_seen_ms, own_last_seen_ms) VALUES ${new Array(count).fill(issue).join(', ')} RETURNING id`,
    );
    const hours = rows.map(({ id }) => `(1, ${id}, ${atMs}, ${events})`).join(', ');
    await tx.run(`INSERT INTO issue_hours (project_id, issue_id, hour_ms, events) VALUES ${hours}`);
    return rows.map(({ id }) => Number(id));
  });
}
