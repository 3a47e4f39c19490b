import type { CalendarDay as Day, IncidentsModel } from '../../core/page-models/monitoring/incidents.ts';
import { dayMs, minuteMs } from '../../core/parsing/durations.ts';
import { neighborLink, section, visuallyHidden } from '../components/elements.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { counted } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

const path = '/incidents';
const names = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** `November` or `November 2026` for `2026-11`. */
export function monthName(month: string, hasYear: boolean): string {
  const [year = '', of = ''] = month.split('-');
  const name = names[Number(of) - 1] ?? month;
  return hasYear ? `${name} ${year}` : name;
}

/** The months of a page side by side; where only one has room, the last. A day links to its incidents. */
export function calendarSection(
  { calendar: months, earlier, later }: IncidentsModel,
  context: PageContext,
): VNode {
  const [first, last] = [months.at(0)?.month ?? '', months.at(-1)?.month ?? ''];
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  const to = (until: string | null) => (until === null ? null : { path, query: { until } });
  const navigation = html`<nav class="joined" aria-label="Months">
    ${neighborLink(context, 'prev', to(earlier), 'Earlier', 'btn small')}
    ${neighborLink(context, 'next', to(later), 'Later', 'btn small')}
  </nav>`;
  const tables = months.map(({ month, days }, at) =>
    monthTable(context, monthName(month, !isOneYear), days, at < months.length - 1),
  );
  return section(
    {
      id: 'c-months',
      title: `${monthName(first, !isOneYear)} to ${monthName(last, true)}`,
      aside: navigation,
    },
    html`<div class="cals">${tables}</div>`,
    legend(),
  );
}

/** Of five greys; the fourth has too little contrast for text. */
function heatOf(ms: number): number {
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

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Monday first. Outage length is shown in four greys, "down" as a bar below. */
function monthTable(context: PageContext, name: string, days: readonly Day[], falls: boolean): VNode {
  const leadingBlanks = days[0] === undefined ? 0 : weekdayOf(days[0].date);
  const cells = [...Array.from({ length: leadingBlanks }, () => null), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / weekdays.length) }, (_, week) =>
    weekdays.map((_day, at) => cells[week * weekdays.length + at] ?? null),
  );
  return html`<table class=${falls ? 'cal d5' : 'cal'}>
    <caption>${name}</caption>
    <thead><tr>${weekdays.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
    <tbody>${weeks.map((week) => html`<tr>${week.map((day) => dayCell(context, day))}</tr>`)}</tbody>
  </table>`;
}

function dayCell(context: PageContext, day: Day | null): VNode {
  if (day === null) return html`<td></td>`;
  const { date, incidents, trouble_ms: troubleMs, was_down: wasDown, when } = day;
  const isToday = when === 'today';
  const classes = [
    incidents === 0 ? null : `q${heatOf(troubleMs)}`,
    wasDown ? 'bad' : null,
    isToday ? 'today' : null,
    when === 'to_come' ? 'off' : null,
  ].filter((each) => each !== null);
  const number = String(Number(date.slice(8)));
  const worst = wasDown ? 'something was down' : 'something was degraded';
  const content: Content =
    incidents === 0
      ? number
      : pageLink(
          context,
          { path, query: { day: date } },
          null,
          number,
          html`<small>${clockLength(troubleMs)}</small>`,
          visuallyHidden(`, ${counted(incidents, 'incident')}, ${worst}`),
        );
  return html`<td class=${classes.join(' ') || null} aria-current=${isToday ? 'date' : null}>${content}</td>`;
}

/** 0 is Monday. */
function weekdayOf(date: string): number {
  return (Math.floor(Date.parse(`${date}T00:00:00Z`) / dayMs) + 3) % 7;
}
