// Issues as they are read: lists, one issue, its activity and its hours.

import type { Grouping } from '../../src/core/store/events.ts';
import type { Activity, Issue, IssueFilter, IssueHour, IssueStore } from '../../src/core/store/issues.ts';
import type { ListWindow, Page } from '../../src/core/store/page.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { readPage, readPageByKey } from '../paging.ts';
import { containing, matching } from '../search.ts';
import { listOf } from '../value-lists.ts';
import { groupsOf } from './group.ts';
import { type StateColumns, stateColumns, stateOf } from './rows.ts';

/** The row of an issue, as `issueColumnsOf` reads it. */
export interface IssueRow extends StateColumns {
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
  readonly assigned_to: number | null;
}

export interface ActivityRow {
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
  ${stateColumns}, regressions_count, events_count, users_count, first_seen_ms, last_seen_ms, first_release, last_release,
  assigned_to`;

/** The columns of `IssueRow`, of the table or alias they are of. */
export function issueColumnsOf(table: string): string {
  return issueColumns
    .split(',')
    .map((column) => `${table}.${column.trim()}`)
    .join(', ');
}

export const activityColumns =
  'id, issue_id, kind, actor, at_ms, from_state, to_state, event_id, release, detail';

const orderColumns: Readonly<Record<IssueFilter['orderBy'], readonly string[]>> = {
  last_seen: ['last_seen_ms', 'id'],
  first_seen: ['first_seen_ms', 'id'],
  events: ['events_count', 'id'],
  users: ['users_count', 'id'],
  id: ['id'],
};

/** Issues whose hours are read at once. */
const hourIssuesMax = 100;

type IssueReads = Pick<
  IssueStore,
  'listIssues' | 'issuesOf' | 'findIssue' | 'listIssueActivity' | 'listIssueHours'
>;

/** The queries that read issues, their history and their hours. */
export function issueReads(db: Db): IssueReads {
  return {
    listIssues: (projectId, filter) => listIssues(db, projectId, filter),
    findIssue: (projectId, issueId) => findIssue(db, projectId, issueId),
    async issuesOf(projectId, ids) {
      if (ids.length === 0) return [];
      const { marks, values } = listOf(ids, 2);
      const rows = await db.all<IssueRow>(
        `SELECT ${issueColumns} FROM issues WHERE project_id = $1 AND id IN (${marks})`,
        [projectId, ...values],
      );
      const byId = new Map(rows.map((row) => [Number(row.id), issueOf(row)]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    listIssueActivity: (projectId, issueId, window) => listActivity(db, projectId, issueId, window),
    listIssueHours: (projectId, issueIds, fromMs, toMs) => listHours(db, projectId, issueIds, fromMs, toMs),
  };
}

/** One issue, or null; inside a transaction as well as outside. */
export async function findIssue(
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

async function listIssues(db: Db, projectId: number, filter: IssueFilter): Promise<Page<Issue>> {
  const { where, values } = conditionsOf(projectId, filter);
  const order = (descending: boolean): string => orderOf(filter.orderBy, descending);
  const list = { table: 'issues', where, columns: issueColumns, joined: 'issues', order, values };
  const page = await readPageByKey<IssueRow>(db, list, filter);
  return { rows: page.rows.map(issueOf), total: page.total };
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
  add(containing(filter.search), (p) => matching('folded', ['title', 'culprit'], p));
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
  window: ListWindow,
): Promise<Page<Activity>> {
  const list = {
    columns: activityColumns,
    from: 'FROM issue_activity WHERE project_id = $1 AND issue_id = $2',
    order: 'id DESC',
    values: [projectId, issueId],
  };
  const page = await readPage<ActivityRow>(db, list, window);
  return { rows: page.rows.map(activityOf), total: page.total };
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
    `SELECT own.head_id, hour_ms, CAST(SUM(events) AS BIGINT) AS events
     FROM (${groupsOf(list.marks)}) AS own CROSS JOIN issue_hours
     WHERE issue_hours.project_id = $1 AND issue_hours.issue_id = own.id
       AND hour_ms >= $2 AND hour_ms < $3
     GROUP BY own.head_id, hour_ms ORDER BY hour_ms, own.head_id`,
    [projectId, fromMs, toMs, ...list.values],
  );
  return rows.map((row) => ({ issueId: row.head_id, atMs: row.hour_ms, events: row.events }));
}

/** An issue of its row. */
export function issueOf(row: IssueRow): Issue {
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
    assignedTo: row.assigned_to,
  };
}

/** An activity of its row. */
export function activityOf(row: ActivityRow): Activity {
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
