// Which issues a filter means, in SQL. The texts are ours alone; what was asked for stands in the values.

import type { IssueListFilter, IssueTab } from '../../../src/core/store/issue-pages.ts';
import { searchConditions } from './searching.ts';
import { bind, bindList, type Statement } from './statement.ts';

/** The conditions on `issues` of a filter; the sets that they look into are added to the statement. */
export function conditionsOf(to: Statement, filter: IssueListFilter): string {
  if (filter.among !== undefined) return amongAlone(to, filter.among);
  const projects = bindList(to, filter.projectIds);
  const range = rangeOf(to, filter);
  const conditions = [`issues.project_id IN (${projects})`, 'issues.merged_into IS NULL', seenIn(range)];
  const among = (set: string): void => {
    const name = `fit${to.sets.length}`;
    to.sets.push(`${name} (id) AS MATERIALIZED (${set})`);
    // An issue that was merged into another stands for that one.
    conditions.push(`(issues.id IN (SELECT id FROM ${name}) OR issues.id IN
      (SELECT part.merged_into FROM issues part WHERE part.merged_into IS NOT NULL AND part.id IN (SELECT id FROM ${name})))`);
  };
  for (const set of factsOf(to, filter, projects, range)) among(set);
  const words = searchConditions(to, filter.search);
  if (words !== null) {
    among(`SELECT issue_id FROM issue_search WHERE project_id IN (${projects}) AND ${words}`);
  }
  if (filter.assignedTo === 'nobody') {
    conditions.push('issues.assigned_to IS NULL');
  } else if (filter.assignedTo !== undefined) {
    conditions.push(`issues.assigned_to = ${bind(to, filter.assignedTo)}`);
  }
  return conditions.join(' AND ');
}

function amongAlone(to: Statement, ids: readonly number[]): string {
  return ids.length === 0 ? '1 = 0' : `issues.id IN (${bindList(to, ids)}) AND issues.merged_into IS NULL`;
}

/** What a tab adds. */
export function conditionOfTab(tab: IssueTab): string {
  return {
    open: "issues.status = 'unresolved'",
    new: "issues.status = 'unresolved' AND issues.substatus = 'new'",
    regressed: "issues.status = 'unresolved' AND issues.substatus = 'regressed'",
    ignored: "issues.status = 'ignored'",
    resolved: "issues.status = 'resolved'",
    all: '1 = 1',
  }[tab];
}

interface Range {
  readonly from: string;
  /** Null where it has no end. */
  readonly to: string | null;
}

function rangeOf(to: Statement, { fromMs, toMs }: IssueListFilter): Range {
  return { from: bind(to, fromMs), to: toMs === null ? null : bind(to, toMs) };
}

/** The issue, or one that was merged into it, has events in the range: known by the hour. */
function seenIn(range: Range): string {
  const hours = `SELECT 1 FROM issues part JOIN issue_hours hours ON hours.project_id = part.project_id
      AND hours.issue_id = part.id AND hours.hour_ms >= ${range.from} AND hours.hour_ms < ${range.to}
    WHERE part.id = issues.id OR part.merged_into = issues.id`;
  return within('issues', range, `EXISTS (${hours})`);
}

/**
 * Something with a first and a last sighting was seen in the range: surely where one of the two lies in it;
 * where it lies between them, `between` decides.
 */
function within(table: string, { from, to }: Range, between: string): string {
  const [first, last] = [`${table}.first_seen_ms`, `${table}.last_seen_ms`];
  if (to === null) return `${last} >= ${from}`;
  return `${last} >= ${from} AND ${first} < ${to} AND (${first} >= ${from} OR ${last} < ${to} OR ${between})`;
}

/** For each filter the issues that it means, each by its own id. */
function factsOf(to: Statement, filter: IssueListFilter, projects: string, range: Range): string[] {
  const { level, environment, release, tags = [], userHashes } = filter;
  const sets: string[] = [];
  if (level !== undefined) {
    sets.push(tagSet(to, projects, range, ['level', level], hoursOfLevel(range, level)));
  }
  for (const tag of tags) sets.push(tagSet(to, projects, range, tag, '1 = 1'));
  if (environment !== undefined) sets.push(placeSet(to, projects, range, 'environment', environment));
  if (release !== undefined) sets.push(placeSet(to, projects, range, 'release', release));
  if (userHashes !== undefined) sets.push(userSet(to, projects, range, userHashes));
  return sets;
}

function tagSet(
  to: Statement,
  projects: string,
  range: Range,
  [name, value]: readonly [string, string],
  between: string,
): string {
  return `SELECT issue_id FROM issue_tags WHERE project_id IN (${projects}) AND tag = ${bind(to, name)}
    AND value = ${bind(to, value)} AND ${within('issue_tags', range, between)}`;
}

function hoursOfLevel(range: Range, level: string): string {
  const amount = level === 'error' ? 'events - fatal - warning - info - debug' : level;
  return `EXISTS (SELECT 1 FROM issue_hours WHERE issue_hours.project_id = issue_tags.project_id
    AND issue_hours.issue_id = issue_tags.issue_id AND hour_ms >= ${range.from} AND hour_ms < ${range.to}
    AND ${amount} > 0)`;
}

function placeSet(
  to: Statement,
  projects: string,
  range: Range,
  column: 'environment' | 'release',
  name: string,
): string {
  const value = bind(to, name);
  const events = `EXISTS (SELECT 1 FROM events WHERE events.project_id = issue_releases.project_id
    AND events.issue_id = issue_releases.issue_id AND received_at_ms >= ${range.from}
    AND received_at_ms < ${range.to} AND events.${column} = ${value})`;
  return `SELECT issue_id FROM issue_releases WHERE project_id IN (${projects})
    AND ${column} = ${value} AND ${within('issue_releases', range, events)}`;
}

/** A user has few issues; whether an event of theirs is in the range is asked of those alone. */
function userSet(
  to: Statement,
  projects: string,
  { from, to: until }: Range,
  hashes: readonly string[],
): string {
  if (hashes.length === 0) return 'SELECT id FROM issues WHERE 1 = 0';
  const marks = bindList(to, hashes);
  return `SELECT issue_users.issue_id FROM issue_users
    WHERE issue_users.project_id IN (${projects}) AND issue_users.user_hash IN
      (SELECT user_hash FROM user_keys WHERE project_id IN (${projects}) AND key_hash IN (${marks})
       UNION SELECT user_hash FROM issue_users known WHERE known.user_hash IN (${marks}))
    AND EXISTS (SELECT 1 FROM events WHERE events.project_id = issue_users.project_id
      AND events.issue_id = issue_users.issue_id AND events.user_hash = issue_users.user_hash
      AND received_at_ms >= ${from}${until === null ? '' : ` AND received_at_ms < ${until}`})`;
}
