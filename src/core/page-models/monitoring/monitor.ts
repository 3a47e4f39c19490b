import { filtersMatch } from '../../alerts/rule-definitions.ts';
import { dayMs, getLastSlots, hourMs, minuteMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { AlertChannel } from '../../store/alerts.ts';
import type { Check, Monitor, MonitorInterval } from '../../store/monitors.ts';
import { enumParam } from '../list-params.ts';
import { pageNotFound, type RequestContext } from '../request-context.ts';
import { viewIncidentRow } from './incident-views.ts';
import { viewMonitorHead } from './monitors.ts';
import { startOfDayMs, uptimeDays, viewDays, viewErrorBudget, viewUptime } from './uptime.ts';

const subject = 'A monitor with this name';
const checksKept = 50;
const checksShown = 12;

export const monitorRanges = ['24h', '7d', '30d'] as const;
type MonitorRange = (typeof monitorRanges)[number];

const spans: Readonly<Record<MonitorRange, { readonly ms: number; readonly stepMs: number }>> = {
  '24h': { ms: dayMs, stepMs: 5 * minuteMs },
  '7d': { ms: 7 * dayMs, stepMs: 30 * minuteMs },
  '30d': { ms: 30 * dayMs, stepMs: 2 * hourMs },
};

export type CheckView = ReturnType<typeof checkView>;

export type MonitorModel = Awaited<ReturnType<typeof monitorModel>>;

export async function monitorModel(context: RequestContext) {
  const { nowMs } = context;
  const store = context.deps.store;
  const monitor = await store.findMonitor(context.path['slug'] ?? '');
  if (monitor === null) throw pageNotFound(subject);
  const range = enumParam(context, 'range', monitorRanges) ?? '24h';
  const { ms, stepMs } = spans[range];
  const from90 = startOfDayMs(nowMs) - (uptimeDays - 1) * dayMs;
  const [slices, allDays, lastDay, checks, incidents, channels, pages] = await Promise.all([
    store.monitorSlices(monitor.id, { ...getLastSlots(nowMs, ms, stepMs), stepMs }),
    store.monitorDays([monitor.id], from90, nowMs),
    store.monitorSums([monitor.id], getLastSlots(nowMs, dayMs)),
    store.lastChecks(monitor.id, checksKept),
    context.deps.store.listLinkedIncidents({ side: 'affects', kind: 'monitor', ids: [monitor.id] }, from90),
    context.deps.store.listChannels(),
    context.deps.store.listStatusPages(null),
  ]);
  const days = allDays.get(monitor.id) ?? [];
  const last = (count: number): MonitorInterval[] =>
    days.filter(({ atMs }) => atMs > startOfDayMs(nowMs) - count * dayMs);
  const sum = lastDay.get(monitor.id);
  const isWhole = context.query.get('checks') === 'all';
  return {
    ...viewMonitorHead(context, monitor),
    places: [...new Set(checks.map(({ from }) => from))].filter((from) => from !== '').toSorted(),
    figures: {
      '24h': viewUptime(sum === undefined ? [] : [sum]),
      '7d': viewUptime(last(7)),
      '30d': viewUptime(last(30)),
      '90d': viewUptime(days),
    },
    budget: viewErrorBudget(monitor.goal, last(30)),
    range,
    step_ms: stepMs,
    series: slices.map((each) => ({
      at: formatTime(each.atMs),
      median_ms: each.medianMs,
      p95_ms: each.p95Ms,
    })),
    /** In the range, oldest first. */
    trouble: listDisruptions(slices, stepMs, nowMs, monitor.stateSinceMs),
    days: viewDays(days, nowMs, uptimeDays),
    checks: checks.slice(0, isWhole ? checksKept : checksShown).map(checkView),
    checks_kept: checks.length,
    /** Of 90 days, newest first. */
    incidents: incidents.map((each) => viewIncidentRow(context, each)),
    notified: notifiedChannels(context, monitor, channels),
    components: pages.flatMap(({ slug, name, components }) =>
      components
        .filter(({ monitorIds }) => monitorIds.includes(monitor.id))
        .map((each) => ({ name: each.name, slug, page: name })),
    ),
  };
}

function checkView({ atMs, result, code, durationMs, from, message, body }: Check) {
  const view = { at: formatTime(atMs), result, code, duration_ms: durationMs, from, message };
  /** The request body of a heartbeat call. */
  return { ...view, ...(body === undefined ? {} : { body }) };
}

/** Joins adjacent slices. The start of the current period is known exactly. */
function listDisruptions(slices: readonly MonitorInterval[], stepMs: number, nowMs: number, sinceMs: number) {
  const found: Array<{ fromMs: number; toMs: number; kind: 'down' | 'degraded' }> = [];
  for (const each of slices) {
    const kind = kindOf(each, stepMs);
    if (kind === null) continue;
    const last = found.at(-1);
    if (last !== undefined && last.kind === kind && last.toMs === each.atMs) last.toMs += stepMs;
    else found.push({ fromMs: each.atMs, toMs: each.atMs + stepMs, kind });
  }
  return found.map(({ fromMs, toMs, kind }) => ({
    from: formatTime(toMs >= nowMs && sinceMs > fromMs && sinceMs < fromMs + stepMs ? sinceMs : fromMs),
    to: formatTime(Math.min(toMs, nowMs)),
    kind,
    is_open: toMs >= nowMs,
  }));
}

/** Down from an eighth of a slice on, degraded from half of it. */
function kindOf(
  { downMs, degradedMs, watchedMs }: MonitorInterval,
  stepMs: number,
): 'down' | 'degraded' | null {
  if (downMs > 0 && downMs >= Math.min(watchedMs / 2, stepMs / 8)) return 'down';
  return degradedMs > 0 && degradedMs >= watchedMs / 2 ? 'degraded' : null;
}

function notifiedChannels(context: RequestContext, monitor: Monitor, channels: readonly AlertChannel[]) {
  const project = context.projects.find(({ id }) => id === monitor.projectId)?.name ?? '';
  // Signals of monitors have no tags.
  const facts = { project, tags: [] };
  const noFacts = { environment: null, release: null, level: null };
  const isOf = ({ projectId: channelProjectId }: Pick<AlertChannel, 'projectId'>): boolean =>
    channelProjectId === null || channelProjectId === monitor.projectId;
  return channels
    .filter(isOf)
    .map(({ id, name, state, rules }) => ({
      alert_channel_id: id,
      name,
      is_paused: state === 'paused',
      rules: rules
        .filter((rule) => rule.conditions.subject === 'monitor' && isOf(rule))
        .filter(({ conditions }) => filtersMatch(conditions.filters, noFacts, facts))
        .map((rule) => rule.name),
    }))
    .filter(({ rules }) => rules.length > 0);
}
