// Planned work in SQL: when it is, what it is about, and the incidents that pages show of it. Queries only.
import type { KeptMonitor } from '../../src/core/store/monitors/monitoring.ts';
import type {
  Coverage,
  MaintenanceWindow,
  NewWindow,
  WeeklyWork,
  WindowChange,
  WindowStore,
  WindowTurn,
} from '../../src/core/store/monitors/windows.ts';
import { numberOrNull, ofOwner } from '../columns.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { endWork, moveWork, planWork } from '../incidents/planned.ts';
import { dropIncident } from '../incidents/writing.ts';
import { listsOf } from '../value-lists.ts';

interface WindowRow {
  readonly id: number;
  readonly project_id: number | null;
  readonly title: string;
  readonly message: string;
  readonly covers: string;
  readonly weekly: string | null;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly is_under_way: number;
  readonly due_at_ms: number | null;
  readonly incident_id: number | null;
  readonly version: number;
  readonly created_at_ms: number;
  readonly created_by: string;
}

/** The queries of `WindowStore`. */
export function windowStore(db: Db): WindowStore {
  const one = async (where: string, values: SqlValue[]): Promise<MaintenanceWindow | null> =>
    (await readWindows(db, where, values))[0] ?? null;
  return {
    listWindows: (projectId) =>
      projectId === null ? readWindows(db, '', []) : readWindows(db, 'WHERE project_id = $1', [projectId]),
    findWindow: (id) => one('WHERE id = $1', [id]),
    findWindowOf: (incidentId) => one('WHERE incident_id = $1', [incidentId]),
    async countWindows(projectId) {
      const owner = ofOwner(projectId);
      const toCome = `SELECT COUNT(*) AS count FROM maintenance_windows
        WHERE due_at_ms IS NOT NULL AND ${owner.sql}`;
      const row = await db.get<{ count: number }>(toCome, owner.values);
      return Number(row?.count ?? 0);
    },
    addWindow: (window, affects) => db.write((tx) => addWindow(tx, window, affects)),
    turnWindow: (window, turn) => db.write((tx) => turnWindow(tx, window, turn)),
    deleteWindow: (window, end) =>
      db.write(async (tx) => {
        const { changes } = await tx.run('DELETE FROM maintenance_windows WHERE id = $1 AND version = $2', [
          window.id,
          window.version,
        ]);
        if (changes === 0) return false;
        await take(tx, window, end);
        return true;
      }),
    windowsNow: (nowMs) => readWindows(db, 'WHERE is_under_way = 1 OR due_at_ms <= $1', [nowMs]),
  };
}

async function readWindows(query: Query, where: string, values: SqlValue[]): Promise<MaintenanceWindow[]> {
  const sql = `SELECT * FROM maintenance_windows ${where} ORDER BY id`;
  return (await query.all<WindowRow>(sql, values)).map(windowOf);
}

async function addWindow(
  tx: Query,
  window: NewWindow,
  affects: readonly KeptMonitor[],
): Promise<MaintenanceWindow> {
  const row = await tx.get<WindowRow>(
    `INSERT INTO maintenance_windows (title, message, covers, weekly, from_ms, to_ms, is_under_way, due_at_ms,
       project_id, created_at_ms, created_by, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1) RETURNING *`,
    [...valuesOf(window), window.projectId, window.createdAtMs, window.createdBy],
  );
  if (row === undefined) throw new Error('What was written just now is not there.');
  const made = windowOf(row);
  return { ...made, incidentId: await plan(tx, made, affects, window.createdAtMs) };
}

async function turnWindow(
  tx: Query,
  { id, version }: MaintenanceWindow,
  turn: WindowTurn,
): Promise<MaintenanceWindow | null> {
  const row = await tx.get<WindowRow>(
    `UPDATE maintenance_windows SET title = $1, message = $2, covers = $3, weekly = $4, from_ms = $5,
       to_ms = $6, is_under_way = $7, due_at_ms = $8, version = version + 1
     WHERE id = $9 AND version = $10 RETURNING *`,
    [...valuesOf(turn.change), id, version],
  );
  return row === undefined ? null : take(tx, windowOf(row), turn);
}

/** What a turn changes of incidents and monitors; the window with its incident then. */
async function take(
  tx: Query,
  window: MaintenanceWindow,
  { steps, wakes, atMs }: Pick<WindowTurn, 'steps' | 'wakes' | 'atMs'>,
): Promise<MaintenanceWindow> {
  let { incidentId } = window;
  for (const step of steps) {
    if (step.does === 'plan') {
      incidentId = await plan(tx, window, step.affects, step.atMs);
      continue;
    }
    // Somebody may have deleted it.
    if (incidentId === null) continue;
    if (step.does === 'move') await moveWork(tx, incidentId, window, step.affects);
    else if (step.does === 'end') await endWork(tx, incidentId, step.atMs, step.update);
    else await dropIncident(tx, incidentId);
  }
  for (const list of listsOf(wakes, 2)) {
    // A check that is under way says nothing any more.
    await tx.run(
      `UPDATE monitors SET due_at_ms = $1, version = version + 1
       WHERE id IN (${list.marks}) AND state <> 'paused'`,
      [atMs, ...list.values],
    );
  }
  return { ...window, incidentId };
}

async function plan(
  tx: Query,
  window: MaintenanceWindow,
  affects: readonly KeptMonitor[],
  atMs: number,
): Promise<number> {
  const incidentId = await planWork(tx, window, affects, atMs);
  await tx.run('UPDATE maintenance_windows SET incident_id = $2 WHERE id = $1', [window.id, incidentId]);
  return incidentId;
}

function valuesOf(change: WindowChange): SqlValue[] {
  return [
    change.title,
    change.message,
    JSON.stringify(change.covers),
    change.weekly === null ? null : JSON.stringify(change.weekly),
    change.fromMs,
    change.toMs,
    change.isUnderWay ? 1 : 0,
    change.dueAtMs,
  ];
}

function windowOf(row: WindowRow): MaintenanceWindow {
  return {
    id: Number(row.id),
    projectId: numberOrNull(row.project_id),
    title: row.title,
    message: row.message,
    covers: JSON.parse(row.covers) as Coverage,
    weekly: row.weekly === null ? null : (JSON.parse(row.weekly) as WeeklyWork),
    fromMs: Number(row.from_ms),
    toMs: Number(row.to_ms),
    isUnderWay: Number(row.is_under_way) === 1,
    dueAtMs: numberOrNull(row.due_at_ms),
    incidentId: numberOrNull(row.incident_id),
    version: Number(row.version),
    createdAtMs: Number(row.created_at_ms),
    createdBy: row.created_by,
  };
}
