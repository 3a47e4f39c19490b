import { updateIncidentOfMonitor } from '../../src/core/incidents/automatic.ts';
import { dayMs } from '../../src/core/parsing/durations.ts';
import type {
  IncidentChange,
  IncidentEffect,
  IncidentLink,
  IncidentRecord,
  IncidentUpdate,
  NewIncident,
} from '../../src/core/store/incidents.ts';
import type { MonitorRecord, MonitorTransition } from '../../src/core/store/monitors.ts';
import type { Query, SqlValue } from '../db.ts';
import { countRows } from '../paging.ts';
import { announceUpdate } from './announcements.ts';
import { incidents, links, readIncidents, updates } from './rows.ts';

/** Check-ins with the public key can open and end incidents as often as anybody likes. */
const jobIncidentsPerDayMax = 50;

export async function applyMonitorTransition(
  tx: Query,
  monitor: MonitorRecord,
  turn: MonitorTransition,
  atMs: number,
): Promise<void> {
  const isOverDailyMax =
    monitor.job !== null &&
    (await countRows(tx, openedLately, [atMs - dayMs, monitor.id])) >= jobIncidentsPerDayMax;
  await applyToIncident(tx, 'monitor_id = $1', [monitor.id], (open) =>
    open === null && isOverDailyMax ? null : updateIncidentOfMonitor(monitor, turn, open, atMs),
  );
}

const openedLately = 'FROM incidents WHERE started_at_ms > $1 AND monitor_id = $2';

/** Applies the effect that `getEffect` returns to the open incident, or opens one; returns its id. */
export async function applyToIncident(
  tx: Query,
  where: string,
  values: readonly SqlValue[],
  getEffect: (open: IncidentRecord | null) => IncidentEffect | null,
): Promise<number | null> {
  for (;;) {
    const [open] = await readIncidents(tx, `WHERE ${where} AND resolved_at_ms IS NULL`, values);
    const effect = getEffect(open ?? null);
    if (effect === null) return null;
    if (effect.does === 'open') return addIncident(tx, effect.incident);
    const { change, update } = effect;
    if (open === undefined) return null;
    if (await writeChange(tx, open, change)) {
      if (update !== null) await addUpdate(tx, open.id, update);
      return open.id;
    }
    // It was changed meanwhile: read again.
  }
}

export async function addIncident(tx: Query, incident: NewIncident): Promise<number> {
  const { ofRule } = incident;
  const { id } = await incidents.insertReturning(tx, {
    ...incident,
    state: 'investigating',
    plannedEndAtMs: null,
    ruleId: ofRule?.ruleId ?? null,
    ruleObject: ofRule?.object ?? null,
    hasCustomTitle: incident.monitorId === null && ofRule === undefined,
    version: 1,
  });
  for (const link of incident.affects) await addLink(tx, id, 'affects', link);
  for (const link of incident.causes ?? []) await addLink(tx, id, 'cause', link);
  await addUpdate(tx, id, incident.update);
  return id;
}

/** False where it is gone or was changed since it was read. */
export async function writeChange(
  tx: Query,
  { id, version }: Pick<IncidentRecord, 'id' | 'version'>,
  change: IncidentChange,
): Promise<boolean> {
  const { title, severity, state, lead, cause, isHandled, postMortem } = change;
  const { acknowledgedAtMs, identifiedAtMs, mitigatedAtMs, resolvedAtMs } = change;
  const plain: Omit<IncidentChange, 'postMortem'> = {
    ...{ title, severity, state, lead, cause, isHandled },
    ...{ acknowledgedAtMs, identifiedAtMs, mitigatedAtMs, resolvedAtMs },
  };
  const written = {
    postMortem: postMortem?.markdown ?? null,
    postMortemBy: postMortem?.author ?? null,
    postMortemAtMs: postMortem?.writtenAtMs ?? null,
    postMortemPublic: postMortem?.isPublic ?? null,
  };
  const changes = await incidents.update(
    tx,
    { ...plain, ...written },
    {
      where: 'id = $1 AND version = $2',
      values: [id, version, title],
      extraAssignment:
        'has_custom_title = CASE WHEN title <> $3 THEN 1 ELSE has_custom_title END, version = version + 1',
    },
  );
  return changes > 0;
}

export async function addUpdate(tx: Query, incidentId: number, update: IncidentUpdate): Promise<void> {
  await updates.insert(tx, { ...update, incidentId });
  await announceUpdate(tx, incidentId, update);
}

/** Replaces a link to the same object. */
export async function addLink(
  tx: Query,
  incidentId: number,
  side: 'affects' | 'cause',
  link: IncidentLink,
): Promise<void> {
  await links.insert(tx, { ...link, incidentId, side }, { onConflict: replaced });
}

const replaced = links.mergeOn({
  key: ['incidentId', 'side', 'kind', 'id'],
  otherwise: 'given',
  rules: { projectId: 'kept', name: 'kept' },
});
