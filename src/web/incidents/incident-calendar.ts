import type { CalendarDay as Day, IncidentsModel } from '../../core/page-models/monitoring/incidents.ts';
import { dayMs, minuteMs } from '../../core/parsing/durations.ts';
import { section, visuallyHidden } from '../components/elements.ts';
import { type Content, disabledLink, el, html, pageLink, type VNode } from '../el.ts';
import { counted } from '../formatters.ts';
import type { PageContext, QueryParams } from '../page-context.ts';

const path = '/incidents';
const names = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `November` or `November 2026` for `2026-11`. */
export function monthName(month: string, hasYear: boolean): string {
  const [year = '', of = ''] = month.split('-');
  const name = names[Number(of) - 1] ?? month;
  return hasYear ? `${name} ${year}` : name;
}

export function calendarSection(
  { calendar: months, earlier, later }: IncidentsModel,
  context: PageContext,
): VNode {
  const [first, last] = [months.at(0)?.month ?? '', months.at(-1)?.month ?? ''];
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  const navigation = el(
    'nav',
    { class: 'joined', 'aria-label': 'Months' },
    pageLink(context, { path, query: { until: earlier } }, { class: 'btn small', rel: 'prev' }, 'Earlier'),
    later === null
      ? disabledLink({ class: 'btn small' }, 'Later')
      : pageLink(context, { path, query: { until: later } }, { class: 'btn small', rel: 'next' }, 'Later'),
  );
  const shown = months.map(({ month, days }) => ({
    name: monthName(month, !isOneYear),
    days: days.map(dayOf),
  }));
  return section(
    {
      id: 'c-months',
      title: `${monthName(first, !isOneYear)} to ${monthName(last, true)}`,
      aside: navigation,
    },
    calendar(context, path, shown),
    legend(),
  );
}

function dayOf(day: Day): CalendarDay {
  const has = day.incidents > 0;
  const worst = day.was_down ? 'something was down' : 'something was degraded';
  return {
    date: day.date,
    heat: has ? heatOf(day.trouble_ms) : 0,
    small: clockLength(day.trouble_ms),
    isBad: day.was_down,
    when: day.when,
    label: has ? `${counted(day.incidents, 'incident')}, ${worst}` : null,
    query: { day: day.date },
  };
}

function heatOf(ms: number): CalendarDay['heat'] {
  if (ms < 15 * minuteMs) return 1;
  if (ms < 45 * minuteMs) return 2;
  return ms < 120 * minuteMs ? 3 : 5;
}

/** `0:51` (hours and minutes). */
function clockLength(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

function legend(): VNode {
  const square = (kind: string, y: number, height: number): VNode =>
    html`<svg class="sw" width="14" height="14" aria-hidden="true">
      <rect class=${kind} y=${y} width="14" height=${height}></rect>
    </svg>`;
  const entry = (kind: string, word: string): VNode => html`<span>${square(kind, 0, 14)}${word}</span>`;
  return html`<p class="key legend">
    ${entry('q1', 'under 15 min')}${entry('q2', 'under 45')}${entry('q3', 'under 2 h')}
    ${entry('q5', 'longer')}<span>${square('f-fatal', 11, 3)}something was down</span>
    <span class="dim">Duration of incidents by the day they began, UTC.</span>
  </p>`;
}

// A month as a table, Monday first. Outage length is shown in four greys, "down" as a bar below.

interface CalendarDay {
  readonly date: string;
  /** 0 for no outage, 1 to 3 for greys, 5 for ink. 4 is not used: too little contrast for text. */
  readonly heat: 0 | 1 | 2 | 3 | 5;
  /** Text in the cell: `0:51`. */
  readonly small: string;
  readonly isBad: boolean;
  readonly when: 'past' | 'today' | 'to_come';
  /** Text for screen readers; null makes the day no link. */
  readonly label: string | null;
  readonly query: QueryParams;
}

interface CalendarMonth {
  readonly name: string;
  readonly days: readonly CalendarDay[];
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Months side by side; if there is room for only one, the last. A day links to `path` with its query. */
function calendar(context: PageContext, path: string, months: readonly CalendarMonth[]): VNode {
  const tables = months.map((each, at) => monthTable(context, path, each, at < months.length - 1));
  return html`<div class="cals">${tables}</div>`;
}

function monthTable(context: PageContext, path: string, { name, days }: CalendarMonth, falls: boolean) {
  const leadingBlanks = days[0] === undefined ? 0 : weekdayOf(days[0].date);
  const cells = [...Array.from({ length: leadingBlanks }, () => null), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / weekdays.length) }, (_, week) =>
    weekdays.map((_day, at) => cells[week * weekdays.length + at] ?? null),
  );
  return html`<table class=${falls ? 'cal d5' : 'cal'}>
    <caption>${name}</caption>
    <thead><tr>${weekdays.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
    <tbody>${weeks.map((week) => html`<tr>${week.map((day) => dayCell(context, path, day))}</tr>`)}</tbody>
  </table>`;
}

function dayCell(context: PageContext, path: string, day: CalendarDay | null): VNode {
  if (day === null) return html`<td></td>`;
  const { heat, isBad, when, label, small, query } = day;
  const isToday = when === 'today';
  const classes = [
    heat === 0 ? null : `q${heat}`,
    isBad ? 'bad' : null,
    isToday ? 'today' : null,
    when === 'to_come' ? 'off' : null,
  ].filter((each) => each !== null);
  const number = String(Number(day.date.slice(8)));
  const content: Content =
    label === null
      ? number
      : pageLink(
          context,
          { path, query },
          null,
          number,
          html`<small>${small}</small>`,
          visuallyHidden(`, ${label}`),
        );
  return html`<td class=${classes.join(' ') || null} aria-current=${isToday ? 'date' : null}>${content}</td>`;
}

/** 0 is Monday. */
function weekdayOf(date: string): number {
  return (Math.floor(Date.parse(`${date}T00:00:00Z`) / dayMs) + 3) % 7;
}
