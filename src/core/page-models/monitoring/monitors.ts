import { viewMonitor } from '../../monitors/views.ts';
import { dayMs, getLastSlots } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import {
  type Monitor,
  type MonitorInterval,
  type MonitorRecord,
  type MonitorTotals,
  monitorStates,
  monitorTypes,
} from '../../store/monitors.ts';
import { enumParam, type ProjectRef, pageNumberParam, textParam } from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { startOfDayMs, viewDays, viewUptime } from './uptime.ts';

const monitorSorts = ['need', 'name', 'uptime', 'response', 'certificate'] as const;
export type MonitorSort = (typeof monitorSorts)[number];

export type MonitorRow = ReturnType<typeof rowOf>;

export type MonitorsModel = Awaited<ReturnType<typeof monitorsModel>>;

const rowsAPage = 100;
const daysOfList = 30;

export async function monitorsModel(context: RequestContext) {
  const store = context.deps.store;
  const all = await listViewedMonitors(context);
  const counts = { all: all.length, down: 0, degraded: 0, maintenance: 0, pending: 0, paused: 0, up: 0 };
  for (const { state } of all) counts[state] += 1;
  const filters = filtersOf(context);
  const fitting = all.filter((each) => matchesFilters(each, filters));
  const ids = fitting.map(({ id }) => id);
  const fromMs = startOfDayMs(context.nowMs) - (daysOfList - 1) * dayMs;
  const [days, sums] = await Promise.all([
    store.monitorDays(ids, fromMs, context.nowMs),
    store.monitorSums(ids, getLastSlots(context.nowMs, dayMs)),
  ]);
  const rows = fitting
    .map((each) => rowOf(context, each, days.get(each.id) ?? [], sums.get(each.id) ?? null))
    .sort(orders[filters.sort]);
  const from = (filters.page - 1) * rowsAPage;
  return {
    filters,
    counts,
    types: monitorTypes.filter((type) => all.some((each) => each.type === type)),
    groups: [...new Set(all.map(({ group }) => group))].filter((group) => group !== ''),
    found: rows.length,
    monitors: rows.slice(from, from + rowsAPage),
    newer: filters.page > 1 ? filters.page - 1 : null,
    older: from + rowsAPage < rows.length ? filters.page + 1 : null,
  };
}

export async function listViewedMonitors(context: Pick<RequestContext, 'deps' | 'project'>) {
  const monitors = await context.deps.store.listMonitors(null);
  return monitors.filter(({ projectId }) => isViewedProject(context, projectId));
}

/** Monitors without a project are only shown when all projects are. */
export function isViewedProject(
  { project }: Pick<RequestContext, 'project'>,
  projectId: number | null,
): boolean {
  return project === null || project.id === projectId;
}

function filtersOf(context: RequestContext) {
  return {
    state: enumParam(context, 'state', monitorStates),
    type: enumParam(context, 'type', monitorTypes),
    group: textParam(context, 'group'),
    q: textParam(context, 'q'),
    sort: enumParam(context, 'sort', monitorSorts) ?? 'need',
    page: pageNumberParam(context),
  };
}

function matchesFilters(monitor: Monitor, filters: ReturnType<typeof filtersOf>): boolean {
  const text = filters.q?.toLowerCase() ?? '';
  const words = [monitor.name, monitor.target, monitor.group, ...monitor.tags];
  return (
    (filters.state === null || monitor.state === filters.state) &&
    (filters.type === null || monitor.type === filters.type) &&
    (filters.group === null || monitor.group === filters.group) &&
    (text === '' || words.some((word) => word.toLowerCase().includes(text)))
  );
}

function rowOf(
  context: RequestContext,
  monitor: MonitorRecord,
  days: readonly MonitorInterval[],
  sum: MonitorTotals | null,
) {
  return {
    ...viewMonitorHead(context, monitor),
    uptime_24h: sum === null ? null : viewUptime([sum]).uptime,
    uptime_30d: viewUptime(days).uptime,
    days: viewDays(days, context.nowMs, daysOfList),
  };
}

export function viewMonitorHead(context: RequestContext, monitor: MonitorRecord) {
  return {
    ...viewMonitor(monitor),
    type: monitor.type,
    project: findProjectRef(context, monitor.projectId),
    state_until: formatTime(monitor.stateUntilMs),
  };
}

export function findProjectRef(
  { projects }: Pick<RequestContext, 'projects'>,
  id: number | null,
): ProjectRef | null {
  const project = projects.find((each) => each.id === id);
  return project === undefined ? null : { project_id: project.id, name: project.name };
}

type Order = (one: MonitorRow, other: MonitorRow) => number;

const byName: Order = (one, other) => one.name.localeCompare(other.name, 'en');
/** A stable sort: monitors in the same state keep their order. */
const byNeed: Order = (one, other) => monitorStates.indexOf(one.state) - monitorStates.indexOf(other.state);

/** Ascending; missing values last. */
function ascendingBy(read: (row: MonitorRow) => number | null): Order {
  return (one, other) =>
    (read(one) ?? Number.POSITIVE_INFINITY) - (read(other) ?? Number.POSITIVE_INFINITY) || byName(one, other);
}

const orders: Readonly<Record<MonitorSort, Order>> = {
  need: byNeed,
  name: byName,
  uptime: ascendingBy(({ uptime_30d: uptime }) => uptime),
  response: ascendingBy(({ median_ms: median }) => (median === null ? null : -median)),
  certificate: ascendingBy(({ certificate_ends_at: at }) => (at === null ? null : Date.parse(at))),
};
