// Opening and changing incidents, by people and by monitors: queries only.
import { followingOf } from '../../src/core/incidents/following.ts';
import { dayMs } from '../../src/core/reading/spans.ts';
import type { IncidentLink, IncidentUpdate } from '../../src/core/store/incidents/incidents.ts';
import type {
  Following,
  IncidentChange,
  KeptIncident,
  NewIncident,
} from '../../src/core/store/incidents/keeping.ts';
import type { KeptMonitor, MonitorTurn } from '../../src/core/store/monitors/monitoring.ts';
import type { Query, SqlValue } from '../db.ts';
import { readIncidents } from './rows.ts';

/** Whoever has the public key may say that a job fails, and is well again, as often as they like. */
const ofJobADayMax = 50;

/** What a monitor's news changes of the incident that it opened, or opens now, in the news' transaction. */
export async function followTurn(
  tx: Query,
  monitor: KeptMonitor,
  turn: MonitorTurn,
  atMs: number,
): Promise<void> {
  const isMuch = monitor.job !== null && (await openedLately(tx, monitor, atMs)) >= ofJobADayMax;
  await follow(tx, 'monitor_id = $1', [monitor.id], (open) =>
    open === null && isMuch ? null : followingOf(monitor, turn, open, atMs),
  );
}

async function openedLately(tx: Query, { id }: Pick<KeptMonitor, 'id'>, atMs: number): Promise<number> {
  const sql = 'SELECT COUNT(*) AS count FROM incidents WHERE started_at_ms > $1 AND monitor_id = $2';
  return Number((await tx.get<{ count: number }>(sql, [atMs - dayMs, id]))?.count ?? 0);
}

/** Writes what follows for an incident that goes on, or that is not there yet; answers its number. */
export async function follow(
  tx: Query,
  where: string,
  values: readonly SqlValue[],
  followingFrom: (open: KeptIncident | null) => Following | null,
): Promise<number | null> {
  for (;;) {
    const [open] = await readIncidents(tx, `WHERE ${where} AND resolved_at_ms IS NULL`, values);
    const following = followingFrom(open ?? null);
    if (following === null) return null;
    if (following.does === 'open') return addIncident(tx, following.incident);
    const { change, update } = following;
    if (open === undefined) return null;
    if (await writeChange(tx, open, change)) {
      if (update !== null) await addUpdate(tx, open.id, update);
      return open.id;
    }
    // Who sees to it in between changed it: look again.
  }
}

/** Opens one, and answers its number. */
export async function addIncident(tx: Query, incident: NewIncident): Promise<number> {
  const row = await tx.get<{ id: number }>(
    `INSERT INTO incidents (project_id, monitor_id, title, severity, state, opened_by, lead, cause,
       started_at_ms, acknowledged_at_ms, is_touched, rule_id, rule_object, is_titled, version)
     VALUES ($1, $2, $3, $4, 'investigating', $5, $6, $7, $8, $9, $10, $11, $12, $13, 1) RETURNING id`,
    [
      incident.projectId,
      incident.monitorId,
      incident.title,
      incident.severity,
      incident.openedBy,
      incident.lead,
      incident.cause,
      incident.startedAtMs,
      incident.acknowledgedAtMs,
      incident.isTouched ? 1 : 0,
      incident.ofRule?.ruleId ?? null,
      incident.ofRule?.object ?? null,
      incident.monitorId === null && incident.ofRule === undefined ? 1 : 0,
    ],
  );
  const id = Number(row?.id);
  for (const link of incident.affects) await addLink(tx, id, 'affects', link);
  for (const link of incident.causes ?? []) await addLink(tx, id, 'cause', link);
  await addUpdate(tx, id, incident.update);
  return id;
}

/** False, and nothing, where it is gone or was changed since it was read. */
export async function writeChange(
  tx: Query,
  { id, version }: Pick<KeptIncident, 'id' | 'version'>,
  change: IncidentChange,
): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE incidents SET is_titled = CASE WHEN title <> $3 THEN 1 ELSE is_titled END, title = $3,
       severity = $4, state = $5, lead = $6, cause = $7, acknowledged_at_ms = $8, identified_at_ms = $9,
       mended_at_ms = $10, resolved_at_ms = $11, is_touched = $12, post_mortem = $13, post_mortem_by = $14,
       post_mortem_at_ms = $15, post_mortem_public = $16, version = version + 1
     WHERE id = $1 AND version = $2`,
    [
      id,
      version,
      change.title,
      change.severity,
      change.state,
      change.lead,
      change.cause,
      change.acknowledgedAtMs,
      change.identifiedAtMs,
      change.mendedAtMs,
      change.resolvedAtMs,
      change.isTouched ? 1 : 0,
      change.postMortem?.markdown ?? null,
      change.postMortem?.author ?? null,
      change.postMortem?.writtenAtMs ?? null,
      change.postMortem === null ? null : change.postMortem.isPublic ? 1 : 0,
    ],
  );
  return changes > 0;
}

/** Adds what was said. */
export async function addUpdate(tx: Query, incidentId: number, update: IncidentUpdate): Promise<void> {
  await tx.run(
    `INSERT INTO incident_updates (incident_id, at_ms, author, is_public, body, from_state, to_state)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [incidentId, update.atMs, update.author, update.isPublic ? 1 : 0, update.body, update.from, update.to],
  );
}

/** Writes a link in the place of one to the same thing. */
export async function addLink(
  tx: Query,
  incidentId: number,
  side: 'affects' | 'cause',
  link: IncidentLink,
): Promise<void> {
  await tx.run(
    `INSERT INTO incident_links (incident_id, side, kind, object_id, project_id, name, why, before_ms,
       linked_by, is_dismissed)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (incident_id, side, kind, object_id) DO UPDATE SET linked_by = excluded.linked_by,
       is_dismissed = excluded.is_dismissed, why = excluded.why, before_ms = excluded.before_ms`,
    [
      incidentId,
      side,
      link.kind,
      link.id,
      link.projectId,
      link.name,
      link.why,
      link.beforeMs,
      link.linkedBy,
      link.isDismissed ? 1 : 0,
    ],
  );
}

/** Deletes one with all that was said of it. */
export async function dropIncident(tx: Query, id: number): Promise<void> {
  for (const table of ['incident_updates', 'incident_links']) {
    await tx.run(`DELETE FROM ${table} WHERE incident_id = $1`, [id]);
  }
  await tx.run('DELETE FROM incidents WHERE id = $1', [id]);
}
