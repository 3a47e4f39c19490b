// Deletes expired rows (unfinished uploads, old counters and unused names), in slices so that others can write.
import { setImmediate } from 'node:timers/promises';
import { dayMs, hourMs } from '../../src/core/parsing/durations.ts';
import { recentSessionsMs } from '../../src/core/store/counts.ts';
import { type CleanupStore, type ProjectLimits, unusedNameExpiryMs } from '../../src/core/store/projects.ts';
import { duplicateWindowMs } from '../../src/core/test-runs/test-runs.ts';
import { pruneArtifacts } from '../artifacts/pruning.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { freeNames, type NameLimits } from '../releases/bounded-names.ts';
import { deleteRows } from '../table.ts';
import { clearUnfinished } from '../test-runs/results.ts';
import { outcomeHoursMax } from './outcomes.ts';

/** As long as channel pages count deliveries. */
const deliveriesMs = 90 * dayMs;
const sliceRows = 500;
const outcomeKey = 'project_id, hour_ms, outcome, reason, category';

export function cleanupStore(
  db: Db,
  limits: NameLimits & Pick<ProjectLimits, 'recentSessionsMax'>,
): CleanupStore {
  return {
    async sweep(nowMs, isOver = () => false) {
      const steps = [
        () => pruneArtifacts(db, nowMs),
        () => clearUnfinished(db, nowMs),
        () => removeOld(db, 'test_upload_digests', 'project_id, digest', nowMs - duplicateWindowMs, 'at_ms'),
        () => removeOld(db, 'new_issue_hours', 'project_id, hour_ms', nowMs - 2 * hourMs),
        () => removeOld(db, 'new_issue_senders', 'project_id, hour_ms, sender', nowMs - 2 * hourMs),
        () => removeOld(db, 'outcomes', outcomeKey, nowMs - outcomeHoursMax * hourMs),
        () => trimRecentSessions(db, nowMs, limits.recentSessionsMax),
        () => removeOld(db, 'alert_deliveries', 'id', nowMs - deliveriesMs, 'at_ms'),
        () => sweepMonitors(db, nowMs),
        () => freeUnseen(db, 'releases', limits.releasesMax, nowMs - unusedNameExpiryMs),
        () => freeUnseen(db, 'environments', limits.environmentsMax, nowMs - unusedNameExpiryMs),
      ];
      let removed = 0;
      for (const step of steps) if (!isOver()) removed += await step();
      return removed;
    },
  };
}

function removeOld(db: Db, table: string, key: string, beforeMs: number, column = 'hour_ms') {
  return removeInSlices(db, { table, key }, { where: `${column} < $1`, values: [beforeMs] });
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
    const ofHour = { where: 'project_id = $1 AND hour_ms = $2', values: [hour.project_id, hour.hour_ms] };
    removed += await removeInSlices(db, { table: 'recent_sessions', key: 'project_id, session_id' }, ofHour);
  }
  return removed;
}

async function removeInSlices(
  db: Db,
  rows: { readonly table: string; readonly key: string },
  condition: { readonly where: string; readonly values: readonly SqlValue[] },
  removed: (tx: Query, count: number) => Promise<void> = async () => {},
): Promise<number> {
  for (let total = 0; ; await setImmediate()) {
    const count = await db.write(async (tx) => {
      const changes = await deleteRows(tx, { ...rows, rowsMax: sliceRows }, condition);
      if (changes > 0) await removed(tx, changes);
      return changes;
    });
    total += count;
    if (count < sliceRows) return total;
  }
}

/** What only events named: its key, and which rows of project `$1` were not seen since `$2`. */
const unseen = {
  releases: {
    key: 'id',
    where: `project_id = $1 AND registered_at_ms IS NULL AND COALESCE(last_event_at_ms, created_at_ms) < $2
      AND NOT EXISTS (SELECT 1 FROM deploys WHERE deploys.release_id = releases.id)`,
  },
  environments: { key: 'project_id, name', where: 'project_id = $1 AND declared = 0 AND last_seen_ms < $2' },
} as const;

/** In a full project, names that were not seen for a month are removed. */
async function freeUnseen(db: Db, kind: keyof typeof unseen, namesMax: number, beforeMs: number) {
  const full = await db.all<{ project_id: number }>(
    `SELECT project_id FROM project_usage WHERE ${kind} >= $1 ORDER BY project_id`,
    [namesMax],
  );
  const { key, where } = unseen[kind];
  let removed = 0;
  for (const { project_id: projectId } of full) {
    const condition = { where, values: [projectId, beforeMs] };
    removed += await removeInSlices(db, { table: kind, key }, condition, (tx, count) =>
      freeNames(tx, kind, projectId, count),
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
      if (beforeMs <= 0) continue;
      const old = { where: 'monitor_id = $1 AND at_ms < $2', values: [last, beforeMs] };
      removed += await removeInSlices(db, { table, key: 'monitor_id, at_ms' }, old);
    }
  }
  return removed;
}
