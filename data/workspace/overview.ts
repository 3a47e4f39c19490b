import type {
  IntervalEvents,
  IntervalRange,
  NewestFeedback,
  NewestRelease,
  NewestRun,
  OpenIssueCounts,
  OverviewStore,
  RecentIssue,
} from '../../src/core/store/page-queries.ts';
import type { Db } from '../db.ts';
import { groupsOf } from '../issues/group.ts';
import { toValueList } from '../value-lists.ts';

export function overviewReads(db: Db): OverviewStore {
  const unlessEmpty = <Row>(ids: readonly number[], read: () => Promise<Row[]>): Promise<Row[]> =>
    ids.length === 0 ? Promise.resolve([]) : read();
  return {
    countOpenIssues: (projectIds, sinceMs) => countOpenIssues(db, projectIds, sinceMs),
    listSeenIssues: (ids, sinceMs, limit) => unlessEmpty(ids, () => listSeenIssues(db, ids, sinceMs, limit)),
    listIssueEventIntervals: (ids, range) => unlessEmpty(ids, () => listIssueEventIntervals(db, ids, range)),
    newestReleases: (ids, limit) => unlessEmpty(ids, () => newestReleases(db, ids, limit)),
    newestTestRuns: (ids, limit) => unlessEmpty(ids, () => newestTestRuns(db, ids, limit)),
    newestReports: (ids, limit) => unlessEmpty(ids, () => newestReports(db, ids, limit)),
  };
}

async function countOpenIssues(
  db: Db,
  projectIds: readonly number[],
  sinceMs: number,
): Promise<OpenIssueCounts> {
  if (projectIds.length === 0) return { open: 0, new: 0, regressed: 0, all: 0 };
  const { placeholders, values } = toValueList(projectIds, 2);
  // Each count by its own index: one scan would read every issue.
  const count = (condition: string): string =>
    `(SELECT COUNT(*) FROM issues WHERE merged_into IS NULL AND project_id IN (${placeholders}) AND ${condition})`;
  const row = await db.get<Record<'seen' | 'open' | 'fresh' | 'regressed', number>>(
    `SELECT ${count("status >= ''")} AS seen, ${count("status = 'unresolved'")} AS open,
       ${count("status = 'unresolved' AND first_seen_ms >= $1")} AS fresh,
       ${count("substatus = 'regressed' AND status = 'unresolved'")} AS regressed`,
    [sinceMs, ...values],
  );
  return {
    open: Number(row?.open ?? 0),
    new: Number(row?.fresh ?? 0),
    regressed: Number(row?.regressed ?? 0),
    all: Number(row?.seen ?? 0),
  };
}

async function listSeenIssues(
  db: Db,
  projectIds: readonly number[],
  sinceMs: number,
  limit: number,
): Promise<RecentIssue[]> {
  const { placeholders, values } = toValueList(projectIds, 3);
  const rows = await db.all<{
    id: number;
    project_id: number;
    title: string;
    culprit: string;
    level: RecentIssue['level'];
    substatus: RecentIssue['substatus'];
    first_seen_ms: number;
    last_seen_ms: number;
    users_count: number;
  }>(
    `SELECT id, project_id, title, culprit, level, substatus, first_seen_ms, last_seen_ms, users_count
     FROM issues WHERE merged_into IS NULL AND status = 'unresolved' AND last_seen_ms >= $1
       AND project_id IN (${placeholders})
     ORDER BY CASE WHEN substatus = 'regressed' THEN 0 WHEN level = 'fatal' THEN 1
       WHEN first_seen_ms >= $1 THEN 2 ELSE 3 END, last_seen_ms DESC, id DESC LIMIT $2`,
    [sinceMs, limit, ...values],
  );
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    culprit: row.culprit,
    level: row.level,
    substatus: row.substatus,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
    users: Number(row.users_count),
  }));
}

/** Whole slices from `$1` on, by integer division. */
const sliceOfHour = 'CAST((hours.hour_ms - $1) / CAST($3 AS BIGINT) AS BIGINT)';

async function listIssueEventIntervals(
  db: Db,
  issueIds: readonly number[],
  { fromMs, toMs, sliceMs }: IntervalRange,
): Promise<IntervalEvents[]> {
  const { placeholders, values } = toValueList(issueIds, 4);
  const rows = await db.all<{ issue_id: number; slice: number; events: number }>(
    `SELECT own.head_id AS issue_id, ${sliceOfHour} AS slice, CAST(SUM(hours.events) AS BIGINT) AS events
     FROM (${groupsOf(placeholders)}) AS own CROSS JOIN issue_hours hours
     WHERE hours.project_id = own.project_id AND hours.issue_id = own.id
       AND hours.hour_ms >= $1 AND hours.hour_ms < $2 GROUP BY 1, 2`,
    [fromMs, toMs, sliceMs, ...values],
  );
  return rows.map((row) => ({
    issueId: row.issue_id,
    slice: Number(row.slice),
    events: Number(row.events),
  }));
}

async function newestReleases(
  db: Db,
  projectIds: readonly number[],
  limit: number,
): Promise<NewestRelease[]> {
  const { placeholders, values } = toValueList(projectIds, 2);
  // With the bare column SQLite would read all activity in the order of issues.
  const rows = await db.all<{
    id: number;
    project_id: number;
    version: string;
    created_at_ms: number;
    new_issues: number;
    regressed_issues: number;
  }>(
    `SELECT id, project_id, version, created_at_ms,
       (SELECT COUNT(*) FROM issues WHERE issues.project_id = newest.project_id
         AND first_release = newest.version AND merged_into IS NULL) AS new_issues,
       (SELECT COUNT(DISTINCT issue_id + 0) FROM issue_activity WHERE issue_activity.project_id = newest.project_id
         AND issue_activity.release = newest.version AND kind = 'regressed') AS regressed_issues
     FROM (SELECT id, project_id, version, created_at_ms FROM releases WHERE project_id IN (${placeholders})
       ORDER BY created_at_ms DESC, id DESC LIMIT $1) AS newest ORDER BY created_at_ms DESC, id DESC`,
    [limit, ...values],
  );
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    version: row.version,
    createdAtMs: row.created_at_ms,
    newIssues: Number(row.new_issues),
    regressedIssues: Number(row.regressed_issues),
  }));
}

async function newestTestRuns(db: Db, projectIds: readonly number[], limit: number): Promise<NewestRun[]> {
  const { placeholders, values } = toValueList(projectIds, 2);
  const rows = await db.all<
    Record<'id' | 'project_id' | 'created_at_ms' | 'tests' | 'passed' | 'failures' | 'flaky', number> & {
      suite: string | null;
      status: string;
    }
  >(
    `SELECT id, project_id, suite, status, created_at_ms, tests, passed, failed AS failures, flaky
     FROM test_runs WHERE project_id IN (${placeholders}) ORDER BY created_at_ms DESC, id DESC LIMIT $1`,
    [limit, ...values],
  );
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    suite: row.suite,
    status: row.status,
    createdAtMs: row.created_at_ms,
    tests: Number(row.tests),
    passed: Number(row.passed),
    failed: Number(row.failures),
    flaky: Number(row.flaky),
  }));
}

async function newestReports(
  db: Db,
  projectIds: readonly number[],
  limit: number,
): Promise<NewestFeedback[]> {
  const { placeholders, values } = toValueList(projectIds, 2);
  const rows = await db.all<{
    id: number;
    project_id: number;
    message: string;
    domain: string;
    created_at_ms: number;
  }>(
    `SELECT id, project_id, message, domain, created_at_ms FROM feedback
     WHERE spam = 0 AND project_id IN (${placeholders}) ORDER BY created_at_ms DESC, id DESC LIMIT $1`,
    [limit, ...values],
  );
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    message: row.message,
    domain: row.domain,
    createdAtMs: row.created_at_ms,
  }));
}
