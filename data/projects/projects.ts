import type { InboundFilters } from '../../schemas/inbound-filters.ts';
import { createUnauthorizedError } from '../../src/core/errors.ts';
import { newestGrouping } from '../../src/core/grouping/group-event.ts';
import {
  initialResymbolicationProgress,
  resymbolicationProgressKey,
} from '../../src/core/source-maps/resymbolication-scheduler.ts';
import type { Project, ProjectStore } from '../../src/core/store/projects.ts';
import type { Db, Query } from '../db.ts';
import { defaulted, flag, integer, json, nullable, tableOf, text } from '../table.ts';
import { raiseKeysVersion, settings } from './settings.ts';

export const projects = tableOf('projects', {
  id: defaulted(integer),
  name: text,
  createdAtMs: integer,
  groupingVersion: text,
  scrubFields: json<readonly string[]>(),
  storeIpAddresses: flag,
  deletedAtMs: defaulted(nullable(integer)),
  deletedName: defaulted(nullable(text)),
  bugReports: flag,
  inboundFilters: defaulted(nullable(json<InboundFilters>())),
}).without('deletedAtMs', 'deletedName');

export function projectStore(db: Db): ProjectStore {
  const find = (where: string, value: string | number): Promise<Project | null> =>
    projects.find(db, `WHERE ${where} AND deleted_at_ms IS NULL`, [value]);
  return {
    async createProject({ name, createdAtMs, bugReports = true }) {
      const project = await db.write(async (tx) => {
        const row = { name, createdAtMs, groupingVersion: newestGrouping, bugReports };
        const created = await projects.insertReturning(
          tx,
          { ...row, scrubFields: [], storeIpAddresses: false },
          { onConflict: '(name) DO NOTHING' },
        );
        if (created === null) return null;
        await settings.insert(tx, {
          name: resymbolicationProgressKey(created.id),
          value: initialResymbolicationProgress,
        });
        return created;
      });
      if (project === null) throw new Error(`There is already a project named "${name}".`);
      return project;
    },
    listProjects: () => projects.list(db, 'WHERE deleted_at_ms IS NULL ORDER BY id'),
    findProject: (id) => find('id = $1', id),
    findProjectByName: (name) => find('name = $1', name),
    changeProject: (id, change) =>
      db.write(async (tx) => {
        const live = { where: 'id = $1 AND deleted_at_ms IS NULL', values: [id] };
        const project = await projects.updateReturning(tx, change, live);
        if (project !== null) await raiseKeysVersion(tx);
        return project;
      }),
  };
}

/** False also while it is being deleted. */
export async function isLiveProject(query: Pick<Query, 'get'>, projectId: number): Promise<boolean> {
  const row = await query.get('SELECT id FROM projects WHERE id = $1 AND deleted_at_ms IS NULL', [projectId]);
  return row !== undefined;
}

/** @throws 401 for a project that was deleted after its key was checked. */
export async function requireLiveProject(tx: Query, projectId: number): Promise<void> {
  if (!(await isLiveProject(tx, projectId))) throw createUnauthorizedError();
}
