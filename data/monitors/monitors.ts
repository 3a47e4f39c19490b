import { dayMs } from '../../src/core/parsing/durations.ts';
import { medianOf, percentileOf } from '../../src/core/parsing/format/numbers.ts';
import type {
  CronJobName,
  MonitorInterval,
  MonitorRecord,
  MonitorStore,
  MonitorTotals,
  NewMonitor,
} from '../../src/core/store/monitors.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, Query, SqlValue, StoreMethod } from '../db.ts';
import { countRows } from '../paging.ts';
import { ownerCondition, type RowOf } from '../table.ts';
import { readInLists } from '../value-lists.ts';
import { checkingStore } from './checking.ts';
import { checks, days, monitorOf, monitors, slices } from './rows.ts';

export function monitorStore(db: Db): MonitorStore {
  return {
    ...monitorReads(db),
    ...checkingStore(db),
    ...historyStore(db),
    findMonitor: async (slug) => (await readMonitors(db, 'WHERE slug = $1', [slug]))[0] ?? null,
    addMonitor: (monitor) => db.write((tx) => addMonitor(tx, monitor)),
    countMonitors(projectId) {
      const owner = ownerCondition(projectId);
      return countRows(db, `FROM monitors WHERE ${owner.sql}`, owner.values);
    },
    listMonitors: (projectId) =>
      projectId === null ? readMonitors(db, '', []) : readMonitors(db, 'WHERE project_id = $1', [projectId]),
    findMonitorRecord: (id) => findMonitor(db, id),
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
    changeMonitorToken: (id, tokenHash) =>
      db.write(async (tx) => {
        await monitors.update(tx, { tokenHash }, { where: 'id = $1', values: [id] });
      }),
    deleteMonitor: (id) =>
      db.write(async (tx) => {
        const existing = await findMonitor(tx, id);
        if (existing !== null) await tx.run('DELETE FROM monitors WHERE id = $1', [id]);
        return existing;
      }),
  };
}

async function readMonitors(query: Query, where: string, values: SqlValue[]): Promise<MonitorRecord[]> {
  return (await monitors.list(query, `${where} ORDER BY id`, values)).map(monitorOf);
}

async function findMonitor(query: Query, id: number): Promise<MonitorRecord | null> {
  return (await readMonitors(query, 'WHERE id = $1', [id]))[0] ?? null;
}

async function findJob(query: Query, projectId: number | null, { slug, environment }: CronJobName) {
  const where = 'WHERE project_id = $1 AND check_in_slug = $2 AND environment = $3';
  return (await readMonitors(query, where, [projectId, slug, environment]))[0] ?? null;
}

/** The loop ends, since there are fewer monitors than numbers. */
async function addMonitor(tx: Query, monitor: NewMonitor): Promise<MonitorRecord> {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? monitor.slug : `${monitor.slug}-${number}`;
    const row = await monitors.insertReturning(
      tx,
      {
        ...monitor,
        slug,
        state: 'pending',
        stateSinceMs: monitor.createdAtMs,
        reason: '',
        countedToMs: monitor.createdAtMs,
        dueAtMs: monitor.nextCheckAtMs,
        version: 1,
        checkInSlug: monitor.job?.slug ?? null,
        environment: monitor.job?.environment ?? null,
      },
      { onConflict: 'DO NOTHING' },
    );
    if (row !== null) return monitorOf(row);
    const existing = monitor.job === null ? null : await findJob(tx, monitor.projectId, monitor.job);
    if (existing !== null) return existing;
  }
}

const changeMonitor: StoreMethod<'changeMonitor'> = async (
  tx,
  { id, version },
  { nextCheckAtMs: dueAtMs, ...change },
) => {
  const { name, target, expects, settings, group, tags, goal, intervalMs, timeoutMs } = change;
  const { state, stateSinceMs, stateUntilMs, reason, pendingTransition, runs } = change;
  const changed: typeof change & { readonly dueAtMs: number | null } = {
    ...{ name, target, expects, settings, group, tags, goal, intervalMs, timeoutMs, dueAtMs },
    ...{ state, stateSinceMs, stateUntilMs, reason, pendingTransition, runs },
  };
  const row = await monitors.updateReturning(tx, changed, {
    where: 'id = $1 AND version = $2',
    values: [id, version],
    extraAssignment: 'version = version + 1',
  });
  return row && monitorOf(row);
};

function historyStore(db: Db) {
  return {
    addMonitorHistory: (monitorId, history) =>
      db.write(async (tx) => {
        const all = <Row>(rows: readonly Row[]) => rows.map((row) => ({ ...row, monitorId }));
        for (const { name } of [slices, days, checks]) {
          await tx.run(`DELETE FROM ${name} WHERE monitor_id = $1`, [monitorId]);
        }
        await slices.insertMany(tx, all(history.slices));
        await days.insertMany(tx, all(history.days));
        const shownChecks = history.checks.map((check) => ({ ...check, body: check.body ?? null }));
        await checks.insertMany(tx, all(shownChecks));
      }),
  } satisfies Partial<StoreParts>;
}

function monitorReads(db: Db) {
  return {
    async monitorDays(ids, fromMs, toMs) {
      const rows = await readInLists(ids, 3, (list) =>
        days.list(
          db,
          `WHERE monitor_id IN (${list.placeholders}) AND at_ms >= $1 AND at_ms <= $2 ORDER BY monitor_id, at_ms`,
          [fromMs - (fromMs % dayMs), toMs, ...list.values],
        ),
      );
      const byMonitor = Map.groupBy(rows, ({ monitorId }) => monitorId);
      return new Map(
        [...byMonitor].map(([id, dayRows]) => [id, dayRows.map(({ monitorId: _id, ...day }) => day)]),
      );
    },
    async monitorSums(ids, { fromMs, toMs }) {
      const rows = await readInLists(ids, 3, (list) =>
        db.all<MonitorTotals & { readonly monitor_id: number }>(
          `SELECT monitor_id, MIN(at_ms) AS "atMs", SUM(watched_ms) AS "watchedMs", SUM(down_ms) AS "downMs",
             SUM(degraded_ms) AS "degradedMs", SUM(maintenance_ms) AS "maintenanceMs", SUM(checks) AS checks
           FROM monitor_slices WHERE monitor_id IN (${list.placeholders}) AND at_ms >= $1 AND at_ms < $2
           GROUP BY monitor_id`,
          [fromMs, toMs, ...list.values],
        ),
      );
      return new Map(rows.map(({ monitor_id: id, ...sum }) => [id, sum]));
    },
    async monitorSlices(monitorId, { fromMs, toMs, stepMs }) {
      const rows = await slices.list(
        db,
        'WHERE monitor_id = $1 AND at_ms >= $2 AND at_ms < $3 ORDER BY at_ms',
        [monitorId, fromMs, toMs],
      );
      const byStep = Map.groupBy(rows, ({ atMs }) => fromMs + Math.floor((atMs - fromMs) / stepMs) * stepMs);
      const steps = [...byStep.keys()];
      const count = steps.length === 0 ? 0 : ((steps.at(-1) ?? 0) - (steps[0] ?? 0)) / stepMs + 1;
      // Steps without data are included: charts show a gap.
      return Array.from({ length: count }, (_, at) => {
        const atMs = (steps[0] ?? 0) + at * stepMs;
        return mergeSlices(atMs, byStep.get(atMs) ?? []);
      });
    },
    async lastChecks(monitorId, limit) {
      const rows = await checks
        .without('monitorId')
        .list(db, 'WHERE monitor_id = $1 ORDER BY at_ms DESC LIMIT $2', [monitorId, limit]);
      return rows.map(({ body, ...check }) => (body === null ? check : { ...check, body }));
    },
  } satisfies Partial<StoreParts>;
}

function mergeSlices(atMs: number, rows: ReadonlyArray<RowOf<typeof slices>>): MonitorInterval {
  const sum = (name: Exclude<keyof MonitorTotals, 'atMs'>): number =>
    rows.reduce((of, row) => of + row[name], 0);
  const took = rows.flatMap(({ durations }) => durations);
  return {
    atMs,
    watchedMs: sum('watchedMs'),
    downMs: sum('downMs'),
    degradedMs: sum('degradedMs'),
    maintenanceMs: sum('maintenanceMs'),
    checks: sum('checks'),
    medianMs: medianOf(took),
    p95Ms: percentileOf(took, 0.95),
  };
}
