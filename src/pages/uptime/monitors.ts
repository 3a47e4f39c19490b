import type { VNode } from 'preact';
import { monitorStates } from '../../core/workspace/uptime/kinds.ts';
import type { MonitorRow, MonitorSort, MonitorsModel } from '../../core/workspace/uptime/monitors.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { formLink } from '../parts/form-link.ts';
import { dash, empty } from '../parts/layout.ts';
import { listPage } from '../parts/list.ts';
import { mark } from '../parts/mark.ts';
import { type Column, titleCell } from '../parts/table.ts';
import { smallStrip, stripKey } from '../plots/strip.ts';
import { distance, shortMoment, span } from '../words/times.ts';
import {
  daysOfStrip,
  isCalled,
  monitorWords,
  nameOf,
  shapeOnly,
  sinceText,
  stripName,
  told,
  uptimeText,
} from './words.ts';

const path = '/monitors';
const dayMs = 86_400_000;
/** Days before expiry from which a warning is shown. */
const endsSoonDays = 14;

export function monitorsPage(model: MonitorsModel, frame: Frame): PageContent {
  const { asked, counts, monitors, types, groups, found, newer, older } = model;
  const query = queryOf(asked);
  const add = formLink(frame, `${path}/new`, 'New monitor…', 'btn primary');
  const states = monitorStates.filter((state) => counts[state] > 0 || asked.state === state);
  const isByNeed = asked.sort === 'need';
  return listPage(frame, {
    path,
    title: 'Monitors',
    head: { acts: frame.visitor?.canAct === true ? add : null },
    empty:
      counts.all > 0
        ? undefined
        : empty(
            'No monitors yet',
            'A monitor regularly checks a URL, a TCP port, a DNS record or a TLS certificate, or expects a heartbeat or check-in from a job.',
          ),
    tabs: {
      label: 'State',
      name: 'state',
      current: asked.state,
      query,
      all: [
        [null, 'All', counts.all],
        ...states.map((state) => [state, monitorWords[state], counts[state]] as const),
      ],
    },
    filters: {
      kept: { state: query['state'], sort: query['sort'] },
      search: { label: 'Search monitors', hint: 'Name or target', value: asked.q },
      choices: [
        { name: 'type', label: 'Type', any: 'Any type', choices: types, chosen: asked.type },
        {
          name: 'group',
          label: 'Group',
          any: 'Any group',
          choices: groups.map((group) => ({ value: group, name: nameOf(group) })),
          chosen: asked.group,
        },
      ],
    },
    noneFits: ['No monitors match', 'No monitor has this state, type, group or name.', 'Show all monitors'],
    caption: isByNeed ? 'Monitors, those that need attention first' : 'Monitors',
    class: 't list mons',
    columns: columns(asked, frame),
    rows: monitors,
    ...(isByNeed ? { groups: grouped(monitors) } : {}),
    pages: { query, newer, older, all: found, noun: ['monitor'], isForMany: true },
    below: counts.all === 0 || monitors.length === 0 ? null : legend(),
  });
}

function queryOf({ state, type, group, q, sort }: MonitorsModel['asked']): QueryMembers {
  return { state, type, group, q, sort: sort === 'need' ? null : sort };
}

/** Monitors that are not up are listed before all groups. */
function grouped(monitors: readonly MonitorRow[]) {
  const needs = monitors.filter(({ state }) => state !== 'up');
  const calm = monitors.filter(({ state }) => state === 'up');
  const groups = Map.groupBy(calm, ({ group }) => group);
  const named = [...groups].map(([group, rows]) => ({ name: told(group || 'No group', 80), rows }));
  return needs.length === 0 ? named : [{ name: told('Needs attention', 80), rows: needs }, ...named];
}

function columns(asked: MonitorsModel['asked'], frame: Frame): Array<Column<MonitorRow>> {
  const by = (sort: MonitorSort) => ({
    path,
    query: { ...queryOf(asked), sort: asked.sort === sort ? null : sort },
    isCurrent: asked.sort === sort,
    ascends: sort !== 'response',
  });
  return [
    { class: 'lv', cell: ({ state }) => shapeOnly(state, monitorWords[state].toLowerCase()) },
    { name: 'Monitor', class: '', sort: by('name'), row: (monitor) => title(monitor, frame) },
    { name: '30 days', class: 'st', cell: strip },
    { name: '24 h', class: 'r d2', cell: (monitor) => uptimeText(monitor.uptime_24h) },
    { name: '30 d', class: 'r d2', sort: by('uptime'), cell: (monitor) => uptimeText(monitor.uptime_30d) },
    { name: 'Response', class: 'r d1', sort: by('response'), cell: response },
    {
      name: 'Certificate',
      class: 'r d3',
      sort: by('certificate'),
      cell: (monitor) => certificate(monitor.certificate_ends_at, frame.nowMs),
    },
  ];
}

function strip({ name, days, uptime_30d: month }: MonitorRow): VNode {
  return smallStrip(daysOfStrip(days, true), stripName(name, days, month));
}

function response({ median_ms: median, p95_ms: p95 }: MonitorRow): Content {
  return [
    median === null ? dash() : span(median),
    p95 === null ? null : html`<small class="nowrap">p95 ${span(p95)}</small>`,
  ];
}

function title(monitor: MonitorRow, frame: Frame): VNode {
  const { name, uptime_30d: month, median_ms: median, p95_ms: p95 } = monitor;
  const slowest = p95 === null ? null : `, p95 ${span(p95)}`;
  return titleCell(frame, {
    path: `${path}/${encodeURIComponent(monitor.slug)}`,
    title: nameOf(name),
    place: secondLine(monitor, frame),
    folded: [
      ['f2', month === null ? null : [html`<b>${uptimeText(month)}</b>`, ' in 30 d']],
      ['f1', median === null ? null : [html`<b>${span(median)}</b>`, slowest]],
    ],
  });
}

function secondLine(monitor: MonitorRow, frame: Frame): Content {
  const why = whyWords(monitor, frame.nowMs);
  return [
    why === null ? null : [html`<span class=${monitor.state}>${why}</span>`, ' · '],
    monitor.type,
    ' ',
    html`<code>${told(monitor.target)}</code>`,
  ];
}

function whyWords(monitor: MonitorRow, nowMs: number): Content {
  const { state, reason, state_since: since, state_until: until, next_check_at: next } = monitor;
  const untilWords = until === null ? '' : ` until ${shortMoment(Date.parse(until), nowMs)}`;
  switch (state) {
    case 'up':
      return null;
    case 'down':
    case 'degraded':
      return [told(reason || monitorWords[state].toLowerCase()), ` since ${sinceText(since, nowMs)}`];
    case 'maintenance':
      return `planned work${untilEnd(until)}`;
    case 'paused':
      return `paused${untilWords}`;
    case 'pending':
      if (reason !== '') return told(reason);
      return next === null
        ? `not ${isCalled(monitor) ? 'called' : 'checked'} yet`
        : `first ${isCalled(monitor) ? 'call' : 'check'} in ${distance(Math.max(0, Date.parse(next) - nowMs))}`;
  }
}

/** ` until 14:30`: a maintenance window usually ends on the same day. */
export function untilEnd(until: string | null): string {
  return until === null ? '' : ` until ${until.slice(11, 16)}`;
}

function certificate(endsAt: string | null, nowMs: number): Content {
  if (endsAt === null) return dash();
  const days = Math.floor((Date.parse(endsAt) - nowMs) / dayMs);
  if (days < 0) return mark('down', 'ended');
  return days < endsSoonDays ? mark('warning', `${days} d`) : `${days} d`;
}

function legend(): VNode {
  return el(
    'p',
    { class: 'key legend' },
    stripKey({
      up: 'no downtime',
      degraded: 'slow',
      down: 'down',
      maintenance: 'maintenance',
      none: 'not checked',
    }),
    html`<span class="dim">One bar per day, UTC. Taller bars are days with downtime.</span>`,
  );
}
