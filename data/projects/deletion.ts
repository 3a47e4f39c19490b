import { resymbolicationProgressKey } from '../../src/core/source-maps/resymbolication-scheduler.ts';
import type { DeletingProject } from '../../src/core/store/projects.ts';
import { type Query, storePart } from '../db.ts';
import { deleteRows } from '../table.ts';
import { toValueList } from '../value-lists.ts';
import { raiseKeysVersion } from './settings.ts';

/** A table with `project_id`. `rowsMax`: rows removed in one transaction. */
export interface OwnedTable {
  readonly table: string;
  readonly key: string;
  readonly rowsMax: number;
  /** Tables whose rows are removed before. */
  readonly childTables: readonly ChildTable[];
}

/** `parentColumn` refers to the owner's `id`. */
export interface ChildTable extends Omit<OwnedTable, 'childTables'> {
  readonly parentColumn: string;
}

const rowsMax = 1000;

function owned(
  table: string,
  key = 'id',
  max = rowsMax,
  childTables: readonly ChildTable[] = [],
): OwnedTable {
  return { table, key, rowsMax: max, childTables };
}

function child(table: string, parentColumn: string, key = 'id', max = rowsMax): ChildTable {
  return { table, parentColumn, key, rowsMax: max };
}

/** In this order: a row goes before what it refers to. Hashes first: events in progress then find no issue, and for a
 * new one `requireLiveProject` fails. Of rows with bytes few at once. */
export const ownedTables: readonly OwnedTable[] = [
  owned('project_keys'),
  owned('member_projects', 'project_id, member_id'),
  owned('team_projects', 'project_id, team_id'),
  owned('reports', 'id', 200),
  // The reports were rewritten before.
  owned('report_projects', 'project_id, report_id'),
  owned('alert_signals'),
  owned('pending_notifications'),
  owned('active_alerts', 'rule_id, object'),
  owned('alert_action_links', 'token_hash'),
  owned('alert_deliveries', 'id', 200),
  owned('alert_rules', 'id', 200, [child('alert_rule_channels', 'rule_id', 'rule_id, channel_id')]),
  owned('report_schedules'),
  owned('alert_channels', 'id', 200, [child('push_subscriptions', 'channel_id')]),
  owned('monitors', 'id', 200, [
    child('monitor_checks', 'monitor_id', 'monitor_id, at_ms'),
    child('monitor_slices', 'monitor_id', 'monitor_id, at_ms'),
    child('monitor_days', 'monitor_id', 'monitor_id, at_ms'),
  ]),
  owned('maintenance_windows'),
  // Links of workspace incidents to the project.
  owned('incident_links', 'incident_id, side, kind, object_id'),
  owned('incidents', 'id', 200, [
    child('incident_updates', 'incident_id'),
    child('status_announcements', 'incident_id'),
    child('incident_links', 'incident_id', 'incident_id, side, kind, object_id'),
  ]),
  owned('status_pages', 'id', 200, [
    child('status_page_hosts', 'page_id', 'host'),
    child('status_components', 'page_id'),
    child('status_page_images', 'page_id', 'page_id, kind', 10),
    child('status_deliveries', 'page_id'),
    child('status_messages', 'page_id'),
    child('status_subscribers', 'page_id'),
  ]),
  owned('issue_hashes'),
  owned('domain_checks'),
  owned('domain_verifications'),
  owned('domains'),
  owned('feedback', 'id', 200, [child('feedback_screenshots', 'feedback_id', 'feedback_id, position', 10)]),
  owned('regroup_issues', 'run_id, issue_id'),
  owned('regroup_runs'),
  owned('pending_regroupings', 'project_id, event_row'),
  owned('issue_splits'),
  owned('pending_symbolications', 'project_id, awaited, event_row'),
  owned('events', 'id', 200, [
    child('event_attachments', 'event_row', 'id', 10),
    child('event_bodies', 'event_row', 'event_row', 200),
  ]),
  owned('issue_users', 'project_id, issue_id, user_hash'),
  owned('issue_hours', 'project_id, issue_id, hour_ms'),
  owned('issue_releases', 'project_id, release, environment, issue_id'),
  owned('issue_tags', 'project_id, issue_id, tag, value'),
  owned('issue_search', 'issue_id', 200),
  owned('user_erasures'),
  owned('user_keys', 'project_id, key_hash, user_hash'),
  owned('issue_activity'),
  owned('issue_comments'),
  owned('issue_links'),
  owned('project_triage', 'project_id'),
  owned('bulk_action_steps', 'bulk_id, issue_id'),
  owned('issue_merges', 'id', 200, [child('issue_merge_members', 'merge_id', 'merge_id, issue_id')]),
  owned('issues'),
  owned('issue_deletions', 'issue_id'),
  owned('new_issue_hours', 'project_id, hour_ms'),
  owned('new_issue_senders', 'project_id, hour_ms, sender'),
  owned('test_results', 'upload_id, position'),
  owned('test_upload_digests', 'project_id, digest'),
  owned('test_uploads'),
  owned('test_runs'),
  owned('quarantined_cases'),
  owned('test_cases', 'project_id, case_id'),
  owned('upload_chunks', 'project_id, sha1', 5),
  owned('artifacts'),
  owned('artifact_parts', 'project_id, sha256, part', 50),
  owned('artifact_contents', 'project_id, sha256'),
  owned('deploys'),
  owned('releases'),
  owned('environments', 'project_id, name'),
  owned('project_usage', 'project_id'),
  owned('release_health', 'project_id, release, environment, hour_ms'),
  owned('recent_sessions', 'project_id, session_id'),
  owned('sdk_statistics', 'project_id, domain, sdk_name, sdk_version'),
  owned('outcomes', 'project_id, hour_ms, outcome, reason, category'),
];

export const projectDeletionStore = storePart(
  {
    listEndingProjects: (db) =>
      db.all('SELECT id, deleted_name AS name FROM projects WHERE deleted_at_ms IS NOT NULL ORDER BY id'),
  },
  {
    /** Names cannot begin with a tilde, so the old name is free. */
    async endProject(tx, projectId, nowMs) {
      const row = await tx.get<DeletingProject>(
        `UPDATE projects SET deleted_at_ms = $2, deleted_name = name, name = '~' || CAST(id AS TEXT)
         WHERE id = $1 AND deleted_at_ms IS NULL RETURNING id, deleted_name AS name`,
        [projectId, nowMs],
      );
      if (row === undefined) return null;
      await tx.run('DELETE FROM project_keys WHERE project_id = $1', [projectId]);
      await raiseKeysVersion(tx);
      return row;
    },
    async removeProjectSlice(tx, projectId) {
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
    },
  },
);

/** Parts first, a few at once, then their rows. */
async function removeRows(tx: Query, projectId: number, ownedTable: OwnedTable): Promise<number> {
  const { table, childTables } = ownedTable;
  if (childTables.length === 0) {
    return deleteRows(tx, ownedTable, { where: 'project_id = $1', values: [projectId] });
  }
  const parents = await tx.all<{ id: number }>(`SELECT id FROM ${table} WHERE project_id = $1 LIMIT $2`, [
    projectId,
    ownedTable.rowsMax,
  ]);
  if (parents.length === 0) return 0;
  const ids = parents.map(({ id }) => id);
  const { placeholders, values } = toValueList(ids, 1);
  for (const part of childTables) {
    const where = `${part.parentColumn} IN (${placeholders})`;
    const removed = await deleteRows(tx, part, { where, values });
    if (removed > 0) return removed;
  }
  return (await tx.run(`DELETE FROM ${table} WHERE id IN (${placeholders})`, values)).changes;
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
