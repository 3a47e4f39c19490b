// When people act: the hours of a week as seven rows of greys, with the same as a table.
import type { VNode } from 'preact';
import { el } from '../el.ts';
import { hiddenCaption } from '../parts/layout.ts';
import { cell, columnHead, headRow, wide } from '../parts/table.ts';
import { count, counted } from '../words/numbers.ts';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const rowPixels = 18;
const greys = 5;

/** Entries by weekday and hour: 168 counts, Monday 00:00 UTC first. */
export function weekHeat(week: readonly number[]): VNode {
  const most = Math.max(1, ...week);
  const all = week.reduce((sum, entries) => sum + entries, 0);
  const marks = week.map((entries, slot) => {
    const grey = entries === 0 ? 0 : Math.max(1, Math.round((entries / most) * greys));
    const place = { x: `${((slot % 24) * 100) / 24}%`, y: Math.floor(slot / 24) * rowPixels };
    return el(
      'rect',
      { class: `q${grey}`, ...place, width: `${100 / 24}%`, height: rowPixels },
      el('title', null, `${hourName(slot)}: ${entries}`),
    );
  });
  const hours = [0, 6, 12, 18].map((hour) =>
    el('text', { x: `${(hour * 100) / 24}%`, y: 7 * rowPixels + 14, class: 'ax' }, `${two(hour)}:00`),
  );
  return el(
    'figure',
    { class: 'sec half' },
    el(
      'figcaption',
      null,
      el('span', null, el('b', null, 'When people and keys act')),
      el('span', { class: 'small dim' }, 'UTC'),
    ),
    el(
      'div',
      { class: 'heatbox' },
      el('ol', { class: 'rows', 'aria-hidden': 'true' }, ...days.map((day) => el('li', null, day))),
      el(
        'svg',
        {
          class: 'plot heat',
          width: '100%',
          height: 7 * rowPixels + 18,
          role: 'img',
          'aria-label': finding(week, all),
        },
        ...marks,
        ...hours,
      ),
    ),
    el('details', null, el('summary', { class: 'small' }, 'Show as a table'), weekTable(week)),
  );
}

/** What the plot shows, in a sentence. */
function finding(week: readonly number[], all: number): string {
  if (all === 0) return 'Entries by weekday and hour: none.';
  const busiest = week.indexOf(Math.max(...week));
  const most = counted(week[busiest] ?? 0, 'entry', 'entries');
  return `Entries by weekday and hour: most on ${hourName(busiest)}, ${most} of ${count(all)}.`;
}

function weekTable(week: readonly number[]): VNode {
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const table = el(
    'table',
    { class: 't mini' },
    hiddenCaption('Entries by weekday and hour, UTC'),
    headRow(columnHead('Day'), ...hours.map((hour) => columnHead(two(hour), 'r'))),
    el(
      'tbody',
      null,
      ...days.map((day, row) =>
        el(
          'tr',
          null,
          el('th', { scope: 'row' }, day),
          ...hours.map((hour) => cell(week[row * 24 + hour] === 0 ? '–' : week[row * 24 + hour], 'r')),
        ),
      ),
    ),
  );
  return wide('Entries by weekday and hour', table);
}

function hourName(slot: number): string {
  return `${days[Math.floor(slot / 24)]} ${two(slot % 24)}:00`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
