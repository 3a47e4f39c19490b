// What a report counts over a time: availability, incidents, events, tests. The list and one report count
// alike.
import { hourMs, hourOf } from '../../reading/spans.ts';
import type { Near, Slice, Sliced } from '../../store/page.ts';
import type { TestRun } from '../../store/test-runs.ts';
import type { Incident } from '../../store/uptime/incidents.ts';
import type { MonitorSlice } from '../../store/uptime/monitors.ts';
import type { ProjectMoves, ReportRange } from '../../store/uptime/reports.ts';
import { projectIdsOf } from '../delivery/lists.ts';
import { uptimeView } from '../uptime/figures.ts';
import { isPlanned, lastedMs } from '../uptime/incident-views.ts';
import { isLookedAt } from '../uptime/monitors.ts';
import { reportsOf, uptimeOf, type Visit } from '../visit.ts';

/** As many rows of a list as a report reads. */
const rowsMax = 2_000;
const rowsARead = 200;

export interface Sums {
  /** Of all monitors together; null where none was watched. */
  readonly availability: number | null;
  readonly incidents: number;
  /** The mean of those that are over; null without one. */
  readonly recover_ms: number | null;
  readonly events: number;
  readonly new_issues: number;
  readonly resolved_issues: number;
  readonly regressed_issues: number;
  readonly test_runs: number;
  /** Of the cases that ran; null where none did. */
  readonly passed_share: number | null;
}

/** What is read once for several periods. */
export interface Read {
  /** By the number of the monitor. */
  readonly days: ReadonlyMap<number, readonly MonitorSlice[]>;
  /** Planned work aside, newest first. */
  readonly incidents: readonly Incident[];
  readonly runs: readonly TestRun[];
}

/** What the periods of a range are counted of. */
export async function readRange(visit: Visit, range: ReportRange): Promise<Read> {
  const store = uptimeOf(visit);
  const monitors = (await store.listMonitors()).filter((each) => isLookedAt(visit, each.projectId));
  const ids = projectIdsOf(visit);
  const anyRun = { result: null, branch: null, search: null };
  const [days, incidents, runs] = await Promise.all([
    store.monitorDays(
      monitors.map(({ id }) => id),
      range.fromMs,
      Math.min(range.toMs - 1, visit.nowMs),
    ),
    store.listIncidents(range.fromMs),
    rowsWithin(
      (slice) => visit.deps.store.sliceTestRuns(ids, anyRun, slice),
      ({ createdAtMs, id }) => ({ atMs: createdAtMs, id }),
      range,
    ),
  ]);
  return {
    days,
    incidents: incidents.filter((each) => isLookedAt(visit, each.projectId) && !isPlanned(each)),
    runs,
  };
}

/** What came of a range. */
export async function sumsOf(visit: Visit, range: ReportRange, read: Read): Promise<Sums> {
  const moves = await reportsOf(visit).projectMoves(projectIdsOf(visit), range);
  const total = (of: (each: ProjectMoves) => number): number =>
    moves.reduce((sum, each) => sum + of(each), 0);
  const incidents = incidentsWithin(read.incidents, range);
  const runs = read.runs.filter(({ createdAtMs }) => within(createdAtMs, range));
  return {
    availability: uptimeView(slicesWithin(read.days, range)).uptime,
    incidents: incidents.length,
    recover_ms: recoverMs(incidents, visit.nowMs),
    events: total(({ events }) => events),
    new_issues: total(({ newIssues }) => newIssues),
    resolved_issues: total(({ resolvedIssues }) => resolvedIssues),
    regressed_issues: total(({ regressedIssues }) => regressedIssues),
    test_runs: runs.length,
    passed_share: passedShare(runs),
  };
}

export function within(atMs: number, { fromMs, toMs }: ReportRange): boolean {
  return atMs >= fromMs && atMs < toMs;
}

/** Incidents that began within a range. */
export function incidentsWithin(incidents: readonly Incident[], range: ReportRange): Incident[] {
  return incidents.filter(({ startedAtMs }) => within(startedAtMs, range));
}

function slicesWithin(
  days: ReadonlyMap<number, readonly MonitorSlice[]>,
  range: ReportRange,
): MonitorSlice[] {
  return [...days.values()].flat().filter(({ atMs }) => within(atMs, range));
}

function recoverMs(incidents: readonly Incident[], nowMs: number): number | null {
  const over = incidents.filter(({ resolvedAtMs }) => resolvedAtMs !== null);
  if (over.length === 0) return null;
  return Math.round(over.reduce((sum, each) => sum + lastedMs(each, nowMs), 0) / over.length);
}

/** The share of cases that passed among those that ran. */
export function passedShare(runs: readonly TestRun[]): number | null {
  const ran = runs.reduce((sum, { tests, skipped }) => sum + tests - skipped, 0);
  return ran <= 0 ? null : runs.reduce((sum, { passed }) => sum + passed, 0) / ran;
}

/**
 * The part of the period before that a period is compared with: as much of it as there is of this one, in
 * whole hours, so that a running week is not held against a whole one.
 */
export function comparedRange(before: ReportRange, period: ReportRange, nowMs: number): ReportRange {
  if (nowMs >= period.toMs) return before;
  const passedMs = hourOf(nowMs) + hourMs - period.fromMs;
  return { fromMs: before.fromMs, toMs: Math.min(before.toMs, before.fromMs + passedMs) };
}

/** Rows of a list whose newest come first, those of a range alone. */
export async function rowsWithin<Row>(
  read: (slice: Slice) => Promise<Sliced<Row>>,
  near: (row: Row) => Near,
  { fromMs, toMs }: ReportRange,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: Near | null = { atMs: toMs, id: 0 };
  while (after !== null && rows.length < rowsMax) {
    const slice: Sliced<Row> = await read({ after, before: null, limit: rowsARead });
    rows.push(...slice.rows.filter((row) => near(row).atMs >= fromMs));
    const last = slice.rows.at(-1);
    after = last === undefined || !slice.hasOlder || near(last).atMs < fromMs ? null : near(last);
  }
  return rows;
}
