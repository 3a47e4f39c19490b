// What one report says: a week or a month over all projects, computed of what the other pages show, and
// compared with the period before.
import type { Level } from '../../../../schemas/event.ts';
import type { BusyIssue, ProjectMoves, ReportRange } from '../../store/uptime/reports.ts';
import { projectIdsOf } from '../delivery/lists.ts';
import { type BudgetView, budgetView, uptimeView } from '../uptime/figures.ts';
import { type IncidentView, incidentView } from '../uptime/incident-views.ts';
import { isLookedAt, projectName } from '../uptime/monitors.ts';
import { lookedAt, notHere, reportsOf, uptimeOf, type Visit } from '../visit.ts';
import { type DeliverySection, deliverySection } from './delivery-section.ts';
import { type EndingView, endingSoon } from './ending.ts';
import { type EventsSection, eventsSection } from './events-section.ts';
import { after, before, type Period, type PeriodView, periodOf, periodView } from './period.ts';
import { comparedRange, incidentsWithin, type Read, readRange, type Sums, sumsOf, within } from './sums.ts';

const topIssues = 10;

interface ReportProject {
  readonly project_id: number;
  readonly name: string;
  readonly events: number;
  /** In the time that it is compared with. */
  readonly events_before: number;
  readonly new_issues: number;
  readonly resolved_issues: number;
  readonly regressed_issues: number;
}

interface ReportIssue {
  readonly issue_id: number;
  readonly project: string;
  readonly title: string;
  readonly culprit: string;
  readonly level: Level;
  readonly events: number;
}

interface ReportMonitor {
  readonly slug: string;
  readonly name: string;
  readonly uptime: number | null;
  readonly down_ms: number;
  readonly budget: BudgetView;
}

export interface ReportModel extends DeliverySection {
  readonly period: PeriodView;
  readonly previous: PeriodView;
  /** Null where this one is still running. */
  readonly next: PeriodView | null;
  readonly sums: Sums;
  readonly sums_before: Sums;
  readonly errors: EventsSection;
  readonly projects: readonly ReportProject[];
  readonly top_issues: readonly ReportIssue[];
  /** Those that used most of their budget first. */
  readonly monitors: readonly ReportMonitor[];
  /** That began in it, oldest first. */
  readonly incidents: readonly IncidentView[];
  /** Certificates, proofs and keys that end soon, or hold no more. */
  readonly ending: readonly EndingView[];
  readonly alerts: ReadonlyArray<{
    readonly channel_id: number;
    readonly name: string;
    readonly sent: number;
    readonly arrived: number;
  }>;
}

/** The report that the path names. */
export async function reportModel(visit: Visit): Promise<ReportModel> {
  const { nowMs } = visit;
  const period = periodOf(visit.path['period'] ?? '');
  if (period === null) throw notHere('A report of this name');
  if (period.fromMs > nowMs) throw notHere('A report of a time to come');
  const past = before(period);
  const compared = comparedRange(past, period, nowMs);
  const read = await readRange(visit, { fromMs: past.fromMs, toMs: period.toMs });
  const [sums, sumsBefore, errors, projects, busy, delivery, ending, alerts] = await Promise.all([
    sumsOf(visit, period, read),
    sumsOf(visit, compared, read),
    eventsSection(visit, period),
    projectsOf(visit, period, compared),
    reportsOf(visit).busiestIssues(projectIdsOf(visit), period, topIssues),
    deliverySection(visit, period, read.runs),
    endingSoon(visit),
    alertsOf(visit, period),
  ]);
  return {
    period: periodView(period, nowMs),
    previous: periodView(past, nowMs),
    next: nowMs < period.toMs ? null : periodView(after(period), nowMs),
    sums,
    sums_before: sumsBefore,
    errors,
    projects,
    top_issues: busy.map((issue) => issueView(visit, issue)),
    monitors: await monitorsOf(visit, period, read),
    incidents: incidentsWithin(read.incidents, period)
      .map((each) => incidentView(visit, each))
      .toReversed(),
    ...delivery,
    ending,
    alerts,
  };
}

function issueView(visit: Visit, { id, projectId, title, culprit, level, events }: BusyIssue): ReportIssue {
  const project = projectName(visit, projectId)?.name ?? '';
  return { issue_id: id, project, title, culprit, level, events };
}

async function projectsOf(visit: Visit, range: ReportRange, compared: ReportRange): Promise<ReportProject[]> {
  const ids = projectIdsOf(visit);
  const store = reportsOf(visit);
  const [now, past] = await Promise.all([store.projectMoves(ids, range), store.projectMoves(ids, compared)]);
  const of = (moves: readonly ProjectMoves[], id: number): ProjectMoves | undefined =>
    moves.find(({ projectId }) => projectId === id);
  return lookedAt(visit).map(({ id, name }) => ({
    project_id: id,
    name,
    events: of(now, id)?.events ?? 0,
    events_before: of(past, id)?.events ?? 0,
    new_issues: of(now, id)?.newIssues ?? 0,
    resolved_issues: of(now, id)?.resolvedIssues ?? 0,
    regressed_issues: of(now, id)?.regressedIssues ?? 0,
  }));
}

async function monitorsOf(visit: Visit, period: Period, { days }: Read): Promise<ReportMonitor[]> {
  const monitors = (await uptimeOf(visit).listMonitors()).filter((each) => isLookedAt(visit, each.projectId));
  return monitors
    .map(({ id, slug, name, goal }) => {
      const own = (days.get(id) ?? []).filter(({ atMs }) => within(atMs, period));
      const { uptime, down_ms: downMs } = uptimeView(own);
      return { slug, name, uptime, down_ms: downMs, budget: budgetView(goal, own) };
    })
    .filter(({ uptime }) => uptime !== null)
    .toSorted((one, other) => (other.budget.share ?? 0) - (one.budget.share ?? 0));
}

async function alertsOf(visit: Visit, { fromMs, toMs }: Period): Promise<ReportModel['alerts']> {
  const store = uptimeOf(visit);
  const [channels, days] = await Promise.all([
    store.listChannels(),
    store.deliveryDays(fromMs, Math.min(toMs - 1, visit.nowMs)),
  ]);
  return channels
    .map(({ id, name }) => {
      const own = (days.get(id) ?? []).filter(({ atMs }) => within(atMs, { fromMs, toMs }));
      const arrived = own.reduce((sum, day) => sum + day.arrived, 0);
      const sent = own.reduce((sum, day) => sum + day.notArrived, arrived);
      return { channel_id: id, name, sent, arrived };
    })
    .filter(({ sent }) => sent > 0);
}
