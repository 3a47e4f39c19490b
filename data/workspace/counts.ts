import { storePart } from '../db.ts';
import { countRows } from '../paging.ts';
import { toValueList } from '../value-lists.ts';

/** Issues of a project whose platform is read. */
const issuesAskedMax = 200;

export const placeCountReads = storePart({
  async placeCounts(db, projectIds, sinceMs) {
    const present = 'FROM members WHERE removed_at_ms IS NULL AND invited_until_ms IS NULL';
    const members = await countRows(db, present, []);
    if (projectIds.length === 0) {
      return { openIssues: 0, newReports: 0, failedProofs: 0, members };
    }
    const { placeholders, values } = toValueList(projectIds, 2);
    const ofProjects = (from: string, first: string | number): Promise<number> =>
      countRows(db, `${from} AND project_id IN (${placeholders})`, [first, ...values]);
    const openIssues = await ofProjects(
      'FROM issues WHERE status = $1 AND merged_into IS NULL',
      'unresolved',
    );
    const newReports = await ofProjects('FROM feedback WHERE created_at_ms >= $1 AND spam = 0', sinceMs);
    const failedProofs = await ofProjects(
      "FROM domain_verifications WHERE status IN ($1, 'lapsed')",
      'failing',
    );
    return { openIssues, newReports, failedProofs, members };
  },
  async watchCounts(db, projectId) {
    const ofProject = '(CAST($1 AS BIGINT) IS NULL OR project_id = $1)';
    const count = (table: string, condition: string): Promise<number> =>
      countRows(db, `FROM ${table} WHERE ${condition} AND ${ofProject}`, [projectId]);
    return {
      downMonitors: await count('monitors', "state = 'down'"),
      openIncidents: await count('incidents', "resolved_at_ms IS NULL AND severity <> 'planned'"),
      failingChannels: await count('alert_channels', "state = 'failing'"),
    };
  },
  async arrivals(db, projectIds) {
    if (projectIds.length === 0) return { hasEvents: false };
    const list = toValueList(projectIds, 1);
    // An issue outlives its events.
    const row = await db.get<{ id: number }>(
      `SELECT id FROM issues WHERE project_id IN (${list.placeholders}) LIMIT 1`,
      list.values,
    );
    return { hasEvents: row !== undefined };
  },
  async countStoredEvents(db, projectId) {
    const stored = await db.get<{ n: number }>(
      'SELECT CAST(COALESCE(SUM(own_events_count - evicted_events), 0) AS BIGINT) AS n FROM issues WHERE project_id = $1',
      [projectId],
    );
    return Number(stored?.n ?? 0);
  },
  async recentPlatforms(db, projectId) {
    const rows = await db.all<{ platform: string }>(
      `SELECT DISTINCT platform FROM (SELECT platform FROM issues WHERE project_id = $1 AND merged_into IS NULL
         ORDER BY last_seen_ms DESC, id DESC LIMIT $2) AS newest ORDER BY platform`,
      [projectId, issuesAskedMax],
    );
    return rows.map(({ platform }) => platform);
  },
});
