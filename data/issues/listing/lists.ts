import type { Level } from '../../../schemas/event.ts';
import { dayMs } from '../../../src/core/parsing/durations.ts';
import {
  type IssueCursor,
  type IssueListFilter,
  type IssueListWindow,
  type IssueSearchResult,
  type IssueSort,
  type IssueTab,
  issueTabs,
  type LevelHour,
  type ListedIssues,
} from '../../../src/core/store/issue-queries.ts';
import type { Db } from '../../db.ts';
import {
  environmentSet,
  levelSet,
  type Range,
  releaseSet,
  tagSet,
  userSet,
  within,
} from '../../searching/facts.ts';
import { searchConditions } from '../../searching/patterns.ts';
import { bind, bindList, type Statement, withSets } from '../../searching/statement.ts';
import { termConditions } from '../../searching/terms.ts';
import type { RowOf } from '../../table.ts';
import { issueOf, listedIssues } from '../rows.ts';

const sortColumns: Readonly<Record<IssueSort, string>> = {
  last_seen: 'issues.last_seen_ms',
  first_seen: 'issues.first_seen_ms',
  events: 'issues.events_count',
  users: 'issues.users_count',
  trend: 'COALESCE(trend.score, 0)',
};

type SortedRow = RowOf<typeof listedIssues> & { readonly place: number };

export async function listWorkspaceIssues(
  db: Db,
  filter: IssueListFilter,
  window: IssueListWindow,
): Promise<ListedIssues> {
  const { before = null, after = null, limit } = window;
  if (filter.projectIds.length === 0) return { rows: [], newer: null, older: null };
  const read = await readRows(db, filter, window);
  // Fewer rows than a page come before this cursor: show the first page.
  if (before !== null && read.length < limit) {
    return listWorkspaceIssues(db, filter, { ...window, before: null });
  }
  const isMore = read.length > limit;
  const page = read.slice(0, limit);
  const rows = before === null ? page : page.toReversed();
  const cursorOf = (row: SortedRow | undefined): IssueCursor | null =>
    row === undefined ? null : { value: row.place, id: row.id };
  const [first, last] = [cursorOf(rows.at(0)), cursorOf(rows.at(-1))];
  return {
    rows: rows.map(({ place: _place, ...row }) => issueOf(listedIssues.rowOf(row))),
    newer: (before === null ? after !== null : isMore) ? (first ?? after) : null,
    older: (before === null ? isMore : true) ? last : null,
  };
}

function readRows(db: Db, filter: IssueListFilter, window: IssueListWindow): Promise<SortedRow[]> {
  const { before = null, after = null, limit, sort } = window;
  const statement: Statement = { dbms: db.dbms, values: [], sets: [] };
  const conditions = [conditionsOf(statement, filter), conditionOfTab(window.tab)];
  const column = sortColumns[sort];
  const trendJoin = sort === 'trend' ? trendOf(statement, filter, window.trendToMs) : '';
  const at = before ?? after;
  if (at !== null) {
    const operator = before === null ? '<' : '>';
    const value = bind(statement, at.value);
    conditions.push(
      `(${column} ${operator} ${value} OR (${column} = ${value} AND issues.id ${operator} ${bind(statement, at.id)}))`,
    );
  }
  const order = before === null ? 'DESC' : 'ASC';
  return db.all<SortedRow>(
    `${withSets(statement)}SELECT ${listedIssues.columns('issues')}, CAST(${column} AS BIGINT) AS place FROM issues ${trendJoin}
     WHERE ${conditions.join(' AND ')} ORDER BY ${column} ${order}, issues.id ${order} LIMIT ${bind(statement, limit + 1)}`,
    statement.values,
  );
}

// Only issues of these two days. CROSS JOIN makes SQLite begin with them; rows with 0 help PostgreSQL's estimate.
function trendOf(statement: Statement, { projectIds }: IssueListFilter, toMs: number): string {
  const [day, start] = [bind(statement, toMs - dayMs), bind(statement, toMs - 2 * dayMs)];
  statement.sets.push(
    `lately (id, project_id) AS MATERIALIZED (SELECT id, project_id FROM issues
       WHERE project_id IN (${bindList(statement, projectIds)}) AND merged_into IS NULL AND last_seen_ms >= ${start})`,
    `trend (id, score) AS MATERIALIZED (
       SELECT id, SUM(score) FROM (
         SELECT id, 0 AS score FROM lately UNION ALL
         SELECT own.head_id, CASE WHEN hours.hour_ms >= ${day} THEN hours.events ELSE -hours.events END
         FROM (SELECT id, project_id, id AS head_id FROM lately UNION ALL
           SELECT part.id, part.project_id, part.merged_into FROM issues part
           WHERE part.merged_into IN (SELECT id FROM lately)) AS own CROSS JOIN issue_hours hours
         WHERE hours.project_id = own.project_id AND hours.issue_id = own.id
           AND hours.hour_ms >= ${start} AND hours.hour_ms < ${bind(statement, toMs)}) AS scores GROUP BY id)`,
  );
  return 'LEFT JOIN trend ON trend.id = issues.id';
}

type Tabs = Record<IssueTab, number>;

function emptyTabCounts(): Tabs {
  return Object.fromEntries(issueTabs.map((tab) => [tab, 0])) as Tabs;
}

function addTo(counts: Tabs, { status, substatus }: StatusRow, n: number): void {
  counts.all += n;
  if (status === 'unresolved') counts.open += n;
  if (status === 'ignored' || status === 'resolved') counts[status] += n;
  if (substatus === 'new' || substatus === 'regressed') counts[substatus] += n;
}

interface StatusRow {
  readonly status: string;
  readonly substatus: string | null;
}

export async function countWorkspaceIssues(db: Db, filter: IssueListFilter): Promise<Tabs> {
  const counts = emptyTabCounts();
  if (filter.projectIds.length === 0) return counts;
  const statement: Statement = { dbms: db.dbms, values: [], sets: [] };
  const where = conditionsOf(statement, filter);
  const rows = await db.all<StatusRow & { n: number }>(
    `${withSets(statement)}SELECT status, substatus, COUNT(*) AS n FROM issues WHERE ${where} GROUP BY status, substatus`,
    statement.values,
  );
  for (const row of rows) addTo(counts, row, row.n);
  return counts;
}

const foundMax = 1_000;

export async function findWorkspaceIssues(db: Db, filter: IssueListFilter): Promise<IssueSearchResult> {
  const counts = emptyTabCounts();
  if (filter.projectIds.length === 0) return { counts, ids: [], areAll: true };
  const statement: Statement = { dbms: db.dbms, values: [], sets: [] };
  const where = conditionsOf(statement, filter);
  const rows = await db.all<StatusRow & { id: number; last_seen_ms: number }>(
    `${withSets(statement)}SELECT id, status, substatus, last_seen_ms FROM issues WHERE ${where}`,
    statement.values,
  );
  for (const row of rows) addTo(counts, row, 1);
  const areAll = rows.length <= foundMax;
  if (!areAll) rows.sort((one, other) => other.last_seen_ms - one.last_seen_ms || other.id - one.id);
  return { counts, ids: rows.slice(0, foundMax).map(({ id }) => id), areAll };
}

const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const satisfies readonly Level[];

type HourRow = Record<Level, number> & { readonly hour_ms: number };

export async function listLevelHours(
  db: Db,
  projectIds: readonly number[],
  fromMs: number,
  toMs: number,
  filter: IssueListFilter | null,
): Promise<LevelHour[]> {
  if (projectIds.length === 0) return [];
  if (filter === null) {
    const statement: Statement = { dbms: db.dbms, values: [], sets: [] };
    const rows = await db.all<HourRow>(
      `SELECT hour_ms, ${levelSums(db, sumIn(db, 'error'))} FROM outcomes WHERE project_id IN (${bindList(statement, projectIds)})
       AND hour_ms >= ${bind(statement, fromMs)} AND hour_ms < ${bind(statement, toMs)} AND outcome = 'accepted'
       GROUP BY hour_ms ORDER BY hour_ms`,
      statement.values,
    );
    return rows.map(hourOfRow);
  }
  const hours = await Promise.all(splitFilter(db, filter).map((part) => hoursOf(db, part, fromMs, toMs)));
  return sumHourRows(hours.flat()).map(hourOfRow);
}

/** Issues whose hours one statement sums. */
const partMax = 400;

// PostgreSQL runs several parts in parallel; SQLite would run them one after another.
function splitFilter({ dbms }: Db, filter: IssueListFilter): IssueListFilter[] {
  const { among = [] } = filter;
  if (dbms === 'sqlite' || among.length <= partMax) return [filter];
  const count = Math.ceil(among.length / partMax);
  return Array.from({ length: count }, (_part, index) => ({
    ...filter,
    among: among.filter((_id, at) => at % count === index),
  }));
}

function hoursOf(db: Db, filter: IssueListFilter, fromMs: number, toMs: number): Promise<HourRow[]> {
  const statement: Statement = { dbms: db.dbms, values: [], sets: [] };
  const where = conditionsOf(statement, filter);
  const errorSum = ['events', 'fatal', 'warning', 'info', 'debug'].map((each) => sumIn(db, each)).join(' - ');
  statement.sets.push(
    `meant (id, project_id) AS MATERIALIZED (SELECT issues.id, issues.project_id FROM issues WHERE ${where})`,
    `own (id, project_id) AS MATERIALIZED (SELECT id, project_id FROM meant UNION ALL
       SELECT part.id, part.project_id FROM issues part WHERE part.merged_into IN (SELECT id FROM meant))`,
  );
  return db.all<HourRow>(
    `${withSets(statement)}SELECT hour_ms, ${levelSums(db, errorSum)}
     FROM own CROSS JOIN issue_hours hours
     WHERE hours.project_id = own.project_id AND hours.issue_id = own.id
       AND hour_ms >= ${bind(statement, fromMs)} AND hour_ms < ${bind(statement, toMs)}
     GROUP BY hour_ms`,
    statement.values,
  );
}

/** Sorted here: with ORDER BY, PostgreSQL would sort all hours instead of the sums. */
function sumHourRows(rows: readonly HourRow[]): HourRow[] {
  const byHour = new Map<number, HourRow>();
  for (const row of rows) {
    const sum = byHour.get(row.hour_ms);
    byHour.set(row.hour_ms, sum === undefined ? row : addHourRows(sum, row));
  }
  return [...byHour.values()].sort((one, other) => one.hour_ms - other.hour_ms);
}

function addHourRows(one: HourRow, other: HourRow): HourRow {
  const sums = levels.map((level) => [level, one[level] + other[level]]);
  return { ...one, ...Object.fromEntries(sums) };
}

function levelSums(db: Db, error: string): string {
  return levels
    .map((level) => `CAST(${level === 'error' ? error : sumIn(db, level)} AS BIGINT) AS ${level}`)
    .join(', ');
}

/** PostgreSQL sums BIGINT as NUMERIC, which is slow; floating point is exact up to 2^53. */
function sumIn({ dbms }: Db, column: string): string {
  return dbms === 'postgres' ? `SUM(CAST(${column} AS DOUBLE PRECISION))` : `SUM(${column})`;
}

function hourOfRow({ hour_ms: atMs, fatal, error, warning, info, debug }: HourRow): LevelHour {
  return { atMs, fatal, error, warning, info, debug };
}

/** Sets that the conditions refer to are added to the statement. */
function conditionsOf(statement: Statement, filter: IssueListFilter): string {
  if (filter.among !== undefined) return idsCondition(statement, filter.among);
  const projects = bindList(statement, filter.projectIds);
  const range = rangeOf(statement, filter);
  const conditions = [`issues.project_id IN (${projects})`, 'issues.merged_into IS NULL', seenIn(range)];
  const addIssueSet = (set: string): void => {
    const name = `fit${statement.sets.length}`;
    statement.sets.push(`${name} (id) AS MATERIALIZED (${set})`);
    conditions.push(`(issues.id IN (SELECT id FROM ${name}) OR issues.id IN
      (SELECT part.merged_into FROM issues part WHERE part.merged_into IS NOT NULL AND part.id IN (SELECT id FROM ${name})))`);
  };
  for (const set of factsOf(statement, filter, projects, range)) addIssueSet(set);
  const words = searchConditions(statement, filter.search);
  if (words !== null) {
    addIssueSet(`SELECT issue_id FROM issue_search WHERE project_id IN (${projects}) AND ${words}`);
  }
  conditions.push(...termConditions(statement, filter.terms ?? [], { projects, range }));
  if (filter.assignedTo === 'nobody') {
    conditions.push('issues.assigned_to IS NULL AND issues.assigned_team IS NULL');
  } else if (filter.assignedTo !== undefined) {
    conditions.push(`issues.assigned_to = ${bind(statement, filter.assignedTo)}`);
  }
  return conditions.join(' AND ');
}

function idsCondition(statement: Statement, ids: readonly number[]): string {
  return ids.length === 0
    ? '1 = 0'
    : `issues.id IN (${bindList(statement, ids)}) AND issues.merged_into IS NULL`;
}

function conditionOfTab(tab: IssueTab): string {
  return {
    open: "issues.status = 'unresolved'",
    new: "issues.status = 'unresolved' AND issues.substatus = 'new'",
    regressed: "issues.status = 'unresolved' AND issues.substatus = 'regressed'",
    ignored: "issues.status = 'ignored'",
    resolved: "issues.status = 'resolved'",
    all: '1 = 1',
  }[tab];
}

function rangeOf(statement: Statement, { fromMs, toMs }: IssueListFilter): Range {
  return { from: bind(statement, fromMs), to: toMs === null ? null : bind(statement, toMs) };
}

/** The issue, or one merged into it, has events in the range, to the hour. */
function seenIn(range: Range): string {
  const hours = `SELECT 1 FROM issues part JOIN issue_hours hours ON hours.project_id = part.project_id
      AND hours.issue_id = part.id AND hours.hour_ms >= ${range.from} AND hours.hour_ms < ${range.to}
    WHERE part.id = issues.id OR part.merged_into = issues.id`;
  return within('issues', range, `EXISTS (${hours})`);
}

function factsOf(statement: Statement, filter: IssueListFilter, projects: string, range: Range): string[] {
  const { level, environment, release, tags = [], userHashes } = filter;
  const sets: string[] = [];
  if (level !== undefined) {
    sets.push(levelSet(statement, projects, range, level));
  }
  const equals = (value: string) => {
    const parameter = bind(statement, value);
    return (column: string): string => `${column} = ${parameter}`;
  };
  for (const [tag, value] of tags) sets.push(tagSet(statement, projects, range, tag, equals(value)));
  if (environment !== undefined) sets.push(environmentSet(projects, range, equals(environment)));
  if (release !== undefined) sets.push(releaseSet(projects, range, equals(release)));
  if (userHashes !== undefined) sets.push(userSet(statement, projects, range, userHashes));
  return sets;
}
