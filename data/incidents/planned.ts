// Maintenance windows as incidents on status pages.
import type { IncidentUpdate } from '../../src/core/store/incidents.ts';
import type { MaintenanceWindow, MonitorRecord } from '../../src/core/store/monitors.ts';
import type { Query } from '../db.ts';
import { readInLists } from '../value-lists.ts';
import { announceBegin, announceMove, cancelBegin } from './announcements.ts';
import { incidents, links, updates } from './rows.ts';
import { addUpdate } from './writing.ts';

type PlannedWork = Pick<
  MaintenanceWindow,
  'projectId' | 'title' | 'message' | 'fromMs' | 'toMs' | 'createdBy'
>;

export async function planMaintenance(
  tx: Query,
  work: PlannedWork,
  affects: readonly MonitorRecord[],
  atMs: number,
): Promise<number> {
  const { id } = await incidents.insertReturning(tx, {
    projectId: work.projectId,
    monitorId: null,
    title: work.title,
    severity: 'planned',
    state: 'planned',
    openedBy: work.createdBy,
    lead: work.createdBy,
    cause: 'planned work',
    startedAtMs: work.fromMs,
    acknowledgedAtMs: null,
    isHandled: true,
    version: 1,
    plannedEndAtMs: work.toMs,
    ruleId: null,
    ruleObject: null,
    hasCustomTitle: true,
  });
  await addUpdate(tx, id, {
    atMs,
    author: work.createdBy,
    isPublic: true,
    body: work.message,
    from: null,
    to: 'planned',
  });
  await addAffected(tx, id, work, affects);
  await announceBegin(tx, id, work);
  return id;
}

export async function moveMaintenance(
  tx: Query,
  id: number,
  work: PlannedWork,
  affects: readonly MonitorRecord[],
  atMs: number,
): Promise<void> {
  const { title, fromMs: startedAtMs, toMs: plannedEndAtMs } = work;
  const times = [startedAtMs, plannedEndAtMs];
  const isSameTime =
    (await incidents.find(tx, 'WHERE id = $3 AND started_at_ms = $1 AND planned_end_at_ms = $2', [
      ...times,
      id,
    ])) !== null;
  const changes = await incidents.update(
    tx,
    { title, startedAtMs, plannedEndAtMs },
    { where: 'id = $1', values: [id], extraAssignment: 'version = version + 1' },
  );
  if (changes === 0) return;
  const first = 'SELECT MIN(id) FROM incident_updates WHERE incident_id = $1';
  await updates.update(tx, { body: work.message }, { where: `id = (${first})`, values: [id] });
  await tx.run(`DELETE FROM incident_links WHERE incident_id = $1 AND side = 'affects'`, [id]);
  await addAffected(tx, id, work, affects);
  await announceMove(tx, id, work, { atMs, isSameTime });
}

export async function endMaintenance(
  tx: Query,
  id: number,
  atMs: number,
  update: IncidentUpdate,
): Promise<void> {
  const changes = await incidents.update(
    tx,
    { state: 'resolved', resolvedAtMs: atMs },
    { where: 'id = $1 AND resolved_at_ms IS NULL', values: [id], extraAssignment: 'version = version + 1' },
  );
  if (changes === 0) return;
  await cancelBegin(tx, id);
  await addUpdate(tx, id, update);
}

async function addAffected(
  tx: Query,
  id: number,
  { createdBy }: PlannedWork,
  affects: readonly MonitorRecord[],
): Promise<void> {
  const ids = affects.map((monitor) => monitor.id);
  const existing = await readInLists(ids, 1, (list) =>
    tx.all<{ id: number; projectId: number | null; name: string }>(
      `SELECT id, project_id AS "projectId", name FROM monitors WHERE id IN (${list.placeholders})`,
      list.values,
    ),
  );
  const link = { incidentId: id, side: 'affects', kind: 'monitor', why: '', beforeMs: null } as const;
  const rows = existing.map((monitor) => ({ ...monitor, ...link, linkedBy: createdBy, isDismissed: false }));
  await links.insertMany(tx, rows);
}
