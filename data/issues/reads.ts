import type { Issue, IssueFilter, IssueHour } from '../../src/core/store/issues.ts';
import { type Db, type Query, type SqlValue, storePart } from '../db.ts';
import { readPage, readPageByKey } from '../paging.ts';
import { matchCondition, toLikePattern } from '../search.ts';
import { termConditions } from '../searching/terms.ts';
import { toValueList } from '../value-lists.ts';
import { groupsOf } from './group.ts';
import { activities, issueOf, listedIssues } from './rows.ts';

const orderColumns: Readonly<Record<IssueFilter['orderBy'], readonly string[]>> = {
  last_seen: ['last_seen_ms', 'id'],
  first_seen: ['first_seen_ms', 'id'],
  events: ['events_count', 'id'],
  users: ['users_count', 'id'],
  id: ['id'],
};

const hourIssuesMax = 100;

export const issueReads = storePart({
  async listIssues(db, projectId, filter) {
    const { where, values } = conditionsOf(db, projectId, filter);
    const order = (descending: boolean): string => orderOf(filter.orderBy, descending);
    const list = { table: 'issues', where, columns: listedIssues.columns(), joined: 'issues', order, values };
    return readPageByKey(db, list, filter, (row) => issueOf(listedIssues.rowOf(row)));
  },
  findIssue,
  async issuesOf(db, projectId, ids) {
    if (ids.length === 0) return [];
    const { placeholders, values } = toValueList(ids, 2);
    const rows = await listedIssues.list(db, `WHERE project_id = $1 AND id IN (${placeholders})`, [
      projectId,
      ...values,
    ]);
    const byId = new Map(rows.map((row) => [row.id, issueOf(row)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  },
  async listIssueActivity(db, projectId, issueId, window) {
    const list = {
      columns: activities.columns(),
      from: 'FROM issue_activity WHERE project_id = $1 AND issue_id = $2',
      order: 'id DESC',
      values: [projectId, issueId],
    };
    return readPage(db, list, window, activities.rowOf);
  },
  async listIssueHours(db, projectId, issueIds, fromMs, toMs) {
    const ids = issueIds.slice(0, hourIssuesMax);
    if (ids.length === 0) return [];
    const list = toValueList(ids, 4);
    return db.all<IssueHour>(
      `SELECT own.head_id AS "issueId", hour_ms AS "atMs", CAST(SUM(events) AS BIGINT) AS events
       FROM (${groupsOf(list.placeholders)}) AS own CROSS JOIN issue_hours
       WHERE issue_hours.project_id = $1 AND issue_hours.issue_id = own.id
         AND hour_ms >= $2 AND hour_ms < $3
       GROUP BY own.head_id, hour_ms ORDER BY hour_ms, own.head_id`,
      [projectId, fromMs, toMs, ...list.values],
    );
  },
});

export async function findIssue(
  query: Pick<Query, 'get'>,
  projectId: number,
  issueId: number,
): Promise<Issue | null> {
  const row = await listedIssues.find(query, 'WHERE project_id = $1 AND id = $2', [projectId, issueId]);
  return row && issueOf(row);
}

function orderOf(by: IssueFilter['orderBy'], descending: boolean): string {
  return orderColumns[by].map((column) => `${column} ${descending ? 'DESC' : 'ASC'}`).join(', ');
}

/** SQL texts are ours; given values are bound. */
function conditionsOf(
  { dbms }: Db,
  projectId: number,
  filter: IssueFilter,
): { where: string; values: SqlValue[] } {
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
  add(toLikePattern(filter.search), (p) => matchCondition('search_text', ['title', 'culprit'], p));
  const hasIssueSet = filter.release !== undefined || filter.environment !== undefined;
  if (hasIssueSet) {
    const releaseConditions = ['project_id = $1'];
    if (filter.release !== undefined) releaseConditions.push(`release = $${values.push(filter.release)}`);
    if (filter.environment !== undefined) {
      releaseConditions.push(`environment = $${values.push(filter.environment)}`);
    }
    conditions.push(
      `id IN (SELECT COALESCE(seen.merged_into, seen.id)
        FROM (SELECT DISTINCT issue_id FROM issue_releases WHERE ${releaseConditions.join(' AND ')}) AS named
        JOIN issues seen ON seen.id = named.issue_id)`,
    );
  }
  const statement = { dbms, values, sets: [] };
  conditions.push(
    ...termConditions(statement, filter.terms ?? [], { projects: '$1', range: null, hasIssueSet }),
  );
  return { where: conditions.join(' AND '), values };
}
