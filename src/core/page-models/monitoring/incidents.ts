import { dayMs } from '../../parsing/durations.ts';
import { medianOf, sum } from '../../parsing/format/numbers.ts';
import { formatDate, formatTime } from '../../parsing/timestamps.ts';
import { type Incident, severities } from '../../store/incidents.ts';
import type { CursorPage } from '../../store/pagination.ts';
import { enumParam, pageCursors, sliceParam, textParam } from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import {
  durationMs,
  filterLinks,
  type IncidentView,
  isMaintenance,
  viewIncidentRow,
} from './incident-views.ts';
import { isViewedProject } from './monitors.ts';
import { startOfDayMs, uptimeDays } from './uptime.ts';

export const incidentTabs = ['all', 'open', 'planned', 'resolved'] as const;
export type IncidentTab = (typeof incidentTabs)[number];

export type IncidentFigures = ReturnType<typeof computeStats>;

export type IncidentsModel = Awaited<ReturnType<typeof incidentsModel>>;

const rowsAPage = 50;
const monthsOffered = 12;

export async function incidentsModel(context: RequestContext) {
  const { nowMs } = context;
  const filters = filtersOf(context);
  const today = monthText(nowMs);
  const until = filters.until ?? today;
  const from90 = startOfDayMs(nowMs) - uptimeDays * dayMs;
  const monthFrom = monthStartMs(filters.month ?? filters.day?.slice(0, 7) ?? '') ?? nowMs;
  const calendarFrom = monthStartMs(addMonths(until, -2)) ?? nowMs;
  const readFrom = Math.min(from90 - uptimeDays * dayMs, monthFrom, calendarFrom);
  const stored = await context.deps.store.listIncidents(readFrom);
  const all = stored.filter(({ projectId }) => isViewedProject(context, projectId));
  const chosen = all.filter((each) => isOfTime(each, filters, from90) && matchesFilters(each, filters));
  const fitting = chosen.filter((each) => filters.state === 'all' || tabOf(each) === filters.state);
  const sliced = sliceOf(fitting, context);
  const view = (each: Incident): IncidentView => viewIncidentRow(context, each);
  return {
    filters,
    counts: countsOf(chosen),
    figures: computeStats(all, from90, nowMs),
    calendar: buildIncidentCalendar(all, until, nowMs),
    /** Last month of the previous and the next calendar. */
    earlier: addMonths(until, -3),
    later: until < today ? ([addMonths(until, 3), today].toSorted()[0] ?? null) : null,
    months: Array.from({ length: monthsOffered }, (_, back) => addMonths(today, -back)),
    open: all.filter((each) => tabOf(each) !== 'resolved').map(view),
    found: fitting.length,
    incidents: sliced.rows.map(view),
    ...pageCursors(sliced, ({ startedAtMs, id }) => ({ atMs: startedAtMs, id })),
  };
}

type IncidentFilters = ReturnType<typeof filtersOf>;

function filtersOf(context: RequestContext) {
  const month = textParam(context, 'month');
  const until = textParam(context, 'until');
  const day = textParam(context, 'day');
  const isMonth = (text: string | null): text is string => text !== null && monthStartMs(text) !== null;
  const isDay = day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day) && isMonth(day.slice(0, 7));
  return {
    state: enumParam(context, 'state', incidentTabs) ?? 'all',
    severity: enumParam(context, 'severity', severities),
    month: isMonth(month) ? month : null,
    day: isDay ? day : null,
    q: textParam(context, 'q'),
    until: isMonth(until) && until <= monthText(context.nowMs) ? until : null,
  };
}

/** Open incidents always match; others by their start. */
function isOfTime(incident: Incident, { month, day }: IncidentFilters, from90: number): boolean {
  const startedAt = formatTime(incident.startedAtMs);
  if (day !== null) return startedAt.startsWith(day);
  if (month !== null) return startedAt.startsWith(month);
  return incident.startedAtMs >= from90 || incident.resolvedAtMs === null;
}

function matchesFilters(incident: Incident, { severity, q }: IncidentFilters): boolean {
  const text = q?.toLowerCase() ?? '';
  const words = [incident.title, incident.cause, ...incident.affects.map(({ name }) => name)];
  return (
    (severity === null || incident.severity === severity) &&
    (text === '' || words.some((word) => word.toLowerCase().includes(text)))
  );
}

function tabOf(incident: Incident): Exclude<IncidentTab, 'all'> {
  if (incident.resolvedAtMs !== null || incident.state === 'resolved') return 'resolved';
  return isMaintenance(incident) ? 'planned' : 'open';
}

function countsOf(incidents: readonly Incident[]) {
  const counts = { all: incidents.length, open: 0, planned: 0, resolved: 0 };
  for (const each of incidents) counts[tabOf(each)] += 1;
  return counts;
}

function sliceOf(incidents: readonly Incident[], context: RequestContext): CursorPage<Incident> {
  const { after, before, limit } = sliceParam(context, rowsAPage);
  const cursor = after ?? before;
  if (cursor === null) {
    return { rows: incidents.slice(0, limit), hasNewer: false, hasOlder: incidents.length > limit };
  }
  const isOlder = ({ startedAtMs, id }: Incident): boolean =>
    startedAtMs < cursor.atMs || (startedAtMs === cursor.atMs && id < cursor.id);
  const first = incidents.findIndex(isOlder);
  const cut = first === -1 ? incidents.length : first;
  const isSelf = incidents[cut - 1]?.id === cursor.id && before !== null ? 1 : 0;
  const from = after !== null ? cut : Math.max(0, cut - isSelf - limit);
  const to = after !== null ? cut + limit : cut - isSelf;
  return { rows: incidents.slice(from, to), hasNewer: from > 0, hasOlder: to < incidents.length };
}

function computeStats(all: readonly Incident[], from90: number, nowMs: number) {
  const unplanned = all.filter((each) => !isMaintenance(each));
  const started = unplanned.filter(({ startedAtMs }) => startedAtMs >= from90);
  const open = unplanned.filter(({ resolvedAtMs }) => resolvedAtMs === null);
  const incidentMs = totalIncidentMs(unplanned, from90, nowMs);
  const linkedTo = (kind: 'release' | 'issue'): number =>
    started.filter((each) => filterLinks(each, 'linked').some((link) => link.kind === kind)).length;
  const ends = unplanned.flatMap(({ resolvedAtMs }) => (resolvedAtMs === null ? [] : [resolvedAtMs]));
  return {
    open: open.length,
    open_critical: open.filter(({ severity }) => severity === 'critical').length,
    /** Started in the last 90 days, and in the 90 days before, without maintenance. */
    in_90_days: started.length,
    in_90_days_before: unplanned.filter(
      ({ startedAtMs }) => startedAtMs < from90 && startedAtMs >= from90 - uptimeDays * dayMs,
    ).length,
    ...computeDurations(started, nowMs),
    trouble_ms: incidentMs,
    trouble_share: incidentMs / Math.max(1, nowMs - from90),
    linked_to_release: linkedTo('release'),
    linked_to_issue: linkedTo('issue'),
    last_resolved_at: ends.length === 0 ? null : formatTime(Math.max(...ends)),
  };
}

export function computeDurations(incidents: readonly Incident[], nowMs: number) {
  const seen = incidents.flatMap(({ acknowledgedAtMs, startedAtMs }) =>
    acknowledgedAtMs === null ? [] : [acknowledgedAtMs - startedAtMs],
  );
  const over = incidents.filter(({ resolvedAtMs }) => resolvedAtMs !== null);
  return {
    to_acknowledge: durationStats(seen),
    to_resolve: durationStats(over.map((each) => durationMs(each, nowMs))),
  };
}

function durationStats(values: readonly number[]) {
  return { median_ms: medianOf(values), longest_ms: values.length === 0 ? null : Math.max(...values) };
}

/** Time in a range with at least one open incident. */
function totalIncidentMs(incidents: readonly Incident[], fromMs: number, toMs: number): number {
  const spans = incidents
    .map(({ startedAtMs, resolvedAtMs }) => [
      Math.max(startedAtMs, fromMs),
      Math.min(resolvedAtMs ?? toMs, toMs),
    ])
    .sort(([one = 0], [other = 0]) => one - other);
  let sum = 0;
  let reached = fromMs;
  for (const [from = 0, to = 0] of spans) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}

export type CalendarDay = ReturnType<typeof calendarDay>;

function monthText(atMs: number): string {
  return formatTime(atMs).slice(0, 7);
}

function monthStartMs(month: string): number | null {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) return null;
  const atMs = Date.parse(`${month}-01T00:00:00Z`);
  return Number.isFinite(atMs) && atMs >= 0 ? atMs : null;
}

/** `count` may be negative. */
function addMonths(month: string, count: number): string {
  const [year = 0, of = 1] = month.split('-').map(Number);
  return monthText(Date.UTC(year, of - 1 + count, 1));
}

/** Incidents by the day they started on, in UTC, without maintenance. */
function buildIncidentCalendar(incidents: readonly Incident[], until: string, nowMs: number) {
  const byDay = Map.groupBy(
    incidents.filter((each) => !isMaintenance(each)),
    ({ startedAtMs }) => startOfDayMs(startedAtMs),
  );
  return [-2, -1, 0].map((back) => {
    const month = addMonths(until, back);
    const fromMs = monthStartMs(month) ?? 0;
    const toMs = monthStartMs(addMonths(month, 1)) ?? fromMs;
    const days = Array.from({ length: Math.round((toMs - fromMs) / dayMs) }, (_, at) =>
      calendarDay(fromMs + at * dayMs, byDay.get(fromMs + at * dayMs) ?? [], nowMs),
    );
    return { month, days };
  });
}

function calendarDay(atMs: number, started: readonly Incident[], nowMs: number) {
  const today = startOfDayMs(nowMs);
  const when: 'past' | 'today' | 'to_come' = atMs < today ? 'past' : atMs === today ? 'today' : 'to_come';
  return {
    date: formatDate(atMs),
    trouble_ms: sum(started.map((each) => durationMs(each, nowMs))),
    incidents: started.length,
    was_down: started.some(({ severity }) => severity === 'critical'),
    when,
  };
}
