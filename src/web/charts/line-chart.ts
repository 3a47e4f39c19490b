// Line chart with gaps for missing values, an area, and bands for outages.
import { area, line } from 'd3-shape';
import { type Content, html, type VNode } from '../el.ts';
import { currentTimeZone, formatDayAndTime } from '../formatters.ts';
import { chartFigure, chartTable } from './chart-figure.ts';
import { type Marker, markers } from './markers.ts';
import { axisMax, countScale, gridLines, timeAxis, timeScale, toPercent } from './scale.ts';

interface SeriesPoint {
  readonly atMs: number;
  /** `value`: first line; `upTo`: upper edge of the area; `second`: second line. Null if not measured. */
  readonly value: number | null;
  readonly upTo?: number | null;
  readonly second?: number | null;
}

interface Band {
  readonly fromMs: number;
  readonly toMs: number;
  readonly kind: 'down' | 'degraded';
  readonly word: string;
}

export interface LineChart {
  readonly points: readonly SeriesPoint[];
  readonly bands?: readonly Band[];
  readonly markers?: readonly Marker[];
  readonly lines: readonly [first: string, second?: string];
  /** Upper end of the axis if it is fixed: 100 for percentages. */
  readonly top?: number;
  /** Lower end of the axis if it is not 0: 99 for uptime. */
  readonly axisMin?: number;
  readonly word: (value: number) => string;
  readonly finding: Content;
  readonly aside?: Content;
  /** Text alternative. */
  readonly name: string;
  readonly height?: number;
}

const topPx = 18;
const axisPx = 18;
/** The inner SVG is stretched from this width; its strokes are not. */
const innerWidth = 1000;

export function lineChart(plot: LineChart): VNode {
  const { points, height = 128, word, axisMin = 0 } = plot;
  const known = points.filter(({ atMs }) => Number.isFinite(atMs));
  const fromMs = known.at(0)?.atMs ?? 0;
  const toMs = known.at(-1)?.atMs ?? 0;
  const base = height - axisPx;
  const x = timeScale(fromMs, toMs);
  const values = known.flatMap(({ value, upTo, second }) => [value, upTo, second]).filter(isMeasured);
  const top = plot.top ?? axisMax(Math.max(0, ...values));
  const svgAttributes = { class: 'plot series', width: '100%', height, role: 'img', 'aria-label': plot.name };
  const within = ({ atMs }: Marker): boolean => atMs >= fromMs && atMs <= toMs;
  const { lines, labels } = gridLines(top - axisMin, topPx, base, (value) => word(value + axisMin));
  const svg = html`<svg ...${svgAttributes}>
    ${(plot.bands ?? []).flatMap((band) => bandOf(band, x, base))}${lines}
    ${linesOf(known, { top, axisMin }, x, base)}${labels}${timeAxis(fromMs, toMs, base)}
    ${markers((plot.markers ?? []).filter(within), x, base)}
  </svg>`;
  return chartFigure({ finding: plot.finding, aside: plot.aside, table: tableOf(plot, known) }, svg);
}

function linesOf(
  points: readonly SeriesPoint[],
  { top, axisMin }: { readonly top: number; readonly axisMin: number },
  x: (atMs: number) => number,
  base: number,
): VNode {
  const y = countScale(top - axisMin, 0, base - topPx);
  const scaledX = ({ atMs }: SeriesPoint): number => roundToHundredths((x(atMs) / 100) * innerWidth);
  const scaledY = (value: number | null | undefined): number => roundToHundredths(y((value ?? 0) - axisMin));
  const drawLine = (read: (point: SeriesPoint) => number | null | undefined): string | null =>
    line<SeriesPoint>()
      .defined((point) => isMeasured(read(point)))
      .x(scaledX)
      .y((point) => scaledY(read(point)))([...points]);
  const below = area<SeriesPoint>()
    .defined(({ value, upTo }) => isMeasured(value) && isMeasured(upTo))
    .x(scaledX)
    .y0(({ value }) => scaledY(value))
    .y1(({ upTo }) => scaledY(upTo))([...points]);
  const paths = [
    ['area', below],
    ['line second', drawLine(({ second }) => second)],
    ['line', drawLine(({ value }) => value)],
  ] as const;
  const inner = {
    x: 0,
    y: topPx,
    width: '100%',
    height: base - topPx,
    viewBox: `0 0 ${innerWidth} ${base - topPx}`,
    preserveAspectRatio: 'none',
  };
  const drawn = paths
    .filter(([, d]) => d !== null && d !== '')
    .map(([kind, d]) => html`<path class=${kind} d=${d}></path>`);
  return html`<svg ...${inner}>${drawn}</svg>`;
}

function bandOf({ fromMs, toMs, kind, word }: Band, x: (atMs: number) => number, base: number): VNode[] {
  const position = { x: toPercent(x(fromMs)), width: toPercent(x(toMs) - x(fromMs)) };
  // Near the right end the label is left of the band.
  const isLeft = x(fromMs) > 85;
  const at = isLeft ? { x: toPercent(x(toMs)), 'text-anchor': 'end' } : { x: position.x };
  return [
    html`<rect class="band ${kind}" ...${position} y=${topPx} height=${base - topPx}></rect>`,
    html`<rect class="cap ${kind}" ...${position} y=${topPx} height="3"></rect>`,
    html`<text class="blab ${kind}" ...${at} y="13">${word}</text>`,
  ];
}

function tableOf({ lines, word, name }: LineChart, points: readonly SeriesPoint[]): Content {
  if (points.length === 0) return null;
  const cellText = (value: number | null | undefined): string => (isMeasured(value) ? word(value) : '–');
  const hasArea = points.some(({ upTo }) => isMeasured(upTo));
  const [first, second] = lines;
  return chartTable({
    label: `All points, ${currentTimeZone()}`,
    caption: name,
    heads: ['When', first, ...(hasArea ? ['up to'] : []), ...(second === undefined ? [] : [second])],
    rows: points.map((point) => [
      formatDayAndTime(point.atMs),
      cellText(point.value),
      ...(hasArea ? [cellText(point.upTo)] : []),
      ...(second === undefined ? [] : [cellText(point.second)]),
    ]),
  });
}

function isMeasured(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
