// /monitors: all of them, those that need a look first, then group by group.
import type { VNode } from 'preact';
import { monitorStates } from '../../core/workspace/uptime/kinds.ts';
import type { MonitorRow, MonitorSort, MonitorsModel } from '../../core/workspace/uptime/monitors.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { askForm, searchField, select, submit } from '../parts/controls.ts';
import { formLink } from '../parts/form-link.ts';
import { dash, empty, hiddenCaption, nothingFits, pageHead, pager, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, sortHead, titleCell } from '../parts/table.ts';
import { smallStrip, stripKey } from '../plots/strip.ts';
import { count, counted } from '../words/numbers.ts';
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
/** A certificate that ends sooner needs a look. */
const endsSoonDays = 14;

/** The page. */
export function monitorsPage(model: MonitorsModel, frame: Frame): PageContent {
  const { counts, monitors } = model;
  const add = formLink(frame, `${path}/new`, 'Add a monitor…', 'btn primary');
  return {
    title: 'Monitors',
    main: [
      pageHead({ title: 'Monitors', ...(frame.visitor?.canAct === true ? { acts: add } : {}) }),
      counts.all === 0
        ? empty(
            'Nothing is watched yet',
            'A monitor asks a page, a port, a name or a certificate again and again, or waits for a job to report.',
          )
        : [
            stateTabs(model, frame),
            filters(model, frame),
            monitors.length === 0 ? nothing(frame) : [table(model, frame), legend()],
          ],
    ],
  };
}

function stateTabs({ asked, counts }: MonitorsModel, frame: Frame): VNode {
  const query = queryOf(asked);
  const shown = monitorStates.filter((state) => counts[state] > 0 || asked.state === state);
  return tabs(frame, 'State', [
    {
      name: 'All',
      path,
      query: { ...query, state: null },
      count: count(counts.all),
      isCurrent: asked.state === null,
    },
    ...shown.map((state) => ({
      name: monitorWords[state],
      path,
      query: { ...query, state },
      count: count(counts[state]),
      isCurrent: asked.state === state,
    })),
  ]);
}

function queryOf({ state, type, group, q, sort }: MonitorsModel['asked']): QueryMembers {
  return { state, type, group, q, sort: sort === 'need' ? null : sort };
}

function filters({ asked, types, groups }: MonitorsModel, frame: Frame): VNode {
  const { state, sort } = queryOf(asked);
  return askForm(
    frame,
    { path, label: 'Filter', kept: { state, sort } },
    searchField('q', 'Search monitors', 'Name or target', asked.q),
    ...select(
      { id: 'type', name: 'type', label: 'Type' },
      [{ value: '', name: 'Any type' }, ...types.map((type) => ({ value: type, name: type }))],
      asked.type,
    ),
    ...select(
      { id: 'group', name: 'group', label: 'Group' },
      [{ value: '', name: 'Any group' }, ...groups.map((group) => ({ value: group, name: nameOf(group) }))],
      asked.group,
    ),
    submit('Apply'),
  );
}

function nothing(frame: Frame): VNode {
  return nothingFits(
    frame,
    'No monitor fits',
    'None is in this state, of this type and group, or called so.',
    pageLink(frame, { path }, null, 'Show all monitors'),
  );
}

function table(model: MonitorsModel, frame: Frame): Content {
  const { asked, monitors, found, newer, older } = model;
  const head = (name: string, sort: MonitorSort, className: string): VNode =>
    sortHead(
      frame,
      { name, class: className },
      {
        path,
        query: { ...queryOf(asked), sort: asked.sort === sort ? null : sort },
        isCurrent: asked.sort === sort,
        ascends: sort !== 'response',
      },
    );
  const heads = [
    el('td', { class: 'lv' }),
    head('Monitor', 'name', ''),
    columnHead('30 days', 'st'),
    columnHead('24 h', 'r d2'),
    head('30 d', 'uptime', 'r d2'),
    head('Response', 'response', 'r d1'),
    head('Certificate', 'certificate', 'r d3'),
  ];
  const caption = asked.sort === 'need' ? 'Monitors, those that need a look first' : 'Monitors';
  const all = el(
    'table',
    { class: 't list mons' },
    hiddenCaption(caption),
    headRow(...heads),
    ...(asked.sort === 'need' ? grouped(monitors, frame) : [body(monitors, frame)]),
  );
  if (newer === null && older === null) return all;
  const way = (page: number | null): QueryMembers | null =>
    page === null ? null : { ...queryOf(asked), page };
  const said = `${count(monitors.length)} of ${counted(found, 'monitor')}`;
  return [all, pager(frame, { path, said, newer: way(newer), older: way(older) })];
}

/** What needs a look stands above all groups. */
function grouped(monitors: readonly MonitorRow[], frame: Frame): VNode[] {
  const needs = monitors.filter(({ state }) => state !== 'up');
  const groups = Map.groupBy(
    monitors.filter(({ state }) => state === 'up'),
    ({ group }) => group,
  );
  const named = [...groups].map(([group, rows]) => ({ name: group || 'Without a group', rows }));
  const all = needs.length === 0 ? named : [{ name: 'Need a look', rows: needs }, ...named];
  return all.map(({ name, rows }) => body(rows, frame, name));
}

function body(monitors: readonly MonitorRow[], frame: Frame, group?: string): VNode {
  const head =
    group === undefined
      ? null
      : el(
          'tr',
          { class: 'group' },
          el(
            'th',
            { colspan: 2, scope: 'rowgroup' },
            told(group, 80),
            ' ',
            el('span', { class: 'n dim' }, count(monitors.length)),
          ),
        );
  return el('tbody', null, head, ...monitors.map((each) => row(each, frame)));
}

function row(monitor: MonitorRow, frame: Frame): VNode {
  const { state, name, days, uptime_24h: day, uptime_30d: month, median_ms: median, p95_ms: p95 } = monitor;
  const response = median === null ? null : span(median);
  const slowest = p95 === null ? null : `p95 ${span(p95)}`;
  return el(
    'tr',
    null,
    cell(shapeOnly(state, monitorWords[state].toLowerCase()), 'lv'),
    titleCell(frame, {
      path: `${path}/${encodeURIComponent(monitor.slug)}`,
      title: nameOf(name),
      place: secondLine(monitor, frame),
      folded: [
        month === null ? null : el('span', { class: 'f2' }, el('b', null, uptimeText(month)), ' in 30 d'),
        response === null
          ? null
          : el('span', { class: 'f1' }, el('b', null, response), slowest === null ? null : `, ${slowest}`),
      ],
    }),
    cell(smallStrip(daysOfStrip(days, true), stripName(name, days, month)), 'st'),
    cell(uptimeText(day), 'r d2'),
    cell(uptimeText(month), 'r d2'),
    cell([response ?? dash(), slowest === null ? null : el('small', { class: 'nowrap' }, slowest)], 'r d1'),
    cell(certificate(monitor.certificate_ends_at, frame.nowMs), 'r d3'),
  );
}

/** Why it needs a look, then what is asked. */
function secondLine(monitor: MonitorRow, frame: Frame): Content {
  const why = whyWords(monitor, frame.nowMs);
  return [
    why === null ? null : [el('span', { class: monitor.state }, why), ' · '],
    monitor.type,
    ' ',
    el('code', null, told(monitor.target)),
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

/** The end of planned work lies ahead: its hour says more than its day. */
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
    ...stripKey({
      up: 'no trouble',
      degraded: 'slow',
      down: 'down',
      maintenance: 'planned work',
      none: 'not checked',
    }),
    el('span', { class: 'dim' }, 'One bar a day, UTC. Trouble stands taller.'),
  );
}
