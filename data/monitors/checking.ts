import { dayMs, minuteMs } from '../../src/core/parsing/durations.ts';
import { medianOf, percentileOf } from '../../src/core/parsing/format/numbers.ts';
import type { Check, CheckOutcome, UptimeInterval } from '../../src/core/store/monitors.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import { signal } from '../alerts/signals.ts';
import type { Db, Query } from '../db.ts';
import { endIncidentsOfSlowMonitor } from '../incidents/of-rules.ts';
import { applyMonitorTransition } from '../incidents/writing.ts';
import { checks, days, monitorOf, monitors, slices } from './rows.ts';

const sliceMs = 5 * minuteMs;

export function checkingStore(db: Db) {
  return {
    async monitorsDue(nowMs) {
      const due = 'SELECT 1 AS due FROM monitors WHERE due_at_ms <= $1 LIMIT 1';
      return (await db.get(due, [nowMs])) !== undefined;
    },
    claimMonitors: (nowMs, { graceMs, limit }) =>
      db.write(async (tx) => {
        // The second condition is checked again after waiting for a row: another process may have claimed it.
        const rows = await tx.all(
          `UPDATE monitors SET due_at_ms = $1 + timeout_ms + $2, version = version + 1,
             state = CASE state WHEN 'paused' THEN 'pending' ELSE state END,
             state_since_ms = CASE state WHEN 'paused' THEN $1 ELSE state_since_ms END,
             state_until_ms = CASE state WHEN 'maintenance' THEN state_until_ms ELSE NULL END,
             counted_to_ms = CASE state WHEN 'paused' THEN $1 ELSE counted_to_ms END
           WHERE id IN (SELECT id FROM monitors WHERE due_at_ms <= $1 ORDER BY due_at_ms, id LIMIT $3)
             AND due_at_ms <= $1 RETURNING ${monitors.columns()}`,
          [nowMs, graceMs, limit],
        );
        return rows.map((row) => monitorOf(monitors.rowOf(row)));
      }),
    saveChecks: (outcomes) =>
      db.write(async (tx) => {
        let saved = 0;
        for (const outcome of outcomes) if (await saveCheck(tx, outcome)) saved += 1;
        return saved;
      }),
  } satisfies Partial<StoreParts>;
}

async function saveCheck(tx: Query, outcome: CheckOutcome): Promise<boolean> {
  const { monitor, check, times } = outcome;
  if (!(await writeStatus(tx, outcome))) return false;
  await addToTotals(tx, monitor.id, check, times);
  if (check === null) return true;
  await applyTransitions(tx, outcome, check.atMs);
  await insertCheck(tx, monitor, check);
  return true;
}

/** False where it was changed or deleted since it was claimed. */
async function writeStatus(tx: Query, outcome: CheckOutcome): Promise<boolean> {
  const { monitor, check, status } = outcome;
  // The received body stays with its check alone: lists of monitors must stay small.
  const { body: _body, ...last } = check ?? monitor.lastCheck ?? { atMs: null };
  const { certificateEndsAtMs, nextCheckAtMs: dueAtMs, runs, stateUntilMs, startedAtMs } = outcome;
  const { state, stateSinceMs, reason, pendingTransition, countedToMs } = status;
  const written = await monitors.update(
    tx,
    {
      ...{ state, stateSinceMs, reason, pendingTransition, countedToMs, certificateEndsAtMs, dueAtMs, runs },
      lastCheck: last.atMs === null ? null : last,
      stateUntilMs: stateUntilMs ?? null,
      startedAtMs: startedAtMs ?? null,
    },
    {
      where: 'id = $1 AND version = $2',
      values: [monitor.id, monitor.version],
      extraAssignment: 'version = version + 1',
    },
  );
  return written > 0;
}

async function applyTransitions(
  tx: Query,
  { monitor, status, turns: transitions }: CheckOutcome,
  atMs: number,
): Promise<void> {
  if (status.state === 'up' && monitor.state !== 'up') {
    await endIncidentsOfSlowMonitor(tx, monitor.id, {
      body: 'It is up, and not slow.',
      atMs: status.stateSinceMs,
    });
  }
  for (const each of transitions) {
    const { kind, summary } = each;
    await applyMonitorTransition(tx, monitor, each, atMs);
    if (each.isNews) {
      await signal(tx, { projectId: monitor.projectId, kind, objectId: monitor.id, atMs, summary });
    }
  }
}

async function insertCheck(
  tx: Query,
  { id, lastCheck }: CheckOutcome['monitor'],
  check: Check,
): Promise<void> {
  const row = { ...check, monitorId: id, body: check.body ?? null };
  await checks.insert(tx, row, { onConflict: 'DO NOTHING' });
  const lastMs = lastCheck?.atMs ?? 0;
  if (beginOf(lastMs, sliceMs) === beginOf(check.atMs, sliceMs)) return;
  await updatePercentiles(tx, id, beginOf(lastMs, dayMs), check.atMs);
}

interface Sums {
  watchedMs: number;
  downMs: number;
  degradedMs: number;
  maintenanceMs: number;
  checks: number;
}

/** Adds the check and the time before it to slices (5 minutes) and days. */
async function addToTotals(
  tx: Query,
  monitorId: number,
  check: Check | null,
  times: readonly UptimeInterval[],
): Promise<void> {
  const took = check === null || check.result === 'down' ? null : check.durationMs;
  const checkedMs = check === null ? null : beginOf(check.atMs, sliceMs);
  for (const [atMs, sums] of sumsOf(check, times, sliceMs)) {
    const durations = took !== null && atMs === checkedMs ? [took] : [];
    await slices.insert(tx, { ...sums, monitorId, atMs, durations }, { onConflict: addedToSlice });
  }
  for (const [atMs, sums] of sumsOf(check, times, dayMs)) {
    const row = { ...sums, monitorId, atMs, medianMs: null, p95Ms: null };
    await days.insert(tx, row, { onConflict: addedToDay });
  }
}

const addedToSlice = slices.mergeOn({
  key: ['monitorId', 'atMs'],
  otherwise: 'sum',
  rules: { durations: 'SQL: monitor_slices.durations || excluded.durations' },
});
const addedToDay = days.mergeOn({
  key: ['monitorId', 'atMs'],
  otherwise: 'sum',
  rules: { medianMs: 'kept', p95Ms: 'kept' },
});

function sumsOf(check: Check | null, times: readonly UptimeInterval[], stepMs: number) {
  const all = new Map<number, Sums>();
  const sumsAt = (atMs: number): Sums => {
    const begin = beginOf(atMs, stepMs);
    const entry = all.get(begin) ?? { watchedMs: 0, downMs: 0, degradedMs: 0, maintenanceMs: 0, checks: 0 };
    all.set(begin, entry);
    return entry;
  };
  if (check !== null) sumsAt(check.atMs).checks = 1;
  for (const { fromMs, toMs, state } of times) {
    for (let begin = fromMs; begin < toMs; ) {
      const end = Math.min(toMs, beginOf(begin, stepMs) + stepMs);
      const sums = sumsAt(begin);
      if (state === 'maintenance') sums.maintenanceMs += end - begin;
      else sums.watchedMs += end - begin;
      if (state === 'down') sums.downMs += end - begin;
      if (state === 'degraded') sums.degradedMs += end - begin;
      begin = end;
    }
  }
  return all;
}

// Response times of the last 24 hours and of each day. Called once per slice, to read less often.
async function updatePercentiles(tx: Query, monitorId: number, lastDayMs: number, atMs: number) {
  const today = beginOf(atMs, dayMs);
  const measuredDays = lastDayMs === today || lastDayMs === 0 ? [today] : [lastDayMs, today];
  const fromMs = Math.min(measuredDays[0] ?? today, atMs - dayMs);
  const rows = await slices.list(
    tx,
    `WHERE monitor_id = $1 AND at_ms >= $2 AND durations <> '' ORDER BY at_ms`,
    [monitorId, fromMs],
  );
  const durationsBetween = (beginMs: number, endMs: number): number[] =>
    rows.filter((each) => each.atMs >= beginMs && each.atMs < endMs).flatMap(({ durations }) => durations);
  const lastDay = durationsBetween(atMs - dayMs, atMs + 1);
  const percentilesOf = (durationsMs: readonly number[]) => ({
    medianMs: medianOf(durationsMs),
    p95Ms: percentileOf(durationsMs, 0.95),
  });
  await monitors.update(tx, percentilesOf(lastDay), { where: 'id = $1', values: [monitorId] });
  for (const day of measuredDays) {
    const ofDay = { where: 'monitor_id = $1 AND at_ms = $2', values: [monitorId, day] };
    await days.update(tx, percentilesOf(durationsBetween(day, day + dayMs)), ofDay);
  }
}

function beginOf(atMs: number, stepMs: number): number {
  return atMs - (atMs % stepMs);
}
