import { storePart } from '../db.ts';
import { groupsOf } from '../issues/group.ts';
import { toValueList } from '../value-lists.ts';

export const overviewReads = storePart({
  async countOpenIssues(db, projectIds, sinceMs) {
    const none = { open: 0, new: 0, regressed: 0, all: 0 };
    if (projectIds.length === 0) return none;
    const { placeholders, values } = toValueList(projectIds, 2);
    // Each count by its own index: one scan would read every issue.
    const count = (condition: string): string =>
      `(SELECT COUNT(*) FROM issues WHERE merged_into IS NULL AND project_id IN (${placeholders}) AND ${condition})`;
    const counts = await db.get<typeof none>(
      `SELECT ${count("status = 'unresolved'")} AS open,
         ${count("status = 'unresolved' AND first_seen_ms >= $1")} AS "new",
         ${count("substatus = 'regressed' AND status = 'unresolved'")} AS regressed,
         ${count("status >= ''")} AS "all"`,
      [sinceMs, ...values],
    );
    return counts ?? none;
  },
  async listSeenIssues(db, projectIds, sinceMs, limit) {
    if (projectIds.length === 0) return [];
    const { placeholders, values } = toValueList(projectIds, 3);
    return db.all(
      `SELECT id, project_id AS "projectId", title, culprit, level, substatus, first_seen_ms AS "firstSeenMs",
         last_seen_ms AS "lastSeenMs", users_count AS users
       FROM issues WHERE merged_into IS NULL AND status = 'unresolved' AND last_seen_ms >= $1
         AND project_id IN (${placeholders})
       ORDER BY CASE WHEN substatus = 'regressed' THEN 0 WHEN level = 'fatal' THEN 1
         WHEN first_seen_ms >= $1 THEN 2 ELSE 3 END, last_seen_ms DESC, id DESC LIMIT $2`,
      [sinceMs, limit, ...values],
    );
  },
  async listIssueEventIntervals(db, issueIds, range) {
    if (issueIds.length === 0) return [];
    const { placeholders, values } = toValueList(issueIds, 4);
    return db.all(
      `SELECT own.head_id AS "issueId", ${sliceOfHour} AS slice, CAST(SUM(hours.events) AS BIGINT) AS events
       FROM (${groupsOf(placeholders)}) AS own CROSS JOIN issue_hours hours
       WHERE hours.project_id = own.project_id AND hours.issue_id = own.id
         AND hours.hour_ms >= $1 AND hours.hour_ms < $2 GROUP BY 1, 2`,
      [range.fromMs, range.toMs, range.sliceMs, ...values],
    );
  },
  async newestReleases(db, projectIds, limit) {
    if (projectIds.length === 0) return [];
    const { placeholders, values } = toValueList(projectIds, 2);
    // With the bare column SQLite would read all activity in the order of issues.
    return db.all(
      `SELECT id, project_id AS "projectId", version, created_at_ms AS "createdAtMs",
         (SELECT COUNT(*) FROM issues WHERE issues.project_id = newest.project_id
           AND first_release = newest.version AND merged_into IS NULL) AS "newIssues",
         (SELECT COUNT(DISTINCT issue_id + 0) FROM issue_activity WHERE issue_activity.project_id = newest.project_id
           AND issue_activity.release = newest.version AND kind = 'regressed') AS "regressedIssues"
       FROM (SELECT id, project_id, version, created_at_ms FROM releases WHERE project_id IN (${placeholders})
         ORDER BY created_at_ms DESC, id DESC LIMIT $1) AS newest ORDER BY created_at_ms DESC, id DESC`,
      [limit, ...values],
    );
  },
  async newestTestRuns(db, projectIds, limit) {
    if (projectIds.length === 0) return [];
    const { placeholders, values } = toValueList(projectIds, 2);
    return db.all(
      `SELECT id, project_id AS "projectId", suite, status, created_at_ms AS "createdAtMs", tests, passed, failed, flaky
       FROM test_runs WHERE project_id IN (${placeholders}) ORDER BY created_at_ms DESC, id DESC LIMIT $1`,
      [limit, ...values],
    );
  },
  async newestReports(db, projectIds, limit) {
    if (projectIds.length === 0) return [];
    const { placeholders, values } = toValueList(projectIds, 2);
    return db.all(
      `SELECT id, project_id AS "projectId", message, domain, created_at_ms AS "createdAtMs" FROM feedback
       WHERE spam = 0 AND project_id IN (${placeholders}) ORDER BY created_at_ms DESC, id DESC LIMIT $1`,
      [limit, ...values],
    );
  },
});

/** Whole slices from `$1` on, by integer division. */
const sliceOfHour = 'CAST((hours.hour_ms - $1) / CAST($3 AS BIGINT) AS BIGINT)';
