// Projects: queries only.
import { unauthorized } from '../../src/core/errors.ts';
import { newestGrouping } from '../../src/core/grouping/versions.ts';
import { lateMapsMark, markOfNewProject } from '../../src/core/source-maps/late-runs.ts';
import type { Project, ProjectStore } from '../../src/core/store/projects.ts';
import type { Db, Query } from '../db.ts';
import { raiseKeysVersion } from './settings.ts';

export interface ProjectRow {
  readonly id: number;
  readonly name: string;
  readonly created_at_ms: number;
  readonly grouping_version: string;
  readonly scrub_fields: string;
  readonly store_ip_addresses: number;
  readonly bug_reports: number;
}

/** The queries of `ProjectStore`. */
export function projectStore(db: Db): ProjectStore {
  const find = async (where: string, value: string | number): Promise<Project | null> => {
    const row = await db.get<ProjectRow>(`SELECT * FROM projects WHERE ${where} AND deleted_at_ms IS NULL`, [
      value,
    ]);
    return row === undefined ? null : projectOf(row);
  };
  return {
    async createProject({ name, createdAtMs, bugReports = true }) {
      const row = await db.write(async (tx) => {
        const created = await tx.get<ProjectRow>(
          `INSERT INTO projects (name, created_at_ms, grouping_version, scrub_fields, store_ip_addresses, bug_reports)
           VALUES ($1, $2, $3, '[]', 0, $4) ON CONFLICT (name) DO NOTHING RETURNING *`,
          [name, createdAtMs, newestGrouping, Number(bugReports)],
        );
        if (created === undefined) return undefined;
        await tx.run('INSERT INTO meta (name, value) VALUES ($1, $2)', [
          lateMapsMark(created.id),
          markOfNewProject,
        ]);
        return created;
      });
      if (row === undefined) throw new Error(`There is already a project named "${name}".`);
      return projectOf(row);
    },
    async listProjects() {
      const rows = await db.all<ProjectRow>('SELECT * FROM projects WHERE deleted_at_ms IS NULL ORDER BY id');
      return rows.map(projectOf);
    },
    findProject: (id) => find('id = $1', id),
    findProjectByName: (name) => find('name = $1', name),
    changeProject: (id, change) => changeProject(db, id, change),
  };
}

function changeProject(
  db: Db,
  id: number,
  change: Parameters<ProjectStore['changeProject']>[1],
): Promise<Project | null> {
  return db.write(async (tx) => {
    const row = await tx.get<ProjectRow>(
      `UPDATE projects SET name = COALESCE($2, name), scrub_fields = COALESCE($3, scrub_fields),
         store_ip_addresses = COALESCE($4, store_ip_addresses), bug_reports = COALESCE($5, bug_reports)
       WHERE id = $1 AND deleted_at_ms IS NULL RETURNING *`,
      [
        id,
        change.name ?? null,
        change.scrubFields === undefined ? null : JSON.stringify(change.scrubFields),
        change.storeIpAddresses === undefined ? null : Number(change.storeIpAddresses),
        change.bugReports === undefined ? null : Number(change.bugReports),
      ],
    );
    if (row === undefined) return null;
    await raiseKeysVersion(tx);
    return projectOf(row);
  });
}

/** Whether a project is there and not being deleted: what still comes for one that is, is not kept. */
export async function isLiveProject(query: Pick<Query, 'get'>, projectId: number): Promise<boolean> {
  const row = await query.get('SELECT id FROM projects WHERE id = $1 AND deleted_at_ms IS NULL', [projectId]);
  return row !== undefined;
}

/**
 * Refuses a write for a project that was deleted since its key was looked at: 401, as the next request is
 * told.
 */
export async function requireLiveProject(tx: Query, projectId: number): Promise<void> {
  if (!(await isLiveProject(tx, projectId))) throw unauthorized();
}

/** A project as the rules know it, from its row. */
export function projectOf(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    createdAtMs: row.created_at_ms,
    groupingVersion: row.grouping_version,
    scrubFields: JSON.parse(row.scrub_fields) as string[],
    storeIpAddresses: row.store_ip_addresses === 1,
    bugReports: row.bug_reports === 1,
  };
}
