// Planned work as an incident: what pages show of it, who reads of it, and when it is over. Queries only.
import type { IncidentUpdate } from '../../src/core/store/incidents/incidents.ts';
import type { KeptMonitor } from '../../src/core/store/monitors/monitoring.ts';
import type { MaintenanceWindow } from '../../src/core/store/monitors/windows.ts';
import type { Query } from '../db.ts';
import { listsOf } from '../value-lists.ts';
import { addUpdate } from './writing.ts';

type Work = Pick<MaintenanceWindow, 'projectId' | 'title' | 'message' | 'fromMs' | 'toMs' | 'createdBy'>;

/** Writes it, with what everybody may read of it, and answers its number. */
export async function planWork(
  tx: Query,
  work: Work,
  affects: readonly KeptMonitor[],
  atMs: number,
): Promise<number> {
  const row = await tx.get<{ id: number }>(
    `INSERT INTO incidents (project_id, title, severity, state, opened_by, lead, cause, started_at_ms,
       planned_end_at_ms, is_touched, is_titled, version)
     VALUES ($1, $2, 'planned', 'planned', $3, $3, 'planned work', $4, $5, 1, 1, 1) RETURNING id`,
    [work.projectId, work.title, work.createdBy, work.fromMs, work.toMs],
  );
  const id = Number(row?.id);
  await addUpdate(tx, id, {
    atMs,
    author: work.createdBy,
    isPublic: true,
    body: work.message,
    from: null,
    to: 'planned',
  });
  await addAffected(tx, id, work, affects);
  return id;
}

/** The same work, otherwise than it was. */
export async function moveWork(
  tx: Query,
  id: number,
  work: Work,
  affects: readonly KeptMonitor[],
): Promise<void> {
  const { changes } = await tx.run(
    `UPDATE incidents SET title = $2, started_at_ms = $3, planned_end_at_ms = $4, version = version + 1
     WHERE id = $1`,
    [id, work.title, work.fromMs, work.toMs],
  );
  if (changes === 0) return;
  const first = 'SELECT MIN(id) FROM incident_updates WHERE incident_id = $1';
  await tx.run(`UPDATE incident_updates SET body = $2 WHERE id = (${first})`, [id, work.message]);
  await tx.run(`DELETE FROM incident_links WHERE incident_id = $1 AND side = 'affects'`, [id]);
  await addAffected(tx, id, work, affects);
}

/** It is over. */
export async function endWork(tx: Query, id: number, atMs: number, update: IncidentUpdate): Promise<void> {
  const { changes } = await tx.run(
    `UPDATE incidents SET state = 'resolved', resolved_at_ms = $2, version = version + 1
     WHERE id = $1 AND resolved_at_ms IS NULL`,
    [id, atMs],
  );
  if (changes > 0) await addUpdate(tx, id, update);
}

/** All that it is about, as they are called now: a status page may say of a part what hangs on any. */
async function addAffected(
  tx: Query,
  id: number,
  { createdBy }: Work,
  affects: readonly KeptMonitor[],
): Promise<void> {
  const ids = affects.map((monitor) => monitor.id);
  for (const list of listsOf(ids, 3)) {
    await tx.run(
      `INSERT INTO incident_links (incident_id, side, kind, object_id, project_id, name, why, before_ms,
         linked_by, is_dismissed)
       SELECT $1, 'affects', 'monitor', id, project_id, name, '', NULL, $2, 0 FROM monitors
       WHERE id IN (${list.marks})`,
      [id, createdBy, ...list.values],
    );
  }
}
