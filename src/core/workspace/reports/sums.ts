// Totals of a period. The list of reports and single reports use the same ones.
import { hourMs, hourOf } from '../../reading/spans.ts';
import type { Incident } from '../../store/incidents/incidents.ts';
import type { MonitorSlice } from '../../store/monitors/monitors.ts';
import type { Near, Slice, Sliced } from '../../store/page.ts';
import type { ProjectMoves, ReportRange } from '../../store/reports/figures.ts';
import { projectIdsOf } from '../delivery/lists.ts';
import { uptimeView } from '../uptime/figures.ts';
import { isPlanned, lastedMs } from '../uptime/incident-views.ts';
import { isLookedAt } from '../uptime/monitors.ts';
import type { Look } from '../visit.ts';

/** The most rows of a list that are read. */
const rowsMax = 2_000;
const rowsARead = 200;

export interface Sums {
  /** Over all monitors; null if none was active. */
  readonly availability: number | null;
  readonly incidents: number;
  /** Mean time to acknowledge; null if none was acknowledged. */
  readonly acknowledge_ms: number | null;
  /** Mean time to resolve; null if none was resolved. */
  readonly recover_ms: number | null;
  readonly events: number;
  readonly new_issues: number;
  readonly resolved_issues: number;
  readonly regressed_issues: number;
  readonly feedback: number;
  readonly sessions: number;
  readonly crash_free_share: number | null;
  /** Share of received events that were not stored; null if nothing was received. */
  readonly sent: number;
  readonly lost_share: number | null;
  readonly test_runs: number;
  readonly passed_share: number | null;
}

/** Data read once for several periods. */
export interface Read {
  readonly days: ReadonlyMap<number, readonly MonitorSlice[]>;
  /** Without maintenance, newest first. */
  readonly incidents: readonly Incident[];
}

export async function readRange(look: Look, range: ReportRange): Promise<Read> {
  await look.deps.outcomes.flush();
  const store = look.deps.store;
  const monitors = (await store.listMonitors()).filter((each) => isLookedAt(look, each.projectId));
  const [days, incidents] = await Promise.all([
    store.monitorDays(
      monitors.map(({ id }) => id),
      range.fromMs,
      Math.min(range.toMs - 1, look.nowMs),
    ),
    look.deps.store.listIncidents(range.fromMs),
  ]);
  return {
    days,
    incidents: incidents.filter((each) => isLookedAt(look, each.projectId) && !isPlanned(each)),
  };
}

export function movesWithin(look: Look, range: ReportRange): Promise<readonly ProjectMoves[]> {
  return look.deps.store.projectMoves(projectIdsOf(look), range);
}

export function sumsOf(look: Look, range: ReportRange, read: Read, moves: readonly ProjectMoves[]): Sums {
  const total = (of: (each: ProjectMoves) => number): number =>
    moves.reduce((sum, each) => sum + of(each), 0);
  const incidents = incidentsWithin(read.incidents, range);
  const sessions = total((each) => each.sessions);
  const sent = total((each) => each.sent);
  const ran = total(({ tests }) => tests);
  return {
    availability: uptimeView(slicesWithin(read.days, range)).uptime,
    incidents: incidents.length,
    acknowledge_ms: meanOf(
      incidents.flatMap(({ acknowledgedAtMs: atMs, startedAtMs }) =>
        atMs === null ? [] : [atMs - startedAtMs],
      ),
    ),
    recover_ms: meanOf(
      incidents.flatMap((each) => (each.resolvedAtMs === null ? [] : [lastedMs(each, look.nowMs)])),
    ),
    events: total(({ events }) => events),
    new_issues: total(({ newIssues }) => newIssues),
    resolved_issues: total(({ resolvedIssues }) => resolvedIssues),
    regressed_issues: total(({ regressedIssues }) => regressedIssues),
    feedback: total(({ feedback }) => feedback),
    sessions,
    crash_free_share: sessions === 0 ? null : 1 - total((each) => each.crashedSessions) / sessions,
    sent,
    lost_share: sent === 0 ? null : 1 - total(({ kept }) => kept) / sent,
    test_runs: total(({ testRuns }) => testRuns),
    passed_share: ran <= 0 ? null : total(({ passedTests }) => passedTests) / ran,
  };
}

export function within(atMs: number, { fromMs, toMs }: ReportRange): boolean {
  return atMs >= fromMs && atMs < toMs;
}

export function incidentsWithin(incidents: readonly Incident[], range: ReportRange): Incident[] {
  return incidents.filter(({ startedAtMs }) => within(startedAtMs, range));
}

function slicesWithin(
  days: ReadonlyMap<number, readonly MonitorSlice[]>,
  range: ReportRange,
): MonitorSlice[] {
  return [...days.values()].flat().filter(({ atMs }) => within(atMs, range));
}

function meanOf(lengths: readonly number[]): number | null {
  if (lengths.length === 0) return null;
  return Math.round(lengths.reduce((sum, each) => sum + each, 0) / lengths.length);
}

/**
 * The same part of the previous period, in whole hours, so that a week so far is not compared with a whole
 * one.
 */
export function comparedRange(before: ReportRange, period: ReportRange, nowMs: number): ReportRange {
  if (nowMs >= period.toMs) return before;
  const passedMs = hourOf(nowMs) + hourMs - period.fromMs;
  return { fromMs: before.fromMs, toMs: Math.min(before.toMs, before.fromMs + passedMs) };
}

/** Reads a list that is sorted newest first. */
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
