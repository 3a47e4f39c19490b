// When people and keys act: the hours of a week, and the sentence that says what they show.
import type { VNode } from 'preact';
import { html } from '../el.ts';
import { heat } from '../plots/heat.ts';
import { count, counted } from '../words/numbers.ts';

const hoursADay = 24;
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Entries by weekday and hour: 168 counts, Monday 00:00 UTC first. */
export function weekHeat(week: readonly number[]): VNode {
  const plot = heat({
    hours: days.map((_, day) => week.slice(day * hoursADay, (day + 1) * hoursADay)),
    finding: [html`<b>When people and keys act</b>`, ', 90 days'],
    name: finding(week),
    many: 'entries',
  });
  return html`<div class="sec half">${plot}</div>`;
}

/** What the plot shows, in a sentence. */
function finding(week: readonly number[]): string {
  const all = week.reduce((sum, entries) => sum + entries, 0);
  if (all === 0) return 'Entries by weekday and hour: none in 90 days.';
  const most = Math.max(...week);
  const slot = week.indexOf(most);
  const hour = String(slot % hoursADay).padStart(2, '0');
  const said = counted(most, 'entry', 'entries');
  return `Entries by weekday and hour: most on ${days[Math.floor(slot / hoursADay)]} at ${hour}:00, ${said} of ${count(all)}.`;
}
