// What a monitor measured over a long time, written at once. Queries only.
import type { MonitorHistory, MonitorStore } from '../../src/core/store/monitors/monitoring.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { portionsOf } from '../value-lists.ts';

/** The queries of a history. */
export function historyStore(db: Db): Pick<MonitorStore, 'addMonitorHistory'> {
  return {
    addMonitorHistory: (monitorId, history) =>
      db.write(async (tx) => {
        await replace(tx, monitorId, 'monitor_slices', history.slices, (row) => ({
          ...spent(row),
          durations: row.durations.map((ms) => `${ms} `).join(''),
        }));
        await replace(tx, monitorId, 'monitor_days', history.days, (row) => ({
          ...spent(row),
          median_ms: row.medianMs,
          p95_ms: row.p95Ms,
        }));
        await replace(tx, monitorId, 'monitor_checks', history.checks, (row) => ({
          at_ms: row.atMs,
          result: row.result,
          code: row.code,
          duration_ms: row.durationMs,
          place: row.from,
          message: row.message,
        }));
      }),
  };
}

function spent(row: MonitorHistory['slices'][number] | MonitorHistory['days'][number]) {
  return {
    at_ms: row.atMs,
    watched_ms: row.watchedMs,
    down_ms: row.downMs,
    degraded_ms: row.degradedMs,
    maintenance_ms: row.maintenanceMs,
    checks: row.checks,
  };
}

async function replace<Row>(
  tx: Query,
  monitorId: number,
  table: 'monitor_slices' | 'monitor_days' | 'monitor_checks',
  rows: readonly Row[],
  columnsOf: (row: Row) => Readonly<Record<string, SqlValue>>,
): Promise<void> {
  await tx.run(`DELETE FROM ${table} WHERE monitor_id = $1`, [monitorId]);
  for (const portion of portionsOf(rows.map(columnsOf))) {
    const names = ['monitor_id', ...Object.keys(portion[0] ?? {})];
    const values: SqlValue[] = [];
    const marks = portion.map((row) => {
      values.push(monitorId, ...Object.values(row));
      return `(${names.map((_, at) => `$${values.length - names.length + at + 1}`).join(', ')})`;
    });
    await tx.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES ${marks.join(', ')}`, values);
  }
}
