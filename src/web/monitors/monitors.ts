import { monitorStates } from '../../core/page-models/monitoring/kinds.ts';
import type { MonitorRow, MonitorSort, MonitorsModel } from '../../core/page-models/monitoring/monitors.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { formatUptime } from '../../core/parsing/format/numbers.ts';
import { dayStripLegend, smallDayStrip } from '../charts/day-strip.ts';
import { dash, emptyState, orDash } from '../components/elements.ts';
import { iconMark, statusMark } from '../components/icons.ts';
import { listPage } from '../components/list.ts';
import { type Column, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { dueIn, formatShortTime, span } from '../formatters.ts';
import type { PageContent, PageContext, QueryParams } from '../page-context.ts';
import {
  endsSoonDays,
  monitorStateNames,
  receivesCheckIns,
  shortUntrustedName,
  shortUntrustedText,
  sinceText,
  stripTextAlternative,
  toStripDays,
} from './labels.ts';

const path = '/monitors';

export function monitorsPage(model: MonitorsModel, context: PageContext): PageContent {
  const { filters, counts, monitors, types, groups, found, newer, older } = model;
  const query = queryOf(filters);
  const add = pageLink(context, `${path}/new`, { class: 'btn primary' }, 'New monitor…');
  const states = monitorStates.filter((state) => counts[state] > 0 || filters.state === state);
  const isByNeed = filters.sort === 'need';
  return listPage(context, {
    path,
    title: 'Monitors',
    head: { actions: counts.all > 0 && context.currentUser?.canAct === true ? add : null },
    empty:
      counts.all > 0
        ? undefined
        : emptyState(
            'No monitors yet',
            'A monitor regularly checks a URL, a TCP port, a DNS record or a TLS certificate, or expects a heartbeat or check-in from a job.',
            context.currentUser?.canAct === true ? add : 'A member can create one.',
          ),
    tabs: {
      label: 'State',
      name: 'state',
      current: filters.state,
      query,
      all: [
        [null, 'All', counts.all],
        ...states.map((state) => [state, monitorStateNames[state], counts[state]] as const),
      ],
    },
    filters: {
      preserved: { state: query['state'], sort: query['sort'] },
      search: { label: 'Search monitors', hint: 'Name or target', value: filters.q },
      choices: [
        { name: 'type', label: 'Type', any: 'Any type', choices: types, chosen: filters.type },
        {
          name: 'group',
          label: 'Group',
          any: 'Any group',
          choices: groups.map((group) => ({ value: group, name: shortUntrustedName(group) })),
          chosen: filters.group,
        },
      ],
    },
    noneFits: ['No monitors match', 'No monitor has this state, type, group or name.', 'Show all monitors'],
    caption: isByNeed ? 'Monitors, those that need attention first' : 'Monitors',
    class: 't list mons',
    columns: columns(filters, context),
    rows: monitors,
    ...(isByNeed ? { groups: groupMonitors(monitors) } : {}),
    pages: { query, newer, older, all: found, noun: ['monitor'], isForMany: true },
    below: counts.all === 0 || monitors.length === 0 ? null : legend(),
  });
}

function queryOf({ state, type, group, q, sort }: MonitorsModel['filters']): QueryParams {
  return { state, type, group, q, sort: sort === 'need' ? null : sort };
}

/** Monitors that are neither up nor paused are listed before all groups. */
function groupMonitors(monitors: readonly MonitorRow[]) {
  const isCalm = ({ state }: MonitorRow): boolean => state === 'up' || state === 'paused';
  const needAttention = monitors.filter((monitor) => !isCalm(monitor));
  const others = monitors.filter(isCalm);
  const groups = Map.groupBy(others, ({ group }) => group);
  const named = [...groups].map(([group, rows]) => ({
    name: shortUntrustedText(group || 'No group', 80),
    rows,
  }));
  return needAttention.length === 0
    ? named
    : [{ name: shortUntrustedText('Needs attention', 80), rows: needAttention }, ...named];
}

function columns(filters: MonitorsModel['filters'], context: PageContext): Array<Column<MonitorRow>> {
  const by = (sort: MonitorSort) => ({
    path,
    query: { ...queryOf(filters), sort: filters.sort === sort ? null : sort },
    isCurrent: filters.sort === sort,
    ascends: sort !== 'response',
  });
  return [
    { class: 'lv', cell: ({ state }) => iconMark(state, monitorStateNames[state].toLowerCase()) },
    { name: 'Monitor', class: '', sort: by('name'), row: (monitor) => title(monitor, context) },
    { name: '30 days', class: 'st', cell: strip },
    { name: '24 h', class: 'r d2', cell: (monitor) => formatUptime(monitor.uptime_24h) },
    { name: '30 d', class: 'r d2', sort: by('uptime'), cell: (monitor) => formatUptime(monitor.uptime_30d) },
    { name: 'Response', class: 'r d1', sort: by('response'), cell: response },
    {
      name: 'Certificate',
      class: 'r d3',
      sort: by('certificate'),
      cell: (monitor) => certificate(monitor.certificate_ends_at, context.nowMs),
    },
  ];
}

function strip({ name, days, uptime_30d: month }: MonitorRow): VNode {
  return smallDayStrip(toStripDays(days, true), stripTextAlternative(name, days, month));
}

function response({ median_ms: median, p95_ms: p95 }: MonitorRow): Content {
  return [orDash(median, span), p95 === null ? null : html`<small class="nowrap">p95 ${span(p95)}</small>`];
}

function title(monitor: MonitorRow, context: PageContext): VNode {
  const { name, uptime_30d: month, median_ms: median, p95_ms: p95 } = monitor;
  const slowest = p95 === null ? null : `, p95 ${span(p95)}`;
  return titleCell(context, {
    path: `${path}/${encodeURIComponent(monitor.slug)}`,
    title: shortUntrustedName(name),
    subtitle: secondLine(monitor, context),
    folded: [
      ['f2', month === null ? null : [html`<b>${formatUptime(month)}</b>`, ' in 30 d']],
      ['f1', median === null ? null : [html`<b>${span(median)}</b>`, slowest]],
    ],
  });
}

function secondLine(monitor: MonitorRow, context: PageContext): Content {
  const reason = reasonText(monitor, context.nowMs);
  return [
    reason === null ? null : [html`<span class=${monitor.state}>${reason}</span>`, ' · '],
    monitor.type,
    ' ',
    html`<code>${shortUntrustedText(monitor.target)}</code>`,
  ];
}

function reasonText(monitor: MonitorRow, nowMs: number): Content {
  const { state, reason, state_since: since, state_until: until, next_check_at: next } = monitor;
  const untilWords = until === null ? '' : ` until ${formatShortTime(Date.parse(until), nowMs)}`;
  switch (state) {
    case 'up':
      return null;
    case 'down':
    case 'degraded':
      return [
        shortUntrustedText(reason || monitorStateNames[state].toLowerCase()),
        ` since ${sinceText(since, nowMs)}`,
      ];
    case 'maintenance':
      return `planned work${untilText(until)}`;
    case 'paused':
      return `paused${untilWords}`;
    case 'pending':
      if (reason !== '') return shortUntrustedText(reason);
      return next === null
        ? `not ${receivesCheckIns(monitor) ? 'called' : 'checked'} yet`
        : `first ${receivesCheckIns(monitor) ? 'call' : 'check'} ${dueIn(next, nowMs)}`;
  }
}

/** ` until 14:30`: a maintenance window usually ends on the same day. */
export function untilText(until: string | null): string {
  return until === null ? '' : ` until ${until.slice(11, 16)}`;
}

function certificate(endsAt: string | null, nowMs: number): Content {
  if (endsAt === null) return dash();
  const days = Math.floor((Date.parse(endsAt) - nowMs) / dayMs);
  if (days < 0) return statusMark('down', 'ended');
  return days < endsSoonDays ? statusMark('warning', `${days} d`) : `${days} d`;
}

function legend(): VNode {
  return html`<p class="key legend">
    ${dayStripLegend({
      up: 'no downtime',
      degraded: 'degraded',
      down: 'down',
      maintenance: 'maintenance',
      none: 'not checked',
    })}
    <span class="dim">One bar per day, UTC. Taller bars are days with downtime.</span>
  </p>`;
}
