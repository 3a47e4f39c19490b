// /incidents: what goes on, three months, how quickly things were seen to, and the list by month.
import type { VNode } from 'preact';
import { dayMs, hourMs } from '../../core/reading/spans.ts';
import type { IncidentView } from '../../core/workspace/uptime/incident-views.ts';
import {
  type IncidentFigures,
  type IncidentsModel,
  type IncidentTab,
  incidentTabs,
} from '../../core/workspace/uptime/incidents.ts';
import { severities } from '../../core/workspace/uptime/kinds.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { askForm, searchField, select, submit } from '../parts/controls.ts';
import { formLink } from '../parts/form-link.ts';
import { dash, empty, facts, hiddenCaption, nothingFits, pageHead, pager, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { capitalized, mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { moment } from '../parts/time.ts';
import { meter } from '../plots/meter.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { dayAndTime, shortMoment } from '../words/times.ts';
import { calendarSection, monthName } from './incident-calendar.ts';
import { untilEnd } from './monitors.ts';
import {
  firstOf,
  incidentMark,
  isToCome,
  largeLength,
  lengthFact,
  lengthText,
  nameOf,
  severityFill,
  severityShape,
  told,
} from './words.ts';

const path = '/incidents';
/** The bar of a length is full at so much. */
const barMs = 2 * hourMs;

const tabNames: Readonly<Record<IncidentTab, string>> = {
  all: 'All',
  open: 'Open',
  planned: 'Planned',
  resolved: 'Resolved',
};

/** The page. */
export function incidentsPage(model: IncidentsModel, frame: Frame): PageContent {
  const open = formLink(frame, '/incidents/new', 'Open an incident…', 'btn primary');
  // The demo has it beside what is planned, on the page of status pages.
  const plan = frame.demo === undefined ? formLink(frame, '/incidents/plan', 'Plan work…', 'btn') : null;
  return {
    title: 'Incidents',
    main: [
      pageHead({ title: 'Incidents', ...(frame.visitor?.canAct === true ? { acts: [plan, open] } : {}) }),
      el('p', { class: 'bulletin' }, ...bulletin(model, frame)),
      figures(model.figures),
      calendarSection(model, frame),
      el('div', { class: 'sec' }, stateTabs(model, frame), filters(model, frame), list(model, frame)),
    ],
  };
}

/** What goes on, and how long it was quiet. */
function bulletin({ open, figures: of }: IncidentsModel, frame: Frame): Content[] {
  const trouble = open.filter(({ severity }) => severity !== 'planned');
  const [first, second] = trouble;
  const calm =
    of.last_resolved_at === null ? 0 : Math.floor((frame.nowMs - Date.parse(of.last_resolved_at)) / dayMs);
  if (first === undefined) {
    if (of.last_resolved_at === null) return ['Nothing goes on, and nothing did in 90 days.'];
    const since = calm < 1 ? 'the last one ended today' : `the last one ended ${counted(calm, 'day')} ago`;
    return [`No incident is open; ${since}.`];
  }
  const named = (each: IncidentView): Content =>
    pageLink(frame, { path: `${path}/${each.incident_id}` }, null, told(each.title));
  const rest = trouble.length - 2;
  return [
    named(first),
    [', for ', el('span', { class: 'nowrap' }, lengthText(first.lasted_ms)), ' now'],
    second === undefined
      ? null
      : ['; ', named(second), ', for ', el('span', { class: 'nowrap' }, lengthText(second.lasted_ms))],
    rest > 0 ? `; and ${count(rest)} more` : null,
    '.',
  ];
}

function figures(of: IncidentFigures): VNode {
  const { in_90_days: now, in_90_days_before: before } = of;
  const compared =
    before === 0
      ? 'planned work aside'
      : now === before
        ? 'as many as in the 90 before'
        : `${count(Math.abs(now - before))} ${now > before ? 'more' : 'less'} than in the 90 before`;
  const share = of.trouble_share;
  return facts(
    [
      {
        label: 'Open',
        figure: of.open === 0 ? 'none' : count(of.open),
        small:
          of.open_critical === 0
            ? of.open === 0
              ? 'all is well'
              : 'none critical'
            : mark('down', `${count(of.open_critical)} critical`),
      },
      { label: 'In 90 days', figure: count(now), small: compared },
      { label: 'To acknowledge', ...lengthFact(of.to_acknowledge) },
      { label: 'To resolve', ...lengthFact(of.to_resolve) },
      {
        label: 'In trouble',
        figure: largeLength(of.trouble_ms),
        small: `${percent(share, 1, 2)} of the time`,
      },
      {
        label: 'Linked to a release',
        figure: of.linked_to_release === 0 ? 'none' : count(of.linked_to_release),
        small:
          of.linked_to_issue === 0 ? 'and none to an issue' : `and ${count(of.linked_to_issue)} to an issue`,
      },
    ],
    'big',
  );
}

function queryOf({ state, severity, month, day, q, until }: IncidentsModel['asked']): QueryMembers {
  return { state: state === 'all' ? null : state, severity, month, day, q, until };
}

function stateTabs({ asked, counts }: IncidentsModel, frame: Frame): VNode {
  return tabs(
    frame,
    'State',
    incidentTabs.map((state) => ({
      name: tabNames[state],
      path,
      query: { ...queryOf(asked), state: state === 'all' ? null : state },
      count: count(counts[state]),
      isCurrent: asked.state === state,
    })),
  );
}

function filters({ asked, months }: IncidentsModel, frame: Frame): VNode {
  const { state, until, day } = queryOf(asked);
  return askForm(
    frame,
    { path, label: 'Filter', kept: { state, until, day } },
    searchField('q', 'Search incidents', 'Title, monitor or cause', asked.q),
    ...select(
      { id: 'severity', name: 'severity', label: 'Severity' },
      [
        { value: '', name: 'Any severity' },
        ...severities.map((value) => ({ value, name: capitalized(value) })),
      ],
      asked.severity,
    ),
    ...select(
      { id: 'month', name: 'month', label: 'Month' },
      [
        { value: '', name: 'Last 90 days' },
        ...months.map((value) => ({ value, name: monthName(value, true) })),
      ],
      asked.month,
    ),
    submit('Apply'),
  );
}

function list(model: IncidentsModel, frame: Frame): Content {
  const { asked, incidents, found, newer, older } = model;
  if (incidents.length === 0) return nothing(model, frame);
  const heads = [
    el('td', { class: 'lv' }),
    columnHead('Incident'),
    columnHead('State', 'd2 w8'),
    columnHead('Up to 2 h', 'd3 w8'),
    columnHead('Lasted', 'r w6'),
    columnHead('Post-mortem', 'd1 w8 gapl'),
  ];
  const near = (name: 'after' | 'before', cursor: string | null): QueryMembers | null =>
    cursor === null ? null : { ...queryOf(asked), [name]: cursor };
  return [
    el(
      'table',
      { class: 't list' },
      hiddenCaption('Incidents, newest first'),
      headRow(...heads),
      ...groupsOf(incidents, frame.nowMs).map(([name, rows]) => body(name, rows, frame)),
    ),
    newer === null && older === null
      ? null
      : pager(frame, {
          path,
          said: `${count(incidents.length)} of ${counted(found, 'incident')}`,
          newer: near('before', newer),
          older: near('after', older),
        }),
  ];
}

function nothing({ asked, counts }: IncidentsModel, frame: Frame): VNode {
  const isFiltered = asked.q !== null || asked.severity !== null || asked.state !== 'all';
  if (counts.all === 0 && !isFiltered) {
    const when = asked.day ?? (asked.month === null ? '90 days' : monthName(asked.month, true));
    return empty('No incidents in this time', `Nothing began in ${when}.`, null);
  }
  const all = pageLink(frame, { path }, null, 'Show all incidents');
  return nothingFits(frame, 'No incident fits', 'None is of this state and time, or called so.', all);
}

function plannedLast({ severity, is_over: isOver }: IncidentView): number {
  return !isOver && severity === 'planned' ? 1 : 0;
}

/** What goes on first, then what is to come, then month by month. */
function groupsOf(
  incidents: readonly IncidentView[],
  nowMs: number,
): ReadonlyArray<readonly [string, IncidentView[]]> {
  const first = ['Now', 'To come'];
  const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  const groups = Map.groupBy(incidents, (each) =>
    each.is_over ? monthName(each.started_at.slice(0, 7), false) : isToCome(each, nowMs) ? 'To come' : 'Now',
  );
  return [...groups]
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .map(([name, rows]) => [name, rows.toSorted((one, other) => plannedLast(one) - plannedLast(other))]);
}

function body(name: string, rows: readonly IncidentView[], frame: Frame): VNode {
  return el(
    'tbody',
    null,
    el(
      'tr',
      { class: 'group' },
      el(
        'th',
        { colspan: 2, scope: 'rowgroup' },
        name,
        ' ',
        el('span', { class: 'n dim' }, count(rows.length)),
      ),
    ),
    ...rows.map((each) => row(each, frame)),
  );
}

function row(incident: IncidentView, frame: Frame): VNode {
  const { severity, state, started_at: at, lasted_ms: lasted, is_over: isOver } = incident;
  const length = lengthText(lasted);
  const began = moment(at, dayAndTime(Date.parse(at)), false);
  const written = incident.has_post_mortem ? 'written' : isOver ? 'none' : dash();
  const isLater = isToCome(incident, frame.nowMs);
  const bar = meter({
    part: Math.min(lasted, barMs),
    all: barMs,
    name: lasted > barMs ? `${length}, longer than the bar` : length,
    fill: severityFill(severity),
  });
  return el(
    'tr',
    null,
    cell(severityShape(severity), 'lv'),
    titleCell(frame, {
      path: `${path}/${incident.incident_id}`,
      title: nameOf(incident.title),
      place: secondLine(incident),
      folded: [
        el(
          'span',
          { class: 'f2' },
          isOver ? shortMoment(Date.parse(at), frame.nowMs) : incidentMark(state, severity),
        ),
        incident.has_post_mortem ? el('span', { class: 'f1' }, 'post-mortem written') : null,
      ],
    }),
    cell([incidentMark(state, severity), el('small', null, began)], 'd2 w8 nowrap'),
    cell(isLater ? null : bar, 'd3 w8'),
    cell(isLater ? dash() : [length, isOver ? null : el('small', null, 'so far')], 'r w6 nowrap'),
    cell(written, 'd1 w8 gapl soft'),
  );
}

/** What it hits, and what it came of. */
function secondLine({ affects, cause, planned_end_at: ends, is_over: isOver }: IncidentView): Content {
  const parts = [
    affects.length === 0 ? null : firstOf(affects),
    cause === '' ? null : told(cause),
    ends === null || isOver ? null : `planned${untilEnd(ends)}`,
  ].filter((part) => part !== null);
  return parts.flatMap((part, at) => (at === 0 ? [part] : [', ', part]));
}
