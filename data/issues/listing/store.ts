import {
  type FilterNames,
  type IssueTagValue,
  listedPayloadBytesMax,
} from '../../../src/core/store/issue-queries.ts';
import { overLimitName } from '../../../src/core/store/projects.ts';
import { storePart } from '../../db.ts';
import { readPayload } from '../../event-bodies.ts';
import { toValueList } from '../../value-lists.ts';
import { groupOf, groupsOf } from '../group.ts';
import { countWorkspaceIssues, findWorkspaceIssues, listLevelHours, listWorkspaceIssues } from './lists.ts';

const releasesShown = 50;

export const issueListStore = storePart({
  listWorkspaceIssues,
  findWorkspaceIssues,
  countWorkspaceIssues,
  listLevelHours,
  async listNewestPayloads(db, issueIds) {
    if (issueIds.length === 0) return new Map();
    const { placeholders, values } = toValueList(issueIds, 2);
    // Of each merged part the newest by the index; the newest of all parts is the last to be set.
    const rows = await db.all<{ issueId: number; body: Uint8Array; sha256: Uint8Array }>(
      `SELECT own.head_id AS "issueId", bodies.body, bodies.body_sha256 AS sha256
       FROM (${groupsOf(placeholders)}) AS own
         JOIN events ON events.id = (SELECT newest.id FROM events newest
           WHERE newest.project_id = own.project_id AND newest.issue_id = own.id
           ORDER BY newest.received_at_ms DESC, newest.id DESC LIMIT 1)
         JOIN event_bodies bodies ON bodies.event_row = events.id AND LENGTH(bodies.body) <= $1
       ORDER BY events.received_at_ms, events.id`,
      [listedPayloadBytesMax, ...values],
    );
    const newest = new Map(rows.map((row) => [row.issueId, row]));
    const payloads = [...newest].map(([id, row]) => [id, readPayload(row)] as const);
    return new Map(payloads.filter((each): each is readonly [number, string] => each[1] !== null));
  },
  async listRegressedIn(db, issueIds) {
    if (issueIds.length === 0) return new Map();
    const list = toValueList(issueIds, 1);
    const rows = await db.all<{ issue_id: number; release: string }>(
      `SELECT issue_id, release FROM issue_activity WHERE release IS NOT NULL AND id IN
         (SELECT MAX(told.id) FROM issues JOIN issue_activity told
            ON told.project_id = issues.project_id AND told.issue_id = issues.id AND told.kind = 'regressed'
          WHERE issues.id IN (${list.placeholders}) GROUP BY told.issue_id)`,
      list.values,
    );
    return new Map(rows.map((row) => [row.issue_id, row.release]));
  },
  /** Environment and release come from issue_releases, other tags from issue_tags. */
  async listIssueTags(db, projectId, issueId) {
    // CROSS JOIN makes SQLite begin with the few issues.
    const group = `(${groupOf('$1', '$2')}) AS own CROSS JOIN`;
    const sums = `CAST(SUM(events) AS BIGINT) AS events, MIN(first_seen_ms) AS "firstSeenMs",
      MAX(last_seen_ms) AS "lastSeenMs"`;
    const selectTag = (column: string): string =>
      `SELECT '${column}' AS tag, ${column} AS value, ${sums} FROM ${group} issue_releases
       WHERE issue_id = own.id AND ${column} <> '' GROUP BY ${column}`;
    const rows = await db.all<IssueTagValue>(
      `SELECT tag, value, events, "firstSeenMs", "lastSeenMs" FROM (
         SELECT tag, value, ${sums} FROM ${group} issue_tags WHERE project_id = $1 AND issue_id = own.id GROUP BY tag, value
         UNION ALL ${selectTag('environment')} UNION ALL ${selectTag('release')}) AS counted
       ORDER BY tag, events DESC, value`,
      [projectId, issueId],
    );
    return [...Map.groupBy(rows, (row) => row.tag)].flatMap(([tag, values]) => bounded(tag, values));
  },
  async listFilterNames(db, projectIds) {
    if (projectIds.length === 0) return { environments: [], releases: [] };
    const list = toValueList(projectIds, 1);
    const environments = await db.all<{ name: string }>(
      `SELECT DISTINCT name FROM environments WHERE project_id IN (${list.placeholders}) ORDER BY name`,
      list.values,
    );
    const releases = await db.all<FilterNames['releases'][number]>(
      `SELECT project_id AS "projectId", version, created_at_ms AS "createdAtMs" FROM releases WHERE project_id IN (${list.placeholders})
       ORDER BY created_at_ms DESC, id DESC LIMIT $${list.values.length + 1}`,
      [...list.values, releasesShown],
    );
    return { environments: environments.map(({ name }) => name), releases };
  },
});

const valuesShown = 100;

/** Merged issues may have more values than each alone: the rarest are joined as other. */
function bounded(tag: string, rows: readonly IssueTagValue[]): IssueTagValue[] {
  const named = rows.filter((row) => row.value !== overLimitName);
  const shown = named.slice(0, valuesShown);
  const others = [...named.slice(valuesShown), ...rows.filter((row) => row.value === overLimitName)];
  return others.length === 0 ? shown : [...shown, joined(tag, others)];
}

function joined(tag: string, rows: readonly IssueTagValue[]): IssueTagValue {
  return {
    tag,
    value: overLimitName,
    events: rows.reduce((sum, row) => sum + row.events, 0),
    firstSeenMs: Math.min(...rows.map((row) => row.firstSeenMs)),
    lastSeenMs: Math.max(...rows.map((row) => row.lastSeenMs)),
  };
}
