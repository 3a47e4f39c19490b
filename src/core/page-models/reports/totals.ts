// Totals of a period. The list of reports and single reports use the same ones.
import type { ReportTotals } from '../../../../schemas/reports.ts';
import { hourMs, startOfHour } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import type { Incident } from '../../store/incidents.ts';
import type { MonitorInterval } from '../../store/monitors.ts';
import type { CursorPage, CursorWindow, TimeCursor } from '../../store/pagination.ts';
import type { ProjectReportFigures, ReportRange } from '../../store/reports.ts';
import { viewedProjectIds } from '../list-params.ts';
import { durationMs, isMaintenance } from '../monitoring/incident-views.ts';
import { isViewedProject, listViewedMonitors } from '../monitoring/monitors.ts';
import { viewUptime } from '../monitoring/uptime.ts';
import type { PageScope } from '../request-context.ts';

const rowsMax = 2_000;
const rowsARead = 200;

export type ReportData = Awaited<ReturnType<typeof readReportData>>;

export async function readReportData(scope: PageScope, range: ReportRange) {
  await scope.deps.outcomes.flush();
  const store = scope.deps.store;
  const monitors = await listViewedMonitors(scope);
  const [days, incidents] = await Promise.all([
    store.monitorDays(
      monitors.map(({ id }) => id),
      range.fromMs,
      Math.min(range.toMs - 1, scope.nowMs),
    ),
    scope.deps.store.listIncidents(range.fromMs),
  ]);
  return {
    days,
    /** Without maintenance, newest first. */
    incidents: incidents.filter((each) => isViewedProject(scope, each.projectId) && !isMaintenance(each)),
  };
}

export function listProjectActivity(
  scope: PageScope,
  range: ReportRange,
): Promise<readonly ProjectReportFigures[]> {
  return scope.deps.store.projectMoves(viewedProjectIds(scope), range);
}

export function computeReportTotals(
  scope: PageScope,
  range: ReportRange,
  read: ReportData,
  moves: readonly ProjectReportFigures[],
): ReportTotals {
  const total = (of: (each: ProjectReportFigures) => number): number => sum(moves.map(of));
  const incidents = filterIncidentsWithin(read.incidents, range);
  const sessions = total((each) => each.sessions);
  const sent = total((each) => each.sent);
  const ran = total(({ tests }) => tests);
  return {
    availability: viewUptime(slicesWithin(read.days, range)).uptime,
    incidents: incidents.length,
    acknowledge_ms: meanOf(
      incidents.flatMap(({ acknowledgedAtMs: atMs, startedAtMs }) =>
        atMs === null ? [] : [atMs - startedAtMs],
      ),
    ),
    recover_ms: meanOf(
      incidents.flatMap((each) => (each.resolvedAtMs === null ? [] : [durationMs(each, scope.nowMs)])),
    ),
    events: total(({ events }) => events),
    new_issues: total(({ newIssues }) => newIssues),
    resolved_issues: total(({ resolvedIssues }) => resolvedIssues),
    regressed_issues: total(({ regressedIssues }) => regressedIssues),
    feedback: total(({ feedback }) => feedback),
    sessions,
    crash_free_share: sessions === 0 ? null : 1 - total((each) => each.crashedSessions) / sessions,
    sent,
    lost_share: sent === 0 ? null : 1 - total(({ kept: accepted }) => accepted) / sent,
    test_runs: total(({ testRuns }) => testRuns),
    passed_share: ran <= 0 ? null : total(({ passedTests }) => passedTests) / ran,
  };
}

export function isWithin(atMs: number, { fromMs, toMs }: ReportRange): boolean {
  return atMs >= fromMs && atMs < toMs;
}

export function filterIncidentsWithin(incidents: readonly Incident[], range: ReportRange): Incident[] {
  return incidents.filter(({ startedAtMs }) => isWithin(startedAtMs, range));
}

function slicesWithin(
  days: ReadonlyMap<number, readonly MonitorInterval[]>,
  range: ReportRange,
): MonitorInterval[] {
  return [...days.values()].flat().filter(({ atMs }) => isWithin(atMs, range));
}

function meanOf(lengths: readonly number[]): number | null {
  return lengths.length === 0 ? null : Math.round(sum(lengths) / lengths.length);
}

/** The same part of the previous period, in whole hours, so that a week so far is not compared with a whole one. */
export function comparisonRange(before: ReportRange, period: ReportRange, nowMs: number): ReportRange {
  if (nowMs >= period.toMs) return before;
  const passedMs = startOfHour(nowMs) + hourMs - period.fromMs;
  return { fromMs: before.fromMs, toMs: Math.min(before.toMs, before.fromMs + passedMs) };
}

/** Reads a list that is sorted newest first. */
export async function listRowsWithin<Row>(
  read: (slice: CursorWindow) => Promise<CursorPage<Row>>,
  toCursor: (row: Row) => TimeCursor,
  { fromMs, toMs }: ReportRange,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: TimeCursor | null = { atMs: toMs, id: 0 };
  while (after !== null && rows.length < rowsMax) {
    const slice: CursorPage<Row> = await read({ after, before: null, limit: rowsARead });
    rows.push(...slice.rows.filter((row) => toCursor(row).atMs >= fromMs));
    const last = slice.rows.at(-1);
    after = last === undefined || !slice.hasOlder || toCursor(last).atMs < fromMs ? null : toCursor(last);
  }
  return rows;
}
