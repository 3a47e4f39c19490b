// A month as a table, Monday first. Outage length is shown in four greys, "down" as a bar below.
import { dayMs } from '../../core/parsing/durations.ts';
import { visuallyHidden } from '../components/elements.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import type { PageContext, QueryParams } from '../page-context.ts';

export interface CalendarDay {
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

export interface CalendarMonth {
  readonly name: string;
  readonly days: readonly CalendarDay[];
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Months side by side; if there is room for only one, the last. A day links to `path` with its query. */
export function calendar(context: PageContext, path: string, months: readonly CalendarMonth[]): VNode {
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
