// What pages look at of monitors: their time by five minutes and by day, and their last checks. Queries only.

import { medianOf, percentileOf } from '../../src/core/reading/percentiles.ts';
import { dayMs } from '../../src/core/reading/spans.ts';
import type { MonitorStore } from '../../src/core/store/monitors/monitoring.ts';
import type { Check, MonitorSlice, MonitorSum } from '../../src/core/store/monitors/monitors.ts';
import { numberOrNull } from '../columns.ts';
import type { Db } from '../db.ts';
import { readLists } from '../value-lists.ts';
import { durationsOf } from './durations.ts';

type LookStore = Pick<MonitorStore, 'monitorDays' | 'monitorSums' | 'monitorSlices' | 'lastChecks'>;

interface SumRow {
  readonly monitor_id: number;
  readonly at_ms: number;
  readonly watched_ms: number;
  readonly down_ms: number;
  readonly degraded_ms: number;
  readonly maintenance_ms: number;
  readonly checks: number;
}

const dayColumns =
  'monitor_id, at_ms, watched_ms, down_ms, degraded_ms, maintenance_ms, checks, median_ms, p95_ms';

/** Reads of days, slices and checks. */
export function lookStore(db: Db): LookStore {
  return {
    async monitorDays(ids, fromMs, toMs) {
      const rows = await readLists(ids, 3, (list) =>
        db.all<SumRow & { readonly median_ms: number | null; readonly p95_ms: number | null }>(
          `SELECT ${dayColumns} FROM monitor_days
           WHERE monitor_id IN (${list.marks}) AND at_ms >= $1 AND at_ms <= $2 ORDER BY monitor_id, at_ms`,
          [fromMs - (fromMs % dayMs), toMs, ...list.values],
        ),
      );
      const days = rows.map((row) => ({
        id: Number(row.monitor_id),
        day: { ...sumOf(row), ...tookOf(row) },
      }));
      const byMonitor = Map.groupBy(days, ({ id }) => id);
      return new Map([...byMonitor].map(([id, own]) => [id, own.map(({ day }) => day)]));
    },
    async monitorSums(ids, { fromMs, toMs }) {
      const rows = await readLists(ids, 3, (list) =>
        db.all<SumRow>(
          `SELECT monitor_id, MIN(at_ms) AS at_ms, SUM(watched_ms) AS watched_ms, SUM(down_ms) AS down_ms,
             SUM(degraded_ms) AS degraded_ms, SUM(maintenance_ms) AS maintenance_ms, SUM(checks) AS checks
           FROM monitor_slices WHERE monitor_id IN (${list.marks}) AND at_ms >= $1 AND at_ms < $2
           GROUP BY monitor_id`,
          [fromMs, toMs, ...list.values],
        ),
      );
      return new Map(rows.map((row) => [Number(row.monitor_id), sumOf(row)]));
    },
    async monitorSlices(monitorId, { fromMs, toMs, stepMs }) {
      const rows = await db.all<SumRow & { readonly durations: string }>(
        `SELECT * FROM monitor_slices WHERE monitor_id = $1 AND at_ms >= $2 AND at_ms < $3 ORDER BY at_ms`,
        [monitorId, fromMs, toMs],
      );
      const byStep = Map.groupBy(
        rows,
        (row) => fromMs + Math.floor((Number(row.at_ms) - fromMs) / stepMs) * stepMs,
      );
      const steps = [...byStep.keys()];
      const count = steps.length === 0 ? 0 : ((steps.at(-1) ?? 0) - (steps[0] ?? 0)) / stepMs + 1;
      // Steps in which nobody watched are there too: a line has a gap in them.
      return Array.from({ length: count }, (_, at) => {
        const atMs = (steps[0] ?? 0) + at * stepMs;
        return together(atMs, byStep.get(atMs) ?? []);
      });
    },
    async lastChecks(monitorId, limit) {
      const rows = await db.all<CheckRow>(
        `SELECT at_ms, result, code, duration_ms, place, message, body FROM monitor_checks
         WHERE monitor_id = $1 ORDER BY at_ms DESC LIMIT $2`,
        [monitorId, limit],
      );
      return rows.map(checkOf);
    },
  };
}

interface CheckRow {
  readonly at_ms: number;
  readonly result: string;
  readonly code: string;
  readonly duration_ms: number | null;
  readonly place: string;
  readonly message: string;
  readonly body: string | null;
}

function checkOf(row: CheckRow): Check {
  return {
    atMs: Number(row.at_ms),
    result: row.result as Check['result'],
    code: row.code,
    durationMs: numberOrNull(row.duration_ms),
    from: row.place,
    message: row.message,
    ...(row.body === null ? {} : { body: row.body }),
  };
}

function sumOf(row: SumRow): MonitorSum {
  return {
    atMs: Number(row.at_ms),
    watchedMs: Number(row.watched_ms),
    downMs: Number(row.down_ms),
    degradedMs: Number(row.degraded_ms),
    maintenanceMs: Number(row.maintenance_ms),
    checks: Number(row.checks),
  };
}

function tookOf({
  median_ms: median,
  p95_ms: p95,
}: {
  readonly median_ms: number | null;
  readonly p95_ms: number | null;
}): Pick<MonitorSlice, 'medianMs' | 'p95Ms'> {
  return { medianMs: numberOrNull(median), p95Ms: numberOrNull(p95) };
}

function together(atMs: number, rows: ReadonlyArray<SumRow & { readonly durations: string }>): MonitorSlice {
  const sum = (read: (of: MonitorSum) => number): number =>
    rows.reduce((of, row) => of + read(sumOf(row)), 0);
  const took = rows.flatMap(({ durations }) => durationsOf(durations));
  return {
    atMs,
    watchedMs: sum(({ watchedMs }) => watchedMs),
    downMs: sum(({ downMs }) => downMs),
    degradedMs: sum(({ degradedMs }) => degradedMs),
    maintenanceMs: sum(({ maintenanceMs }) => maintenanceMs),
    checks: sum(({ checks }) => checks),
    medianMs: medianOf(took),
    p95Ms: percentileOf(took, 0.95),
  };
}
