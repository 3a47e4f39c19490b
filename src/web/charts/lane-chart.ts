// A timeline chart: one lane per item with a mark for each event.
import { type IconName, iconAt } from '../components/icons.ts';
import { type Content, html, type VNode } from '../el.ts';
import { chartFigure } from './chart-figure.ts';
import { timeAxis, timeScale, toPercent } from './scale.ts';

interface LaneMark {
  readonly atMs: number;
  readonly shape: IconName;
  /** Text alternative. */
  readonly label: string;
}

export interface Lane {
  readonly name: string;
  readonly marks: readonly LaneMark[];
}

export interface LaneChart {
  readonly lanes: readonly Lane[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly finding: Content;
  readonly aside?: Content;
  /** Text alternative. */
  readonly name: string;
}

const lanePx = 26;
const markPx = 12;
/** Marks closer than this (percent of the width) would overlap on a chart of 20rem. */
const touchPercent = 4;

export function laneChart({ lanes: all, fromMs, toMs, finding, aside, name }: LaneChart): VNode {
  const x = timeScale(fromMs, toMs);
  const base = Math.max(1, all.length) * lanePx;
  const names = all.map((lane) => html`<li title=${lane.name}><bdi>${lane.name}</bdi></li>`);
  const drawn = all.flatMap(({ marks }, index) => {
    const middle = index * lanePx + lanePx / 2;
    const within = marks.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return [
      html`<line class="rail" x1="0" x2="100%" y1=${middle} y2=${middle}></line>`,
      ...spreadMarks(within, x).map(({ mark, at }) => markOf(mark, at, middle)),
    ];
  });
  const svgAttributes = {
    class: 'plot lanes',
    width: '100%',
    height: base + 18,
    role: 'img',
    'aria-label': name,
  };
  const box = html`<div class="lanebox">
    <ol class="rows lanerows" aria-hidden="true">${names}</ol>
    <svg ...${svgAttributes}>${drawn}${timeAxis(fromMs, toMs, base)}</svg>
  </div>`;
  return chartFigure({ finding, aside }, box);
}

function spreadMarks(
  marks: readonly LaneMark[],
  x: (atMs: number) => number,
): Array<{ readonly mark: LaneMark; readonly at: number }> {
  let before = Number.NEGATIVE_INFINITY;
  return [...marks]
    .sort((one, other) => one.atMs - other.atMs)
    .map((mark) => {
      const at = Math.max(x(mark.atMs), before + touchPercent);
      before = at;
      return { mark, at };
    });
}

function markOf({ shape, label }: LaneMark, at: number, middle: number): VNode {
  // Keeps marks at the ends within the chart.
  const shift = at <= 50 ? (at < 1 ? 0 : -markPx / 2) : at > 99 ? -markPx : -markPx / 2;
  const svgAttributes = { class: shape, x: toPercent(at), y: middle - markPx / 2, overflow: 'visible' };
  const shown = iconAt(shape, { width: markPx, height: markPx, x: shift });
  return html`<svg ...${svgAttributes}><title>${label}</title>${shown}</svg>`;
}
