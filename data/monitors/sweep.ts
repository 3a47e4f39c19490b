// Monitor by monitor: there is no index by time alone, which would be half as large as the checks.
import { setImmediate } from 'node:timers/promises';
import { dayMs } from '../../src/core/parsing/durations.ts';
import type { Db } from '../db.ts';

const keptMs = [
  ['monitor_checks', 2 * dayMs],
  // Pages of 30 days read whole slices: one more day.
  ['monitor_slices', 31 * dayMs],
  ['monitor_days', Number.POSITIVE_INFINITY],
] as const;
const windowsKeptMs = 90 * dayMs;
const rowsAtOnce = 500;

export async function sweepMonitors(db: Db, nowMs: number): Promise<number> {
  const sql = 'DELETE FROM maintenance_windows WHERE due_at_ms IS NULL AND to_ms < $1';
  let removed = (await db.write((tx) => tx.run(sql, [nowMs - windowsKeptMs]))).changes;
  for (const [table, ms] of keptMs) {
    for (let last = 0; ; ) {
      const next = await db.get<{ id: number | null }>(
        `SELECT MIN(monitor_id) AS id FROM ${table} WHERE monitor_id > $1`,
        [last],
      );
      if (next === undefined || next.id === null) break;
      last = Number(next.id);
      const isThere = (await db.get('SELECT 1 AS there FROM monitors WHERE id = $1', [last])) !== undefined;
      const beforeMs = isThere ? nowMs - ms : Number.MAX_SAFE_INTEGER;
      if (beforeMs > 0) removed += await removeBefore(db, table, last, beforeMs);
    }
  }
  return removed;
}

async function removeBefore(db: Db, table: string, monitorId: number, beforeMs: number): Promise<number> {
  const sql = `DELETE FROM ${table} WHERE monitor_id = $1 AND at_ms IN
    (SELECT at_ms FROM ${table} WHERE monitor_id = $1 AND at_ms < $2 ORDER BY at_ms LIMIT $3)`;
  for (let removed = 0; ; await setImmediate()) {
    const { changes } = await db.write((tx) => tx.run(sql, [monitorId, beforeMs, rowsAtOnce]));
    removed += changes;
    if (changes < rowsAtOnce) return removed;
  }
}
