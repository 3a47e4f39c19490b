// The content of a report, computed from current data and compared with the previous period.

import type { Level } from '../../../../schemas/event.ts';
import type { ReportTotals } from '../../../../schemas/reports.ts';
import { expireIfDue } from '../../domains/verification-states.ts';
import { dayMs, hourMs } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { AlertChannel } from '../../store/alerts.ts';
import type { CursorWindow } from '../../store/pagination.ts';
import type { ProjectReportFigures, TopIssue } from '../../store/reports.ts';
import { buildLevelBars, countEvents } from '../level-bars.ts';
import { viewedProjectIds } from '../list-params.ts';
import { type IncidentView, viewIncidentRow } from '../monitoring/incident-views.ts';
import { findProjectRef, listViewedMonitors } from '../monitoring/monitors.ts';
import { viewErrorBudget, viewUptime } from '../monitoring/uptime.ts';
import { type PageScope, viewedProjects } from '../request-context.ts';
import { isCountable, type Period, previousPeriod } from './period.ts';
import {
  comparisonRange,
  computeReportTotals,
  filterIncidentsWithin,
  isWithin,
  listProjectActivity,
  listRowsWithin,
  type ReportData,
  readReportData,
} from './totals.ts';

const endsSoonDays = 30;

const barMs = { week: 6 * hourMs, month: dayMs } as const;

const topIssues = 10;

interface ReportProject {
  readonly project_id: number;
  readonly name: string;
  readonly events: number;
  /** Null if the previous period cannot be counted any more. */
  readonly events_before: number | null;
  /** Distinct users of these events; null until the report is stored. */
  readonly users: number | null;
  /** True if some events are deleted, or there were too many to count. */
  readonly users_or_more: boolean;
  readonly new_issues: number;
  readonly resolved_issues: number;
  readonly regressed_issues: number;
}

interface ReportIssue {
  readonly issue_id: number;
  readonly project_id: number;
  readonly project: string;
  /** Current title; null if deleted. */
  readonly title: string | null;
  readonly culprit: string | null;
  readonly level: Level;
  readonly events: number;
}

interface ReportIncident extends Omit<IncidentView, 'title'> {
  readonly title: string | null;
}

type ReportMonitor = Awaited<ReturnType<typeof budgetsOf>>[number];

export interface ReportBody extends DeliverySection {
  readonly sums: ReportTotals;
  readonly sums_before: ReportTotals | null;
  readonly errors: EventsSection;
  readonly projects: readonly ReportProject[];
  readonly top_issues: readonly ReportIssue[];
  /** Those that used most of their error budget first. */
  readonly monitors: readonly ReportMonitor[];
  /** Started in the period, oldest first. */
  readonly incidents: readonly ReportIncident[];
  /** Certificates that expire soon, and domain verifications that failed. */
  readonly ending: readonly EndingView[];
  readonly alerts: ReadonlyArray<{
    readonly channel_id: number;
    /** Current name; null if deleted. */
    readonly name: string | null;
    readonly sent: number;
    readonly arrived: number;
  }>;
}

export async function computeReport(scope: PageScope, period: Period): Promise<ReportBody> {
  const { nowMs } = scope;
  const past = previousPeriod(period);
  const isCompared = isCountable(past, nowMs);
  const compared = isCompared ? comparisonRange(past, period, nowMs) : null;
  const read = await readReportData(scope, { fromMs: past.fromMs, toMs: period.toMs });
  const [moves, movesBefore] = await Promise.all([
    listProjectActivity(scope, period),
    compared === null ? null : listProjectActivity(scope, compared),
  ]);
  const [errors, busy, delivery, ending, alerts] = await Promise.all([
    eventsSection(scope, period),
    scope.deps.store.busiestIssues(viewedProjectIds(scope), period, topIssues),
    deliverySection(scope, period, moves),
    endingSoon(scope),
    sentAlerts(scope, period),
  ]);
  return {
    sums: computeReportTotals(scope, period, read, moves),
    sums_before:
      compared === null || movesBefore === null
        ? null
        : computeReportTotals(scope, compared, read, movesBefore),
    errors,
    projects: projectsOf(scope, moves, movesBefore),
    top_issues: busy.map((issue) => issueView(scope, issue)),
    monitors: await budgetsOf(scope, period, read),
    incidents: filterIncidentsWithin(read.incidents, period)
      .map((each) => viewIncidentRow(scope, each))
      .toReversed(),
    ...delivery,
    ending,
    alerts,
  };
}

function issueView(
  scope: PageScope,
  { id, projectId, title, culprit, level, events }: TopIssue,
): ReportIssue {
  const project = findProjectRef(scope, projectId)?.name ?? '';
  return { issue_id: id, project_id: projectId, project, title, culprit, level, events };
}

function projectsOf(
  scope: PageScope,
  now: readonly ProjectReportFigures[],
  past: readonly ProjectReportFigures[] | null,
): ReportProject[] {
  const of = (moves: readonly ProjectReportFigures[], id: number): ProjectReportFigures | undefined =>
    moves.find(({ projectId }) => projectId === id);
  return viewedProjects(scope).map(({ id, name }) => ({
    project_id: id,
    name,
    events: of(now, id)?.events ?? 0,
    events_before: past === null ? null : (of(past, id)?.events ?? 0),
    users: null,
    users_or_more: false,
    new_issues: of(now, id)?.newIssues ?? 0,
    resolved_issues: of(now, id)?.resolvedIssues ?? 0,
    regressed_issues: of(now, id)?.regressedIssues ?? 0,
  }));
}

async function budgetsOf(scope: PageScope, period: Period, { days }: ReportData) {
  const monitors = await listViewedMonitors(scope);
  return monitors
    .map(({ id, projectId, slug, name, goal }) => {
      const dayIntervals = (days.get(id) ?? []).filter(({ atMs }) => isWithin(atMs, period));
      const { uptime, down_ms: downMs } = viewUptime(dayIntervals);
      return {
        project_id: projectId,
        slug,
        name,
        uptime,
        down_ms: downMs,
        budget: viewErrorBudget(goal, dayIntervals),
      };
    })
    .filter(({ uptime }) => uptime !== null)
    .toSorted((one, other) => (other.budget.share ?? 0) - (one.budget.share ?? 0));
}

async function sentAlerts(scope: PageScope, { fromMs, toMs }: Period): Promise<ReportBody['alerts']> {
  const [channels, days] = await Promise.all([
    channelsOf(scope),
    scope.deps.store.deliveryDays(fromMs, Math.min(toMs - 1, scope.nowMs)),
  ]);
  return channels
    .map(({ id, name }) => {
      const channelDays = (days.get(id) ?? []).filter(({ atMs }) => isWithin(atMs, { fromMs, toMs }));
      const arrived = sum(channelDays.map((day) => day.arrived));
      const sent = sum(channelDays.map((day) => day.notArrived)) + arrived;
      return { channel_id: id, name, sent, arrived };
    })
    .filter(({ sent }) => sent > 0);
}

/** Readers with a project's key must not see channels of others. */
function channelsOf(scope: PageScope): Promise<readonly AlertChannel[]> {
  const { project, deps } = scope;
  return project === null ? deps.store.listChannels() : deps.store.listChannelRecords(project.id);
}

type EventsSection = Awaited<ReturnType<typeof eventsSection>>;

async function eventsSection(scope: PageScope, { kind, fromMs, toMs }: Period) {
  const hours = await scope.deps.store.listLevelHours(viewedProjectIds(scope), fromMs, toMs, null);
  const ms = barMs[kind];
  const bars = buildLevelBars(hours, fromMs, toMs, ms).map((bar, at) => ({
    at: formatTime(fromMs + at * ms),
    ...bar,
  }));
  const heat = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
  for (const hour of hours) {
    const date = new Date(hour.atMs);
    const row = heat[(date.getUTCDay() + 6) % 7];
    if (row !== undefined) row[date.getUTCHours()] = (row[date.getUTCHours()] ?? 0) + countEvents([hour]);
  }
  return { bar_hours: ms / hourMs, bars, weekday_hours: heat };
}

type EndingView = Awaited<ReturnType<typeof endingSoon>>[number];

/** Certificates by expiry, then failed verifications. */
async function endingSoon(scope: PageScope) {
  const [monitors, proofs] = await Promise.all([
    listViewedMonitors(scope),
    Promise.all(viewedProjects(scope).map(({ id }) => scope.deps.store.listDomainVerifications(id))),
  ]);
  const endsBeforeMs = scope.nowMs + endsSoonDays * dayMs;
  const certificates = monitors
    .flatMap(({ slug, name, projectId, certificateEndsAtMs: endsAtMs }) =>
      endsAtMs === null || endsAtMs > endsBeforeMs ? [] : [{ slug, name, projectId, endsAtMs }],
    )
    .toSorted((one, other) => one.endsAtMs - other.endsAtMs);
  const fallen = proofs
    .flat()
    .map((proof) => expireIfDue(proof, scope.nowMs))
    .filter(({ status }) => status === 'failing' || status === 'lapsed' || status === 'expired');
  return [
    ...certificates.map(({ slug, name, projectId, endsAtMs }) => ({
      what: 'certificate' as const,
      project_id: projectId,
      name,
      path: `/monitors/${slug}`,
      ends_at: formatTime(endsAtMs),
      state: null,
      error: null,
    })),
    ...fallen.map(({ id, projectId, domain, status, lastError }) => ({
      what: 'proof' as const,
      project_id: projectId,
      name: domain,
      path: `/domains/${id}`,
      ends_at: null,
      state: status,
      error: lastError,
    })),
  ];
}

const releasesShown = 20;
const flakyShown = 8;
const flakyRuns = 100;

type DeliverySection = Awaited<ReturnType<typeof deliverySection>>;

async function deliverySection(scope: PageScope, period: Period, moves: readonly ProjectReportFigures[]) {
  const { store } = scope.deps;
  const ids = viewedProjectIds(scope);
  const anyDeploy = { environment: null, outcome: null, search: null, sinceMs: period.fromMs };
  const newest = (limit: number): CursorWindow => ({
    after: { atMs: period.toMs, id: 0 },
    before: null,
    limit,
  });
  const isMeant = ({ createdAtMs }: { readonly createdAtMs: number }): boolean =>
    isWithin(createdAtMs, period);
  const [releases, deploys, runs] = await Promise.all([
    store.listReleasePage(ids, { environment: null, search: null }, newest(releasesShown)),
    listRowsWithin(
      (slice) => store.listDeployPage(ids, anyDeploy, slice),
      ({ deploy }) => ({ atMs: deploy.createdAtMs, id: deploy.id }),
      period,
    ),
    store.listTestRunPage(ids, { result: null, branch: null, search: null }, newest(flakyRuns)),
  ]);
  const shown = releases.rows.filter(isMeant);
  const sums = await store.releaseSums(shown, period.fromMs);
  const backs = new Set(
    deploys.filter(({ takenBackBy }) => takenBackBy !== null).map(({ deploy }) => deploy.releaseId),
  );
  const unstable = await store.listUnstableCases(
    runs.rows.filter(isMeant).map(({ id }) => id),
    flakyShown,
  );
  const total = (of: (each: ProjectReportFigures) => number): number => sum(moves.map(of));
  return {
    /** Newest first, 20 at most. */
    releases: shown.map((release) => ({
      release_id: release.id,
      project_id: release.projectId,
      project: findProjectRef(scope, release.projectId)?.name ?? '',
      version: release.version,
      created_at: formatTime(release.createdAtMs),
      new_issues: sums.get(release.id)?.newIssues ?? 0,
      regressed_issues: sums.get(release.id)?.regressedIssues ?? 0,
      was_taken_back: backs.has(release.id),
    })),
    releases_in_all: total((each) => each.releases),
    deploys: {
      all: total((each) => each.deploys),
      failed: total(({ failedDeploys }) => failedDeploys),
      taken_back: backs.size,
    },
    tests: testsOf(scope, moves),
    /** Failed or flaky cases, those of the newest runs first. */
    troubled_tests: unstable.map(({ projectId, name, file }) => ({ project_id: projectId, name, file })),
  };
}

function testsOf(scope: PageScope, moves: readonly ProjectReportFigures[]) {
  return moves
    .filter(({ testRuns }) => testRuns > 0)
    .map(({ projectId, testRuns, failedRuns, tests, passedTests }) => ({
      project_id: projectId,
      project: findProjectRef(scope, projectId)?.name ?? '',
      runs: testRuns,
      failed_runs: failedRuns,
      passed_share: tests <= 0 ? null : passedTests / tests,
    }))
    .toSorted((one, other) => (one.passed_share ?? 2) - (other.passed_share ?? 2));
}
