import { formatTime } from '../../src/core/parsing/timestamps.ts';
import type {
  MaintenanceWindow,
  MaintenanceWindowStore,
  MonitorRecord,
  WindowChange,
  WindowTransition,
} from '../../src/core/store/monitors.ts';
import { signal } from '../alerts/signals.ts';
import type { Db, Query, SqlValue, StoreMethod } from '../db.ts';
import { endMaintenance, moveMaintenance, planMaintenance } from '../incidents/planned.ts';
import { countRows } from '../paging.ts';
import { ownerCondition } from '../table.ts';
import { toValueLists } from '../value-lists.ts';
import { windows } from './rows.ts';

export function windowStore(db: Db): MaintenanceWindowStore {
  const findOne = async (where: string, values: SqlValue[]): Promise<MaintenanceWindow | null> =>
    (await readWindows(db, where, values))[0] ?? null;
  return {
    listWindows: (projectId) =>
      projectId === null ? readWindows(db, '', []) : readWindows(db, 'WHERE project_id = $1', [projectId]),
    findWindow: (id) => findOne('WHERE id = $1', [id]),
    findWindowOf: (incidentId) => findOne('WHERE incident_id = $1', [incidentId]),
    countWindows(projectId) {
      const owner = ownerCondition(projectId);
      const upcoming = `FROM maintenance_windows WHERE due_at_ms IS NOT NULL AND ${owner.sql}`;
      return countRows(db, upcoming, owner.values);
    },
    addWindow: (window, affects) => db.write((tx) => addWindow(tx, window, affects)),
    applyWindowTransition: (window, transition) =>
      db.write((tx) => applyWindowTransition(tx, window, transition)),
    deleteWindow: (window, end) =>
      db.write(async (tx) => {
        const { changes } = await tx.run('DELETE FROM maintenance_windows WHERE id = $1 AND version = $2', [
          window.id,
          window.version,
        ]);
        if (changes === 0) return false;
        if (window.isInProgress) await signalWindow(tx, window, 'maintenance.ended', end.atMs);
        await cancelIncident(tx, window, end);
        return true;
      }),
    windowsNow: (nowMs) => readWindows(db, 'WHERE is_in_progress = 1 OR due_at_ms <= $1', [nowMs]),
  };
}

function readWindows(query: Query, where: string, values: SqlValue[]): Promise<MaintenanceWindow[]> {
  return windows.list(query, `${where} ORDER BY id`, values);
}

const addWindow: StoreMethod<'addWindow'> = async (tx, window, affects) => {
  const inserted = await windows.insertReturning(tx, { ...window, version: 1 });
  const planned = { ...inserted, incidentId: await planIncident(tx, inserted, affects, window.createdAtMs) };
  await signalWindow(tx, planned, 'maintenance.scheduled', window.createdAtMs);
  return planned;
};

const applyWindowTransition: StoreMethod<'applyWindowTransition'> = async (tx, before, turn) => {
  const { id, version } = before;
  const { title, message, covers, weekly, fromMs, toMs, isInProgress, dueAtMs } = turn.change;
  const change: WindowChange = { title, message, covers, weekly, fromMs, toMs, isInProgress, dueAtMs };
  const turned = await windows.updateReturning(tx, change, {
    where: 'id = $1 AND version = $2',
    values: [id, version],
    extraAssignment: 'version = version + 1',
  });
  if (turned === null) return null;
  // A weekly window has its next time and incident by then.
  if (before.isInProgress && !turned.isInProgress)
    await signalWindow(tx, before, 'maintenance.ended', turn.atMs);
  if (!before.isInProgress && turned.isInProgress)
    await signalWindow(tx, turned, 'maintenance.started', turn.atMs);
  return cancelIncident(tx, turned, turn);
};

async function signalWindow(
  tx: Query,
  { id, projectId, incidentId, title, fromMs, toMs }: MaintenanceWindow,
  kind: 'maintenance.scheduled' | 'maintenance.started' | 'maintenance.ended',
  atMs: number,
): Promise<void> {
  const path = incidentId === null ? '/incidents' : `/incidents/${incidentId}`;
  const [from, to] = [fromMs, toMs].map((each) => formatTime(each).slice(0, 16).replace('T', ' '));
  const summary = { title, detail: `${from} to ${to} UTC`, path };
  await signal(tx, { projectId, kind, objectId: id, atMs, summary });
}

async function cancelIncident(
  tx: Query,
  window: MaintenanceWindow,
  { steps, wakes, atMs }: Pick<WindowTransition, 'steps' | 'wakes' | 'atMs'>,
): Promise<MaintenanceWindow> {
  let { incidentId } = window;
  for (const step of steps) {
    if (step.does === 'plan') {
      incidentId = await planIncident(tx, window, step.affects, step.atMs);
      continue;
    }
    // Somebody may have deleted it.
    if (incidentId === null) continue;
    if (step.does === 'move') await moveMaintenance(tx, incidentId, window, step.affects, atMs);
    else await endMaintenance(tx, incidentId, step.atMs, step.update);
  }
  for (const list of toValueLists(wakes, 2)) {
    // The new version makes a check in progress void.
    await tx.run(
      `UPDATE monitors SET due_at_ms = $1, version = version + 1
       WHERE id IN (${list.placeholders}) AND state <> 'paused'`,
      [atMs, ...list.values],
    );
  }
  return { ...window, incidentId };
}

async function planIncident(
  tx: Query,
  window: MaintenanceWindow,
  affects: readonly MonitorRecord[],
  atMs: number,
): Promise<number> {
  const incidentId = await planMaintenance(tx, window, affects, atMs);
  await windows.update(tx, { incidentId }, { where: 'id = $1', values: [window.id] });
  return incidentId;
}
