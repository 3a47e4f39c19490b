// Monitors in SQL: what is watched, and how it stands. Queries only.

import { medianOf, percentileOf } from '../../src/core/reading/percentiles.ts';
import { dayMs } from '../../src/core/reading/spans.ts';
import type { JobName } from '../../src/core/store/monitors/cron.ts';
import type {
  KeptMonitor,
  MonitorChange,
  MonitorHistory,
  MonitorStore,
  NewMonitor,
} from '../../src/core/store/monitors/monitoring.ts';
import type { Check, MonitorSlice, MonitorSum } from '../../src/core/store/monitors/monitors.ts';
import { numberOrNull, ofOwner } from '../columns.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { portionsOf, readLists } from '../value-lists.ts';
import { checkingStore } from './checking.ts';
import { durationsOf } from './durations.ts';
import { type MonitorRow, monitorOf, runsText, suspicionText } from './rows.ts';

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

/** The queries of `MonitorStore`. */
export function monitorStore(db: Db): MonitorStore {
  return {
    ...lookStore(db),
    ...checkingStore(db),
    ...historyStore(db),
    listMonitors: () => readMonitors(db, '', []),
    findMonitor: async (slug) => (await readMonitors(db, 'WHERE slug = $1', [slug]))[0] ?? null,
    addMonitor: (monitor) => db.write((tx) => addMonitor(tx, monitor)),
    async countMonitors(projectId) {
      const owner = ofOwner(projectId);
      const row = await db.get<{ count: number }>(
        `SELECT COUNT(*) AS count FROM monitors WHERE ${owner.sql}`,
        owner.values,
      );
      return Number(row?.count ?? 0);
    },
    listKeptMonitors: (projectId) =>
      projectId === null ? readMonitors(db, '', []) : readMonitors(db, 'WHERE project_id = $1', [projectId]),
    findKeptMonitor: (id) => findMonitor(db, id),
    findMonitorByToken: async (hash) => (await readMonitors(db, 'WHERE token_hash = $1', [hash]))[0] ?? null,
    findJob: (projectId, job) => findJob(db, projectId, job),
    async countJobs(projectId, sender) {
      const row = await db.get<{ everything: number; of_sender: number }>(
        `SELECT COUNT(*) AS everything, COUNT(CASE WHEN sender = $2 THEN 1 END) AS of_sender
         FROM monitors WHERE project_id = $1 AND sender IS NOT NULL`,
        [projectId, sender],
      );
      return { all: Number(row?.everything ?? 0), ofSender: Number(row?.of_sender ?? 0) };
    },
    changeMonitor: (monitor, change) => db.write((tx) => changeMonitor(tx, monitor, change)),
    changeMonitorToken: (id, hash) =>
      db.write(async (tx) => {
        await tx.run('UPDATE monitors SET token_hash = $2 WHERE id = $1', [id, hash]);
      }),
    deleteMonitor: (id) =>
      db.write(async (tx) => {
        const there = await findMonitor(tx, id);
        if (there !== null) await tx.run('DELETE FROM monitors WHERE id = $1', [id]);
        return there;
      }),
  };
}

async function readMonitors(query: Query, where: string, values: SqlValue[]): Promise<KeptMonitor[]> {
  return (await query.all<MonitorRow>(`SELECT * FROM monitors ${where} ORDER BY id`, values)).map(monitorOf);
}

async function findMonitor(query: Query, id: number): Promise<KeptMonitor | null> {
  return (await readMonitors(query, 'WHERE id = $1', [id]))[0] ?? null;
}

async function findJob(
  query: Query,
  projectId: number | null,
  { slug, environment }: JobName,
): Promise<KeptMonitor | null> {
  const where = 'WHERE project_id = $1 AND check_in_slug = $2 AND environment = $3';
  return (await readMonitors(query, where, [projectId, slug, environment]))[0] ?? null;
}

/** Ends before long: there are fewer monitors than numbers. */
async function addMonitor(tx: Query, monitor: NewMonitor): Promise<KeptMonitor> {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? monitor.slug : `${monitor.slug}-${number}`;
    const row = await tx.get<MonitorRow>(
      `INSERT INTO monitors (project_id, slug, name, type, target, expects, terms, group_name, tags, goal,
         interval_ms, timeout_ms, state, state_since_ms, reason, counted_to_ms, due_at_ms, version,
         created_at_ms, created_by, token_hash, check_in_slug, environment, runs, sender)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'pending', $13, '', $13, $15, 1, $13, $14,
         $16, $17, $18, $19, $20)
       ON CONFLICT DO NOTHING RETURNING *`,
      [
        monitor.projectId,
        slug,
        monitor.name,
        monitor.type,
        monitor.target,
        monitor.expects,
        JSON.stringify(monitor.terms),
        monitor.group,
        JSON.stringify(monitor.tags),
        monitor.goal,
        monitor.intervalMs,
        monitor.timeoutMs,
        monitor.createdAtMs,
        monitor.createdBy,
        monitor.nextCheckAtMs,
        monitor.tokenHash,
        monitor.job?.slug ?? null,
        monitor.job?.environment ?? null,
        runsText(monitor.runs),
        monitor.sender,
      ],
    );
    if (row !== undefined) return monitorOf(row);
    const same = monitor.job === null ? null : await findJob(tx, monitor.projectId, monitor.job);
    if (same !== null) return same;
  }
}

async function changeMonitor(
  tx: Query,
  { id, version }: KeptMonitor,
  change: MonitorChange,
): Promise<KeptMonitor | null> {
  const row = await tx.get<MonitorRow>(
    `UPDATE monitors SET name = $3, target = $4, expects = $5, terms = $6, group_name = $7, tags = $8, goal = $9,
       interval_ms = $10, timeout_ms = $11, state = $12, state_since_ms = $13, state_until_ms = $14, reason = $15,
       suspicion = $16, due_at_ms = $17, runs = $18, version = version + 1
     WHERE id = $1 AND version = $2 RETURNING *`,
    [
      id,
      version,
      change.name,
      change.target,
      change.expects,
      JSON.stringify(change.terms),
      change.group,
      JSON.stringify(change.tags),
      change.goal,
      change.intervalMs,
      change.timeoutMs,
      change.state,
      change.stateSinceMs,
      change.stateUntilMs,
      change.reason,
      suspicionText(change.suspicion),
      change.nextCheckAtMs,
      runsText(change.runs),
    ],
  );
  return row === undefined ? null : monitorOf(row);
}

/** The queries of a history. */
function historyStore(db: Db): Pick<MonitorStore, 'addMonitorHistory'> {
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

/** Reads of days, slices and checks. */
function lookStore(db: Db): LookStore {
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
