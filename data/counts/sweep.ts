// Deletes expired rows (unfinished uploads, old counters and unused names), in slices so that others can write.
import { setImmediate } from 'node:timers/promises';
import { dayMs, hourMs } from '../../src/core/parsing/durations.ts';
import { recentSessionsMs } from '../../src/core/store/counts.ts';
import { type CleanupStore, type ProjectLimits, unusedNameExpiryMs } from '../../src/core/store/projects.ts';
import { duplicateWindowMs } from '../../src/core/test-runs/test-runs.ts';
import { pruneArtifacts } from '../artifacts/pruning.ts';
import type { Db, SqlValue } from '../db.ts';
import { freeNames, type NameLimits } from '../releases/bounded-names.ts';
import { clearUnfinished } from '../test-runs/results.ts';
import { outcomeHoursMax } from './outcomes.ts';

/** As long as channel pages count deliveries. */
const deliveriesMs = 90 * dayMs;
const sliceRows = 500;

export function cleanupStore(
  db: Db,
  limits: NameLimits & Pick<ProjectLimits, 'recentSessionsMax'>,
): CleanupStore {
  return {
    async sweep(nowMs, isOver = () => false) {
      const steps = [
        () => pruneArtifacts(db, nowMs),
        () => clearUnfinished(db, nowMs),
        () =>
          removeOld(db, 'test_upload_digests', 'at_ms', ['project_id', 'digest'], nowMs - duplicateWindowMs),
        () => removeOld(db, 'new_issue_hours', 'hour_ms', ['project_id', 'hour_ms'], nowMs - 2 * hourMs),
        () =>
          removeOld(
            db,
            'new_issue_senders',
            'hour_ms',
            ['project_id', 'hour_ms', 'sender'],
            nowMs - 2 * hourMs,
          ),
        () =>
          removeOld(
            db,
            'outcomes',
            'hour_ms',
            ['project_id', 'hour_ms', 'outcome', 'reason', 'category'],
            nowMs - outcomeHoursMax * hourMs,
          ),
        () => trimRecentSessions(db, nowMs, limits.recentSessionsMax),
        () => removeOld(db, 'alert_deliveries', 'at_ms', ['id'], nowMs - deliveriesMs),
        () => sweepMonitors(db, nowMs),
        () => freeUnseenReleases(db, limits.releasesMax, nowMs - unusedNameExpiryMs),
        () => freeUnseenEnvironments(db, limits.environmentsMax, nowMs - unusedNameExpiryMs),
      ];
      let removed = 0;
      for (const step of steps) if (!isOver()) removed += await step();
      return removed;
    },
  };
}

function removeOld(db: Db, table: string, column: string, key: readonly string[], beforeMs: number) {
  const columns = key.join(', ');
  const sql = `DELETE FROM ${table} WHERE (${columns}) IN
    (SELECT ${columns} FROM ${table} WHERE ${column} < $1 LIMIT $2)`;
  return removeInSlices(async () => (await db.write((tx) => tx.run(sql, [beforeMs, sliceRows]))).changes);
}

// Removes sessions that are over, and where a project has too many, the oldest hours except the newest one.
async function trimRecentSessions(db: Db, nowMs: number, sessionsMax: number): Promise<number> {
  const hours = await db.all<{ project_id: number; hour_ms: number; sessions: number }>(
    `SELECT project_id, hour_ms, COUNT(*) AS sessions FROM recent_sessions
     GROUP BY project_id, hour_ms ORDER BY project_id, hour_ms DESC`,
  );
  let removed = 0;
  let [projectId, known] = [0, 0];
  for (const hour of hours) {
    const isNewest = hour.project_id !== projectId;
    projectId = hour.project_id;
    known = (isNewest ? 0 : known) + Number(hour.sessions);
    const isOver = hour.hour_ms < nowMs - recentSessionsMs || (known > sessionsMax && !isNewest);
    if (!isOver) continue;
    const sql = `DELETE FROM recent_sessions WHERE (project_id, session_id) IN
      (SELECT project_id, session_id FROM recent_sessions WHERE project_id = $1 AND hour_ms = $2 LIMIT $3)`;
    const values = [hour.project_id, hour.hour_ms, sliceRows];
    removed += await removeInSlices(async () => (await db.write((tx) => tx.run(sql, values))).changes);
  }
  return removed;
}

async function removeInSlices(slice: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const changes = await slice();
    removed += changes;
    if (changes < sliceRows) return removed;
    await setImmediate();
  }
}

/** In a full project, releases that only events named and that were not seen for a month are removed. */
async function freeUnseenReleases(db: Db, releasesMax: number, beforeMs: number): Promise<number> {
  const sql = `DELETE FROM releases WHERE id IN (
    SELECT id FROM releases WHERE project_id = $1 AND registered_at_ms IS NULL
      AND COALESCE(last_event_at_ms, created_at_ms) < $2
      AND NOT EXISTS (SELECT 1 FROM deploys WHERE deploys.release_id = releases.id) LIMIT $3)`;
  return removeUnseen(db, 'releases', releasesMax, (projectId) => [sql, [projectId, beforeMs, sliceRows]]);
}

async function freeUnseenEnvironments(db: Db, environmentsMax: number, beforeMs: number): Promise<number> {
  const sql = `DELETE FROM environments WHERE (project_id, name) IN (
    SELECT project_id, name FROM environments
    WHERE project_id = $1 AND declared = 0 AND last_seen_ms < $2 LIMIT $3)`;
  return removeUnseen(db, 'environments', environmentsMax, (projectId) => [
    sql,
    [projectId, beforeMs, sliceRows],
  ]);
}

async function removeUnseen(
  db: Db,
  kind: 'releases' | 'environments',
  placesMax: number,
  removal: (projectId: number) => readonly [sql: string, values: SqlValue[]],
): Promise<number> {
  const full = await db.all<{ project_id: number }>(
    `SELECT project_id FROM project_usage WHERE ${kind} >= $1 ORDER BY project_id`,
    [placesMax],
  );
  let removed = 0;
  for (const { project_id: projectId } of full) {
    const [sql, values] = removal(projectId);
    removed += await removeInSlices(() =>
      db.write(async (tx) => {
        const { changes } = await tx.run(sql, values);
        if (changes > 0) await freeNames(tx, kind, projectId, changes);
        return changes;
      }),
    );
  }
  return removed;
}

// Monitor by monitor: there is no index by time alone, which would be half as large as the checks.

const keptMs = [
  ['monitor_checks', 2 * dayMs],
  // Pages of 30 days read whole slices: one more day.
  ['monitor_slices', 31 * dayMs],
  ['monitor_days', Number.POSITIVE_INFINITY],
] as const;
const windowsKeptMs = 90 * dayMs;
const rowBatchSize = 500;

async function sweepMonitors(db: Db, nowMs: number): Promise<number> {
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
    const { changes } = await db.write((tx) => tx.run(sql, [monitorId, beforeMs, rowBatchSize]));
    removed += changes;
    if (changes < rowBatchSize) return removed;
  }
}
