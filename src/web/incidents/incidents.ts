import type { IncidentView } from '../../core/page-models/monitoring/incident-views.ts';
import {
  type IncidentFigures,
  type IncidentsModel,
  type IncidentTab,
  incidentTabs,
} from '../../core/page-models/monitoring/incidents.ts';
import { severities } from '../../core/page-models/monitoring/kinds.ts';
import { dayMs, hourMs } from '../../core/parsing/durations.ts';
import { formatDurationToHour, formatDurationToMinute } from '../../core/parsing/format/numbers.ts';
import { meter } from '../charts/meter.ts';
import { dash, emptyState, facts, noResults, pageHead } from '../components/elements.ts';
import { capitalize, statusMark } from '../components/icons.ts';
import { listSection } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatDayAndTime, formatShortTime, percent, timeElement } from '../formatters.ts';
import {
  durationFact,
  firstNames,
  incidentMark,
  isScheduled,
  severityFill,
  severityIcon,
  shortUntrustedName,
  shortUntrustedText,
} from '../monitors/labels.ts';
import { untilText } from '../monitors/monitors.ts';
import type { PageContent, PageContext, QueryParams } from '../page-context.ts';
import { calendarSection, monthName } from './incident-calendar.ts';

const path = '/incidents';
/** The duration bar is full at two hours. */
const barMs = 2 * hourMs;

const tabNames: Readonly<Record<IncidentTab, string>> = {
  all: 'All',
  open: 'Open',
  planned: 'Planned',
  resolved: 'Resolved',
};

export function incidentsPage(model: IncidentsModel, context: PageContext): PageContent {
  const open = pageLink(context, '/incidents/new', { class: 'btn primary' }, 'New incident…');
  const plan = pageLink(context, '/incidents/plan', { class: 'btn' }, 'Schedule maintenance…');
  return {
    title: 'Incidents',
    main: [
      pageHead({ title: 'Incidents', actions: context.currentUser?.canAct === true ? [plan, open] : null }),
      html`<p class="bulletin">${summaryText(model, context)}</p>`,
      list(model, context),
      html`<div class="sec">${incidentFacts(model.figures)}</div>`,
      calendarSection(model, context),
    ],
  };
}

function summaryText({ open, figures: of }: IncidentsModel, context: PageContext): Content[] {
  const unplanned = open.filter(({ severity }) => severity !== 'planned');
  const [first, second] = unplanned;
  const daysSinceLast =
    of.last_resolved_at === null ? 0 : Math.floor((context.nowMs - Date.parse(of.last_resolved_at)) / dayMs);
  if (first === undefined) {
    if (of.last_resolved_at === null) return ['No incidents in the last 90 days.'];
    const since =
      daysSinceLast < 1
        ? 'the last one ended today'
        : `the last one ended ${counted(daysSinceLast, 'day')} ago`;
    return [`No incident is open; ${since}.`];
  }
  const named = (each: IncidentView): Content =>
    pageLink(context, `${path}/${each.incident_id}`, null, shortUntrustedText(each.title));
  const rest = unplanned.length - 2;
  return [
    named(first),
    [', for ', html`<span class="nowrap">${formatDurationToMinute(first.lasted_ms)}</span>`, ' now'],
    second === undefined
      ? null
      : [
          '; ',
          named(second),
          ', for ',
          html`<span class="nowrap">${formatDurationToMinute(second.lasted_ms)}</span>`,
        ],
    rest > 0 ? `; and ${count(rest)} more` : null,
    '.',
  ];
}

function incidentFacts(of: IncidentFigures): VNode {
  const { in_90_days: now, in_90_days_before: before } = of;
  const compared =
    before === 0
      ? 'without maintenance'
      : now === before
        ? 'as many as in the 90 before'
        : `${count(Math.abs(now - before))} ${now > before ? 'more' : 'less'} than in the 90 before`;
  const share = of.trouble_share;
  return facts(
    [
      [
        'Open',
        of.open === 0 ? 'none' : count(of.open),
        of.open_critical === 0
          ? of.open === 0
            ? 'none'
            : 'none critical'
          : statusMark('down', `${count(of.open_critical)} critical`),
      ],
      ['In 90 days', count(now), compared],
      ['Time to acknowledge', ...durationFact(of.to_acknowledge)],
      ['Time to resolve', ...durationFact(of.to_resolve)],
      ['Total duration', formatDurationToHour(of.trouble_ms), `${percent(share, 1, 2)} of the time`],
      [
        'Linked to a release',
        of.linked_to_release === 0 ? 'none' : count(of.linked_to_release),
        of.linked_to_issue === 0 ? 'and none to an issue' : `and ${count(of.linked_to_issue)} to an issue`,
      ],
    ],
    'big',
  );
}

function queryOf({ state, severity, month, day, q, until }: IncidentsModel['filters']): QueryParams {
  return { state: state === 'all' ? null : state, severity, month, day, q, until };
}

function list(model: IncidentsModel, context: PageContext): Content {
  const { filters, counts, months, incidents, found, newer, older } = model;
  const query = queryOf(filters);
  return listSection(context, {
    path,
    tabs: {
      label: 'State',
      name: 'state',
      current: filters.state,
      usual: 'all',
      query,
      all: incidentTabs.map((state) => [state, tabNames[state], counts[state]]),
    },
    filters: {
      preserved: { state: query['state'], until: filters.until, day: filters.day },
      search: { label: 'Search incidents', hint: 'Title, monitor or cause', value: filters.q },
      choices: [
        {
          name: 'severity',
          label: 'Severity',
          any: 'Any severity',
          choices: severities.map((value) => ({ value, name: capitalize(value) })),
          chosen: filters.severity,
        },
        {
          name: 'month',
          label: 'Month',
          any: 'Last 90 days',
          choices: months.map((value) => ({ value, name: monthName(value, true) })),
          chosen: filters.month,
        },
      ],
    },
    noRows: emptyList(model, context),
    caption: 'Incidents, newest first',
    columns: columns(context),
    rows: incidents,
    groups: groupsOf(incidents, context.nowMs),
    pages: { query, newer, older, all: found, noun: ['incident'], isForMany: true },
  });
}

function emptyList({ filters, counts }: IncidentsModel, context: PageContext): VNode {
  const isFiltered = filters.q !== null || filters.severity !== null || filters.state !== 'all';
  if (counts.all === 0 && !isFiltered) {
    const when = filters.day ?? (filters.month === null ? '90 days' : monthName(filters.month, true));
    return emptyState(
      'No incidents in this time',
      `No incident began in ${when}. Monitors that go down open them, and members do.`,
    );
  }
  const all = pageLink(context, path, null, 'Show all incidents');
  return noResults(context, 'No incidents match', 'No incident has this state, time or name.', all);
}

function plannedLast({ severity, is_over: isOver }: IncidentView): number {
  return !isOver && severity === 'planned' ? 1 : 0;
}

function groupsOf(incidents: readonly IncidentView[], nowMs: number) {
  const first = ['Now', 'Scheduled'];
  const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  const groups = Map.groupBy(incidents, (each) =>
    each.is_over
      ? monthName(each.started_at.slice(0, 7), false)
      : isScheduled(each, nowMs)
        ? 'Scheduled'
        : 'Now',
  );
  return [...groups]
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .map(([name, all]) => ({
      name,
      rows: all.toSorted((one, other) => plannedLast(one) - plannedLast(other)),
    }));
}

function columns(context: PageContext): Array<Column<IncidentView>> {
  const isLater = (incident: IncidentView): boolean => isScheduled(incident, context.nowMs);
  return [
    { class: 'lv', cell: ({ severity }) => severityIcon(severity) },
    { name: 'Incident', row: (incident) => title(incident, context) },
    column('State', 'd2 w8', 'd2 w8 nowrap', ({ state, severity, started_at: at }) => [
      incidentMark(state, severity),
      html`<small>${timeElement(at, formatDayAndTime(Date.parse(at)), false)}</small>`,
    ]),
    { name: 'Scale: 2 h', class: 'd3 w8', cell: (each) => (isLater(each) ? null : durationBar(each)) },
    column('Duration', 'r w6', 'r w6 nowrap', (each) =>
      isLater(each) || each.is_canceled
        ? dash()
        : [formatDurationToMinute(each.lasted_ms), each.is_over ? null : html`<small>so far</small>`],
    ),
    column('Post-mortem', 'd1 w8 gapl', 'd1 w8 gapl soft', ({ has_post_mortem: has, is_over: isOver }) =>
      has ? 'written' : isOver ? 'none' : dash(),
    ),
  ];
}

function title(incident: IncidentView, context: PageContext): VNode {
  const { state, severity, started_at: at, is_over: isOver } = incident;
  return titleCell(context, {
    path: `${path}/${incident.incident_id}`,
    title: shortUntrustedName(incident.title),
    subtitle: secondLine(incident),
    folded: [
      ['f2', isOver ? formatShortTime(Date.parse(at), context.nowMs) : incidentMark(state, severity)],
      ['f1', incident.has_post_mortem ? 'post-mortem written' : null],
    ],
  });
}

function durationBar({ lasted_ms: lasted, severity }: IncidentView): VNode {
  const length = formatDurationToMinute(lasted);
  const name = lasted > barMs ? `${length}, longer than the scale` : length;
  return meter({ part: Math.min(lasted, barMs), all: barMs, name, fill: severityFill(severity) });
}

function secondLine({
  affects,
  cause,
  planned_end_at: ends,
  is_over: isOver,
  is_canceled: isCanceled,
}: IncidentView): Content {
  const details = [
    affects.length === 0 ? null : firstNames(affects),
    cause === '' ? null : shortUntrustedText(cause),
    isCanceled ? 'canceled' : null,
    ends === null || isOver ? null : `planned${untilText(ends)}`,
  ].filter((part) => part !== null);
  return details.flatMap((part, at) => (at === 0 ? [part] : [', ', part]));
}
