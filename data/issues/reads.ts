// Issues as they are read: lists, one issue, its activity and its hours.

import type { Grouping } from '../../src/core/store/events.ts';
import type { Activity, Issue, IssueFilter, IssueHour, IssueStore } from '../../src/core/store/issues.ts';
import type { Page } from '../../src/core/store/page.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { containing } from '../paging.ts';
import { listOf } from '../value-lists.ts';
import { type StateColumns, stateColumns, stateOf } from './rows.ts';

interface IssueRow extends StateColumns {
  readonly id: number;
  readonly project_id: number;
  readonly merged_into: number | null;
  readonly is_overflow: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: Issue['level'];
  readonly platform: string;
  readonly grouping: string;
  readonly regressions_count: number;
  readonly events_count: number;
  readonly users_count: number;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
  readonly first_release: string | null;
  readonly last_release: string | null;
}

interface ActivityRow {
  readonly id: number;
  readonly issue_id: number;
  readonly kind: Activity['kind'];
  readonly actor: string;
  readonly at_ms: number;
  readonly from_state: string;
  readonly to_state: string;
  readonly event_id: string | null;
  readonly release: string | null;
  readonly detail: string;
}

const issueColumns = `id, project_id, merged_into, is_overflow, title, culprit, level, platform, grouping,
  ${stateColumns}, regressions_count, events_count, users_count, first_seen_ms, last_seen_ms, first_release, last_release`;

const orderColumns: Readonly<Record<IssueFilter['orderBy'], readonly string[]>> = {
  last_seen: ['last_seen_ms', 'id'],
  first_seen: ['first_seen_ms', 'id'],
  events: ['events_count', 'id'],
  users: ['users_count', 'id'],
  id: ['id'],
};

/** Issues whose hours are read at once. */
const hourIssuesMax = 100;

type IssueReads = Pick<IssueStore, 'listIssues' | 'findIssue' | 'listIssueActivity' | 'listIssueHours'>;

/** The queries that read issues, their history and their hours. */
export function issueReads(db: Db): IssueReads {
  return {
    listIssues: (projectId, filter) => listIssues(db, projectId, filter),
    findIssue: (projectId, issueId) => readIssue(db, projectId, issueId),
    listIssueActivity: (projectId, issueId, page) => listActivity(db, projectId, issueId, page),
    listIssueHours: (projectId, issueIds, fromMs, toMs) => listHours(db, projectId, issueIds, fromMs, toMs),
  };
}

/** One issue, or null; inside a transaction as well as outside. */
export async function readIssue(
  query: Pick<Query, 'get'>,
  projectId: number,
  issueId: number,
): Promise<Issue | null> {
  const row = await query.get<IssueRow>(
    `SELECT ${issueColumns} FROM issues WHERE project_id = $1 AND id = $2`,
    [projectId, issueId],
  );
  return row === undefined ? null : issueOf(row);
}

/**
 * Pages are found by key: ids are read from an index alone, from the nearer end, and only the page's own rows are
 * fetched. So a deep page skips index entries, never rows.
 */
async function listIssues(db: Db, projectId: number, filter: IssueFilter): Promise<Page<Issue>> {
  const { where, values } = conditionsOf(projectId, filter);
  const counted = await db.get<{ total: number }>(
    `SELECT COUNT(*) AS total FROM issues WHERE ${where}`,
    values,
  );
  const total = counted?.total ?? 0;
  const size = Math.min(filter.limit, total - filter.offset);
  if (size <= 0) return { rows: [], total };
  const fromEnd = filter.offset > total / 2;
  const skipped = fromEnd ? total - filter.offset - size : filter.offset;
  const order = orderOf(filter.orderBy, filter.descending !== fromEnd);
  const rows = await db.all<IssueRow>(
    `SELECT ${issueColumns} FROM issues WHERE id IN (SELECT id FROM issues WHERE ${where} ORDER BY ${order}
       LIMIT $${values.length + 1} OFFSET $${values.length + 2}) ORDER BY ${order}`,
    [...values, size, skipped],
  );
  const issues = rows.map(issueOf);
  return { rows: fromEnd ? issues.reverse() : issues, total };
}

function orderOf(by: IssueFilter['orderBy'], descending: boolean): string {
  return orderColumns[by].map((column) => `${column} ${descending ? 'DESC' : 'ASC'}`).join(', ');
}

/** The texts are ours alone; what the caller gave stands in the values. */
function conditionsOf(projectId: number, filter: IssueFilter): { where: string; values: SqlValue[] } {
  const values: SqlValue[] = [projectId];
  const conditions = ['project_id = $1', 'merged_into IS NULL'];
  const add = (value: SqlValue | undefined, condition: (parameter: string) => string): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add(filter.status, (p) => `status = ${p}`);
  add(filter.substatus, (p) => `substatus = ${p}`);
  add(filter.level, (p) => `level = ${p}`);
  add(filter.platform, (p) => `platform = ${p}`);
  add(filter.firstRelease, (p) => `first_release = ${p}`);
  add(
    containing(filter.search),
    (p) => `(LOWER(title) LIKE ${p} ESCAPE '!' OR LOWER(culprit) LIKE ${p} ESCAPE '!')`,
  );
  if (filter.release !== undefined || filter.environment !== undefined) {
    const places = ['issue_releases.project_id = $1'];
    if (filter.release !== undefined) places.push(`issue_releases.release = $${values.push(filter.release)}`);
    if (filter.environment !== undefined) {
      places.push(`issue_releases.environment = $${values.push(filter.environment)}`);
    }
    conditions.push(
      `id IN (SELECT COALESCE(seen.merged_into, seen.id) FROM issue_releases
        JOIN issues seen ON seen.id = issue_releases.issue_id WHERE ${places.join(' AND ')})`,
    );
  }
  return { where: conditions.join(' AND '), values };
}

async function listActivity(
  db: Db,
  projectId: number,
  issueId: number,
  page: { limit: number; offset: number },
): Promise<Page<Activity>> {
  const counted = await db.get<{ total: number }>(
    'SELECT COUNT(*) AS total FROM issue_activity WHERE project_id = $1 AND issue_id = $2',
    [projectId, issueId],
  );
  const rows = await db.all<ActivityRow>(
    `SELECT id, issue_id, kind, actor, at_ms, from_state, to_state, event_id, release, detail FROM issue_activity
     WHERE project_id = $1 AND issue_id = $2 ORDER BY id DESC LIMIT $3 OFFSET $4`,
    [projectId, issueId, page.limit, page.offset],
  );
  return { rows: rows.map(activityOf), total: counted?.total ?? 0 };
}

async function listHours(
  db: Db,
  projectId: number,
  issueIds: readonly number[],
  fromMs: number,
  toMs: number,
): Promise<IssueHour[]> {
  const ids = issueIds.slice(0, hourIssuesMax);
  if (ids.length === 0) return [];
  const list = listOf(ids, 4);
  const rows = await db.all<{ head_id: number; hour_ms: number; events: number }>(
    `SELECT COALESCE(issues.merged_into, issues.id) AS head_id, hour_ms, CAST(SUM(events) AS BIGINT) AS events
     FROM issue_hours JOIN issues ON issues.id = issue_hours.issue_id
     WHERE issue_hours.project_id = $1 AND hour_ms >= $2 AND hour_ms < $3 AND issue_hours.issue_id IN
       (SELECT id FROM issues WHERE project_id = $1 AND (id IN (${list.marks}) OR merged_into IN (${list.marks})))
     GROUP BY COALESCE(issues.merged_into, issues.id), hour_ms ORDER BY hour_ms, head_id`,
    [projectId, fromMs, toMs, ...list.values],
  );
  return rows.map((row) => ({ issueId: row.head_id, hourMs: row.hour_ms, events: row.events }));
}

function issueOf(row: IssueRow): Issue {
  return {
    id: row.id,
    projectId: row.project_id,
    mergedInto: row.merged_into,
    isOverflow: row.is_overflow === 1,
    title: row.title,
    culprit: row.culprit,
    level: row.level,
    platform: row.platform,
    grouping: JSON.parse(row.grouping) as Grouping,
    state: stateOf(row),
    regressionsCount: row.regressions_count,
    eventsCount: row.events_count,
    usersCount: row.users_count,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
    firstRelease: row.first_release,
    lastRelease: row.last_release,
  };
}

function activityOf(row: ActivityRow): Activity {
  return {
    id: row.id,
    issueId: row.issue_id,
    kind: row.kind,
    actor: row.actor,
    atMs: row.at_ms,
    from: row.from_state,
    to: row.to_state,
    eventId: row.event_id,
    release: row.release,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
  };
}
