import { capitalize } from '../components/icons.ts';
import { type Content, html, type VNode } from '../el.ts';
import { count, formatCountOrDash, twoDigits } from '../formatters.ts';
import { chartFigure, chartTable } from './chart-figure.ts';
import { toNonNegative, toPercent } from './scale.ts';

export interface Heatmap {
  /** Seven rows from Monday, each with 24 hourly counts, UTC. */
  readonly hours: ReadonlyArray<readonly number[]>;
  /** `finding` is shown above the chart; `name` is its text alternative. */
  readonly finding: Content;
  readonly name: string;
  readonly nounPlural: string;
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const rowPx = 18;
const hoursADay = 24;

export function heatmap({ hours, finding, name, nounPlural }: Heatmap): VNode {
  const at = (day: number, hour: number): number => toNonNegative(hours[day]?.[hour]);
  const max = Math.max(
    0,
    ...weekdays.flatMap((_, day) => Array.from({ length: hoursADay }, (_each, h) => at(day, h))),
  );
  const base = weekdays.length * rowPx;
  const width = toPercent(100 / hoursADay);
  const cells = weekdays.flatMap((weekday, day) =>
    Array.from({ length: hoursADay }, (_, hour) => {
      const value = at(day, hour);
      const position = { x: toPercent((hour * 100) / hoursADay), y: day * rowPx, width, height: rowPx };
      const label = `${weekday} ${twoDigits(hour)}:00: ${count(value)}`;
      return html`<rect class="q${colorStep(value, max)}" ...${position}><title>${label}</title></rect>`;
    }),
  );
  const labels = [0, 6, 12, 18].map(
    (hour) =>
      html`<text class="xlab" x=${toPercent((hour * 100) / hoursADay)} y=${base + 14}>${twoDigits(hour)}:00</text>`,
  );
  const svgAttributes = {
    class: 'plot heat',
    width: '100%',
    height: base + rowPx,
    role: 'img',
    'aria-label': name,
  };
  const rows = html`<ol class="rows" aria-hidden="true">
    ${weekdays.map((each) => html`<li>${each}</li>`)}
  </ol>`;
  const table = chartTable({
    label: 'By weekday and hour, UTC',
    caption: `${capitalize(nounPlural)} by weekday and hour`,
    heads: ['Hour', ...weekdays],
    rows: Array.from({ length: hoursADay }, (_, hour) => [
      `${twoDigits(hour)}:00`,
      ...weekdays.map((_each, day) => formatCountOrDash(at(day, hour))),
    ]),
  });
  const box = html`<div class="heatbox">${rows}<svg ...${svgAttributes}>${cells}${labels}</svg></div>`;
  return chartFigure({ finding, aside: html`<span class="small dim">UTC</span>`, table }, box);
}

function colorStep(value: number, max: number): number {
  return value === 0 || max === 0 ? 0 : Math.min(5, Math.max(1, Math.ceil((value / max) * 5)));
}
