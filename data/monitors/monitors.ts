// Monitors in SQL: what is watched, and how it stands. Queries only.

import type { JobName } from '../../src/core/store/monitors/cron.ts';
import type {
  KeptMonitor,
  MonitorChange,
  MonitorStore,
  NewMonitor,
} from '../../src/core/store/monitors/monitoring.ts';
import { ofOwner } from '../columns.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { checkingStore } from './checking.ts';
import { historyStore } from './history.ts';
import { lookStore } from './looks.ts';
import { type MonitorRow, monitorOf, runsText, suspicionText } from './rows.ts';

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
