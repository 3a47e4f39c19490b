// Sets of issues by what their events had: level, tags, release, environment, user.
import { bind, bindList, type Statement } from './statement.ts';

export interface Range {
  readonly from: string;
  readonly to: string | null;
}

/** Seen in the range if first or last seen in it; if the range lies between them, `eventInRange` decides. */
export function within(table: string, { from, to }: Range, eventInRange: string): string {
  const [first, last] = [`${table}.first_seen_ms`, `${table}.last_seen_ms`];
  if (to === null) return `${last} >= ${from}`;
  return `${last} >= ${from} AND ${first} < ${to} AND (${first} >= ${from} OR ${last} < ${to} OR ${eventInRange})`;
}

type ConditionOf = (column: string) => string;

function isOpen(range: Range | null): boolean {
  return range === null || range.to === null;
}

function inRange(table: string, range: Range | null, eventInRange: string): string {
  return range === null ? '1 = 1' : within(table, range, eventInRange);
}

export function levelSet(statement: Statement, projects: string, range: Range | null, level: string): string {
  const value = bind(statement, level);
  const eventInRange = range === null ? '' : hoursOfLevel(range, level);
  return `SELECT issue_id FROM issue_tags WHERE project_id IN (${projects}) AND tag = 'level'
    AND value = ${value} AND ${inRange('issue_tags', range, eventInRange)}`;
}

export function tagSet(
  statement: Statement,
  projects: string,
  range: Range | null,
  name: string,
  value: ConditionOf,
): string {
  return `SELECT DISTINCT issue_id FROM issue_tags WHERE project_id IN (${projects}) AND tag = ${bind(statement, name)}
    AND ${value('value')} AND ${inRange('issue_tags', range, '1 = 1')}`;
}

function hoursOfLevel(range: Range, level: string): string {
  const amount = level === 'error' ? 'events - fatal - warning - info - debug' : level;
  return `EXISTS (SELECT 1 FROM issue_hours WHERE issue_hours.project_id = issue_tags.project_id
    AND issue_hours.issue_id = issue_tags.issue_id AND hour_ms >= ${range.from} AND hour_ms < ${range.to}
    AND ${amount} > 0)`;
}

export const releaseSet = issueReleaseSet('release');
export const environmentSet = issueReleaseSet('environment');

function issueReleaseSet(column: 'environment' | 'release') {
  return (projects: string, range: Range | null, value: ConditionOf): string => {
    // Only where it is part of the statement: PostgreSQL refuses a parameter that is not used.
    const eventInRange = (): string =>
      `EXISTS (SELECT 1 FROM events WHERE events.project_id = issue_releases.project_id
      AND events.issue_id = issue_releases.issue_id AND received_at_ms >= ${range?.from}
      AND received_at_ms < ${range?.to} AND ${value(`events.${column}`)})`;
    // PostgreSQL compares row by row what is not in a set too large for a hash table.
    return `SELECT DISTINCT issue_id FROM issue_releases WHERE project_id IN (${projects})
      AND ${value(column)} AND ${inRange('issue_releases', range, isOpen(range) ? '' : eventInRange())}`;
  };
}

/** A user has few issues; only their events are checked for the range. */
export function userSet(
  statement: Statement,
  projects: string,
  range: Range | null,
  hashes: readonly string[],
): string {
  if (hashes.length === 0) return 'SELECT id AS issue_id FROM issues WHERE 1 = 0';
  const placeholders = bindList(statement, hashes);
  const until = range === null || range.to === null ? '' : ` AND received_at_ms < ${range.to}`;
  const seen = `AND EXISTS (SELECT 1 FROM events WHERE events.project_id = issue_users.project_id
      AND events.issue_id = issue_users.issue_id AND events.user_hash = issue_users.user_hash
      AND received_at_ms >= ${range?.from}${until})`;
  return `SELECT issue_users.issue_id AS issue_id FROM issue_users
    WHERE issue_users.project_id IN (${projects}) AND issue_users.user_hash IN
      (SELECT user_hash FROM user_keys WHERE project_id IN (${projects}) AND key_hash IN (${placeholders})
       UNION SELECT user_hash FROM issue_users known WHERE known.user_hash IN (${placeholders}))
    ${range === null ? '' : seen}`;
}
