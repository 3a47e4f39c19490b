import { resymbolicationProgressKey } from '../../src/core/source-maps/resymbolication-scheduler.ts';
import type { DeletingProject, ProjectDeletionStore } from '../../src/core/store/projects.ts';
import type { Db, Query } from '../db.ts';
import { toValueList } from '../value-lists.ts';
import { raiseKeysVersion } from './settings.ts';

/** A table with `project_id`, and the rows removed in one transaction. */
export interface OwnedTable {
  readonly table: string;
  readonly key: readonly string[];
  readonly rowsMax: number;
  /** Tables whose rows are removed before. */
  readonly childTables?: readonly ChildTable[];
}

export interface ChildTable {
  readonly table: string;
  /** The column that refers to the owner's `id`. */
  readonly parentColumn: string;
  readonly key: readonly string[];
  readonly rowsMax: number;
}

const rowsMax = 1000;

/** In this order: a row goes before what it refers to. Hashes first: events in progress then find no issue, and for a
 * new one `requireLiveProject` fails. Of rows with bytes few at once. */
export const ownedTables: readonly OwnedTable[] = [
  { table: 'project_keys', key: ['id'], rowsMax },
  { table: 'member_projects', key: ['project_id', 'member_id'], rowsMax },
  { table: 'team_projects', key: ['project_id', 'team_id'], rowsMax },
  { table: 'reports', key: ['id'], rowsMax: 200 },
  // The reports were rewritten before.
  { table: 'report_projects', key: ['project_id', 'report_id'], rowsMax },
  { table: 'alert_signals', key: ['id'], rowsMax },
  { table: 'pending_notifications', key: ['id'], rowsMax },
  { table: 'active_alerts', key: ['rule_id', 'object'], rowsMax },
  { table: 'alert_action_links', key: ['token_hash'], rowsMax },
  { table: 'alert_deliveries', key: ['id'], rowsMax: 200 },
  {
    table: 'alert_rules',
    key: ['id'],
    rowsMax: 200,
    childTables: [
      { table: 'alert_rule_channels', parentColumn: 'rule_id', key: ['rule_id', 'channel_id'], rowsMax },
    ],
  },
  { table: 'report_schedules', key: ['id'], rowsMax },
  {
    table: 'alert_channels',
    key: ['id'],
    rowsMax: 200,
    childTables: [{ table: 'push_subscriptions', parentColumn: 'channel_id', key: ['id'], rowsMax }],
  },
  {
    table: 'monitors',
    key: ['id'],
    rowsMax: 200,
    childTables: [
      { table: 'monitor_checks', parentColumn: 'monitor_id', key: ['monitor_id', 'at_ms'], rowsMax },
      { table: 'monitor_slices', parentColumn: 'monitor_id', key: ['monitor_id', 'at_ms'], rowsMax },
      { table: 'monitor_days', parentColumn: 'monitor_id', key: ['monitor_id', 'at_ms'], rowsMax },
    ],
  },
  { table: 'maintenance_windows', key: ['id'], rowsMax },
  // Links of workspace incidents to the project.
  { table: 'incident_links', key: ['incident_id', 'side', 'kind', 'object_id'], rowsMax },
  {
    table: 'incidents',
    key: ['id'],
    rowsMax: 200,
    childTables: [
      { table: 'incident_updates', parentColumn: 'incident_id', key: ['id'], rowsMax },
      { table: 'status_announcements', parentColumn: 'incident_id', key: ['id'], rowsMax },
      {
        table: 'incident_links',
        parentColumn: 'incident_id',
        key: ['incident_id', 'side', 'kind', 'object_id'],
        rowsMax,
      },
    ],
  },
  {
    table: 'status_pages',
    key: ['id'],
    rowsMax: 200,
    childTables: [
      { table: 'status_page_hosts', parentColumn: 'page_id', key: ['host'], rowsMax },
      { table: 'status_components', parentColumn: 'page_id', key: ['id'], rowsMax },
      { table: 'status_page_images', parentColumn: 'page_id', key: ['page_id', 'kind'], rowsMax: 10 },
      { table: 'status_deliveries', parentColumn: 'page_id', key: ['id'], rowsMax },
      { table: 'status_messages', parentColumn: 'page_id', key: ['id'], rowsMax },
      { table: 'status_subscribers', parentColumn: 'page_id', key: ['id'], rowsMax },
    ],
  },
  { table: 'issue_hashes', key: ['id'], rowsMax },
  { table: 'domain_checks', key: ['id'], rowsMax },
  { table: 'domain_verifications', key: ['id'], rowsMax },
  { table: 'domains', key: ['id'], rowsMax },
  {
    table: 'feedback',
    key: ['id'],
    rowsMax: 200,
    childTables: [
      {
        table: 'feedback_screenshots',
        parentColumn: 'feedback_id',
        key: ['feedback_id', 'position'],
        rowsMax: 10,
      },
    ],
  },
  { table: 'regroup_issues', key: ['run_id', 'issue_id'], rowsMax },
  { table: 'regroup_runs', key: ['id'], rowsMax },
  { table: 'pending_regroupings', key: ['project_id', 'event_row'], rowsMax },
  { table: 'issue_splits', key: ['id'], rowsMax },
  { table: 'pending_symbolications', key: ['project_id', 'awaited', 'event_row'], rowsMax },
  {
    table: 'events',
    key: ['id'],
    rowsMax: 200,
    childTables: [
      { table: 'event_attachments', parentColumn: 'event_row', key: ['id'], rowsMax: 10 },
      { table: 'event_bodies', parentColumn: 'event_row', key: ['event_row'], rowsMax: 200 },
    ],
  },
  { table: 'issue_users', key: ['project_id', 'issue_id', 'user_hash'], rowsMax },
  { table: 'issue_hours', key: ['project_id', 'issue_id', 'hour_ms'], rowsMax },
  { table: 'issue_releases', key: ['project_id', 'release', 'environment', 'issue_id'], rowsMax },
  { table: 'issue_tags', key: ['project_id', 'issue_id', 'tag', 'value'], rowsMax },
  { table: 'issue_search', key: ['issue_id'], rowsMax: 200 },
  { table: 'user_erasures', key: ['id'], rowsMax },
  { table: 'user_keys', key: ['project_id', 'key_hash', 'user_hash'], rowsMax },
  { table: 'issue_activity', key: ['id'], rowsMax },
  { table: 'issue_comments', key: ['id'], rowsMax },
  { table: 'issue_links', key: ['id'], rowsMax },
  { table: 'project_triage', key: ['project_id'], rowsMax },
  { table: 'bulk_action_steps', key: ['bulk_id', 'issue_id'], rowsMax },
  {
    table: 'issue_merges',
    key: ['id'],
    rowsMax: 200,
    childTables: [
      { table: 'issue_merge_members', parentColumn: 'merge_id', key: ['merge_id', 'issue_id'], rowsMax },
    ],
  },
  { table: 'issues', key: ['id'], rowsMax },
  { table: 'issue_deletions', key: ['issue_id'], rowsMax },
  { table: 'new_issue_hours', key: ['project_id', 'hour_ms'], rowsMax },
  { table: 'new_issue_senders', key: ['project_id', 'hour_ms', 'sender'], rowsMax },
  { table: 'test_results', key: ['upload_id', 'position'], rowsMax },
  { table: 'test_upload_digests', key: ['project_id', 'digest'], rowsMax },
  { table: 'test_uploads', key: ['id'], rowsMax },
  { table: 'test_runs', key: ['id'], rowsMax },
  { table: 'quarantined_cases', key: ['id'], rowsMax },
  { table: 'test_cases', key: ['project_id', 'case_id'], rowsMax },
  { table: 'upload_chunks', key: ['project_id', 'sha1'], rowsMax: 5 },
  { table: 'artifacts', key: ['id'], rowsMax },
  { table: 'artifact_parts', key: ['project_id', 'sha256', 'part'], rowsMax: 50 },
  { table: 'artifact_contents', key: ['project_id', 'sha256'], rowsMax },
  { table: 'deploys', key: ['id'], rowsMax },
  { table: 'releases', key: ['id'], rowsMax },
  { table: 'environments', key: ['project_id', 'name'], rowsMax },
  { table: 'project_usage', key: ['project_id'], rowsMax },
  { table: 'release_health', key: ['project_id', 'release', 'environment', 'hour_ms'], rowsMax },
  { table: 'recent_sessions', key: ['project_id', 'session_id'], rowsMax },
  { table: 'sdk_statistics', key: ['project_id', 'domain', 'sdk_name', 'sdk_version'], rowsMax },
  { table: 'outcomes', key: ['project_id', 'hour_ms', 'outcome', 'reason', 'category'], rowsMax },
];

interface EndingRow {
  readonly id: number;
  readonly deleted_name: string;
}

export function projectDeletionStore(db: Db): ProjectDeletionStore {
  return {
    endProject: (projectId, nowMs) => db.write((tx) => endProject(tx, projectId, nowMs)),
    async listEndingProjects() {
      const rows = await db.all<EndingRow>(
        'SELECT id, deleted_name FROM projects WHERE deleted_at_ms IS NOT NULL ORDER BY id',
      );
      return rows.map(endingOf);
    },
    removeProjectSlice: (projectId) => db.write((tx) => removeSlice(tx, projectId)),
  };
}

/** Names cannot begin with a tilde, so the old name is free. */
async function endProject(tx: Query, projectId: number, nowMs: number): Promise<DeletingProject | null> {
  const row = await tx.get<EndingRow>(
    `UPDATE projects SET deleted_at_ms = $2, deleted_name = name, name = '~' || CAST(id AS TEXT)
     WHERE id = $1 AND deleted_at_ms IS NULL RETURNING id, deleted_name`,
    [projectId, nowMs],
  );
  if (row === undefined) return null;
  await tx.run('DELETE FROM project_keys WHERE project_id = $1', [projectId]);
  await raiseKeysVersion(tx);
  return endingOf(row);
}

async function removeSlice(tx: Query, projectId: number): Promise<{ removed: number; done: boolean }> {
  const project = await tx.get<{ deleted_at_ms: number | null }>(
    'SELECT deleted_at_ms FROM projects WHERE id = $1',
    [projectId],
  );
  if (project === undefined) return { removed: 0, done: true };
  if (project.deleted_at_ms === null)
    throw new Error('Only a project that is marked as deleted can be removed.');
  const rewritten = await removeProjectFromReports(tx, projectId);
  if (rewritten > 0) return { removed: rewritten, done: false };
  for (const ownedTable of ownedTables) {
    const removed = await removeRows(tx, projectId, ownedTable);
    if (removed > 0) return { removed, done: false };
  }
  await tx.run('DELETE FROM meta WHERE name = $1', [resymbolicationProgressKey(projectId)]);
  await tx.run('DELETE FROM projects WHERE id = $1', [projectId]);
  return { removed: 1, done: true };
}

async function removeRows(tx: Query, projectId: number, ownedTable: OwnedTable): Promise<number> {
  const { table, key, childTables = [] } = ownedTable;
  if (childTables.length > 0)
    return removeWithChildren(tx, projectId, table, ownedTable.rowsMax, childTables);
  const columns = key.join(', ');
  const { changes } = await tx.run(
    `DELETE FROM ${table} WHERE (${columns}) IN (SELECT ${columns} FROM ${table} WHERE project_id = $1 LIMIT $2)`,
    [projectId, ownedTable.rowsMax],
  );
  return changes;
}

/** Parts first, a few at once, then their rows. */
async function removeWithChildren(
  tx: Query,
  projectId: number,
  table: string,
  parentsMax: number,
  childTables: readonly ChildTable[],
): Promise<number> {
  const parents = await tx.all<{ id: number }>(`SELECT id FROM ${table} WHERE project_id = $1 LIMIT $2`, [
    projectId,
    parentsMax,
  ]);
  if (parents.length === 0) return 0;
  const list = toValueList(
    parents.map((parent) => parent.id),
    1,
  );
  for (const child of childTables) {
    const columns = child.key.join(', ');
    const { changes } = await tx.run(
      `DELETE FROM ${child.table} WHERE (${columns}) IN
         (SELECT ${columns} FROM ${child.table} WHERE ${child.parentColumn} IN (${list.placeholders}) LIMIT $${list.values.length + 1})`,
      [...list.values, child.rowsMax],
    );
    if (changes > 0) return changes;
  }
  return (await tx.run(`DELETE FROM ${table} WHERE id IN (${list.placeholders})`, list.values)).changes;
}

function endingOf(row: EndingRow): DeletingProject {
  return { id: row.id, name: row.deleted_name };
}

const atOnce = 20;

/** Removes the rows of a project from workspace reports, a few reports at once; returns how many. Totals stay. */
export async function removeProjectFromReports(tx: Query, projectId: number): Promise<number> {
  // Locks them: deleting another project may rewrite the same reports.
  const rows = await tx.all<{ id: number; body: string }>(
    `UPDATE reports SET body = body WHERE id IN
       (SELECT report_id FROM report_projects WHERE project_id = $1 ORDER BY report_id LIMIT $2)
     RETURNING id, body`,
    [projectId, atOnce],
  );
  for (const { id, body } of rows) {
    const remaining = JSON.stringify(withoutProject(JSON.parse(body), projectId));
    await tx.run('UPDATE reports SET body = $2 WHERE id = $1', [id, remaining]);
    await tx.run('DELETE FROM report_projects WHERE project_id = $1 AND report_id = $2', [projectId, id]);
  }
  return rows.length;
}

/** Rows that name the project, in whatever list. */
function withoutProject(body: Record<string, unknown>, projectId: number): Record<string, unknown> {
  const isOther = (row: unknown): boolean => {
    const { project_id: id, project } = row as {
      project_id?: number;
      project?: { project_id?: number } | null;
    };
    return id !== projectId && project?.project_id !== projectId;
  };
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.filter(isOther) : value]),
  );
}
