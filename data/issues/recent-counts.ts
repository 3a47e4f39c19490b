import { slotMs } from '../../src/core/parsing/durations.ts';
import { type StoreMethod, storePart } from '../db.ts';
import { groupOf } from './group.ts';

const activeIssuesMax = 20_000;

export const issueActivityStore = storePart({
  // By project: the index of last_seen_ms begins with it.
  listActiveIssues: (db, { sinceMs, over }) =>
    db.all(
      `SELECT i.id AS "issueId", i.project_id AS "projectId", i.events_count AS events, i.users_count AS users,
         i.last_seen_ms AS "lastSeenMs"
       FROM projects p CROSS JOIN issues i
       WHERE i.project_id = p.id AND i.merged_into IS NULL AND i.last_seen_ms >= $1 AND i.events_count > $2
         AND i.is_overflow = 0 AND i.status <> 'ignored'
       ORDER BY i.last_seen_ms DESC LIMIT $3`,
      [sinceMs, over, activeIssuesMax],
    ),
  countSeen: (db, issue, unit, limit) => countSeen(db, issue, unit, limit),
  async seenParts(query, issue, unit, toMs, limit) {
    // From the index alone: a tenth of the time of reading rows.
    const isOverLimit = (await countSeen(query, issue, 'events', limit)) > limit;
    const [oldest] = isOverLimit ? await listSeenSlots(query, issue, toMs, limit) : [];
    const by = `environment, release, level${unit === 'users' ? ', user_hash' : ''}`;
    return query.all(
      `SELECT environment, release, level, ${unit === 'users' ? 'user_hash' : 'NULL'} AS "user", COUNT(*) AS events
       ${seenEventsSql(unit)} GROUP BY ${by}`,
      [issue.projectId, issue.issueId, oldest?.atMs ?? issue.fromMs],
    );
  },
  listSeenSlots: (db, issue, toMs, limit) => listSeenSlots(db, issue, toMs, limit),
  listSessionsOfReleases: (db, projectId, sinceMs, sessionsMin) =>
    db.all(
      `SELECT r.id AS "releaseId", r.version, CAST(SUM(h.sessions) AS BIGINT) AS sessions,
         CAST(SUM(h.crashed) AS BIGINT) AS crashed
       FROM (SELECT DISTINCT release FROM release_health WHERE project_id = $1 AND hour_ms >= $2) AS lately
         JOIN releases r ON r.project_id = $1 AND r.version = lately.release
         JOIN release_health h ON h.project_id = $1 AND h.release = lately.release
       GROUP BY r.id, r.version HAVING SUM(h.sessions) >= $3 ORDER BY r.id`,
      [projectId, sinceMs, sessionsMin],
    ),
  async newestEventOf(db, { projectId, issueId }) {
    const row = await db.get<{ event_id: string }>(
      `SELECT event_id FROM events WHERE project_id = $1 AND issue_id IN (${groupOf('$1', '$2')})
       ORDER BY received_at_ms DESC, id DESC LIMIT 1`,
      [projectId, issueId],
    );
    return row?.event_id ?? null;
  },
});

function seenEventsSql(unit: 'events' | 'users'): string {
  return `FROM events WHERE project_id = $1 AND received_at_ms >= $3 AND issue_id IN (${groupOf('$1', '$2')})${
    unit === 'users' ? ' AND user_hash IS NOT NULL' : ''
  }`;
}

const countSeen: StoreMethod<'countSeen'> = async (query, { projectId, issueId, fromMs }, unit, limit) => {
  const selected = unit === 'users' ? 'DISTINCT user_hash' : '1 AS event';
  const row = await query.get<{ seen: number }>(
    `SELECT COUNT(*) AS seen FROM (SELECT ${selected} ${seenEventsSql(unit)} LIMIT $4) AS counted`,
    [projectId, issueId, fromMs, limit + 1],
  );
  return row?.seen ?? 0;
};

const neverMs = Number.MAX_SAFE_INTEGER;

// From the current slot back, until there are enough. Later events (a clock was set back) count in the current one.
const listSeenSlots: StoreMethod<'listSeenSlots'> = async (
  query,
  { projectId, issueId, fromMs },
  toMs,
  limit,
) => {
  // Most merged issues are silent: only active ones are queried for each slot.
  const rows = await query.all<{ at_ms: number; total: number }>(
    `WITH RECURSIVE own AS MATERIALIZED (
       SELECT id FROM (${groupOf('$1', '$2')}) AS known WHERE EXISTS
         (SELECT 1 FROM events WHERE project_id = $1 AND issue_id = known.id AND received_at_ms >= $3)
     ), counted (at_ms, total) AS (
       SELECT CAST($4 AS BIGINT), CAST(0 AS BIGINT) UNION ALL
       SELECT counted.at_ms - ${slotMs}, counted.total + (SELECT COUNT(*) FROM (
         SELECT 1 AS event FROM events WHERE project_id = $1 AND issue_id IN (SELECT id FROM own)
           AND received_at_ms >= counted.at_ms - ${slotMs}
           AND received_at_ms < CASE WHEN counted.at_ms = $4 THEN ${neverMs} ELSE counted.at_ms END
         LIMIT $5) AS kept)
       FROM counted WHERE counted.at_ms > $3 AND counted.total < $5
     ) SELECT at_ms, total FROM counted ORDER BY at_ms DESC`,
    [projectId, issueId, fromMs, toMs, limit + 1],
  );
  const totals = rows.map(({ total }) => Number(total));
  const slots = rows.map(({ at_ms: atMs }, at) => ({
    atMs: Number(atMs),
    events: (totals[at] ?? 0) - (totals[at - 1] ?? 0),
  }));
  return slots.slice(1).reverse();
};
