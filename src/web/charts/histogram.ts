// Stacked counts over time with release markers. The table has the same links as the bars, for keyboards.
import { dayMs, hourMs, minuteMs } from '../../core/parsing/durations.ts';
import { capitalize, type HatchName, hatchFill } from '../components/icons.ts';
import { type Content, createLinkMaker, html, pageLink, type Target, type VNode } from '../el.ts';
import {
  count,
  counted,
  currentTimeZone,
  formatCountOrDash,
  formatDate,
  formatDayAndTime,
  formatShortCount,
  formatTimeOfDay,
} from '../formatters.ts';
import type { PageContext } from '../page-context.ts';
import { chartFigure, chartTable, swatch } from './chart-figure.ts';
import { type Marker, markers } from './markers.ts';
import { axisMax, countScale, gridLines, timeAxis, timeScale, toNonNegative, toPercent } from './scale.ts';

export interface Stack {
  readonly key: string;
  readonly name: string;
  readonly fill: Exclude<HatchName, 'up' | 'maintenance'>;
}

export interface Bar {
  readonly fromMs: number;
  readonly toMs: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface Histogram {
  /** In order of time, all of one length; the last one is open while it contains the current time. */
  readonly bars: readonly Bar[];
  /** From bottom to top. */
  readonly stacks: readonly Stack[];
  readonly markers?: readonly Marker[];
  /** What is counted; its plural ends with s. */
  readonly noun?: string;
  readonly finding: Content;
  /** Shown at the right if there is no legend. */
  readonly aside?: Content;
  /** In pixels, axis included. */
  readonly height?: number;
  /** The plot alone; its accessible name says the finding. */
  readonly isCompact?: boolean;
  readonly barLink?: (bar: Bar) => Target;
  readonly stackLink?: (stack: Stack) => Target;
}

export const severityStacks: readonly Stack[] = [
  { key: 'error', name: 'error', fill: 'error' },
  { key: 'warning', name: 'warning', fill: 'warning' },
  { key: 'info', name: 'info', fill: 'info' },
  { key: 'fatal', name: 'fatal', fill: 'fatal' },
];

/** From this number of bars on, gaps are omitted on narrow pages. */
const fineBarsMin = 120;
const topPx = 18;
const axisPx = 18;

export function histogram(context: PageContext, plot: Histogram): VNode {
  const { bars, stacks, height = 128, noun = 'event' } = plot;
  const { nowMs } = context;
  const fromMs = bars.at(0)?.fromMs ?? nowMs;
  const toMs = bars.at(-1)?.toMs ?? nowMs;
  const base = height - axisPx;
  const x = timeScale(fromMs, toMs);
  const top = axisMax(Math.max(0, ...bars.map((bar) => sumOf(bar, stacks))));
  const named = bars.map((bar) => ({
    ...bar,
    period: periodOf(bar),
    isOpen: bar.toMs > nowMs && bar.fromMs <= nowMs,
    link: plot.barLink === undefined ? null : createLinkMaker(context, plot.barLink(bar)),
  }));
  const drawn = named.map((bar) => barOf(plot, bar, noun, { x, y: countScale(top, topPx, base), base }));
  const className = bars.length > fineBarsMin ? 'plot hist fine' : 'plot hist';
  const svgAttributes = { class: className, width: '100%', height };
  const { lines, labels } = gridLines(top, topPx, base, formatShortCount);
  const isGroup = plot.barLink !== undefined && bars.length > 0;
  const spoken = { role: isGroup ? 'group' : 'img', 'aria-label': nameOf(plot, noun, nowMs) };
  const marked = (plot.markers ?? []).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const svg = html`<svg ...${svgAttributes} ...${spoken}>
    ${lines}${drawn}${labels}${timeAxis(fromMs, toMs, base)}${markers(marked, x, base)}
  </svg>`;
  if (plot.isCompact === true) return html`<figure>${svg}</figure>`;
  const table = bars.length === 0 ? null : tableOf(named, plot, noun);
  return chartFigure(
    { finding: plot.finding, aside: legendOf(context, plot, noun) ?? plot.aside, table },
    svg,
  );
}

function sumOf({ counts }: Bar, stacks: readonly Stack[]): number {
  return stacks.reduce((sum, { key }) => sum + toNonNegative(counts[key]), 0);
}

type NamedBar = Bar & {
  readonly period: string;
  readonly isOpen: boolean;
  readonly link: ReturnType<typeof createLinkMaker> | null;
};

interface Scales {
  readonly x: (atMs: number) => number;
  readonly y: (value: number) => number;
  readonly base: number;
}

function barOf({ stacks }: Histogram, bar: NamedBar, noun: string, { x, y, base }: Scales): VNode {
  const position = { x: toPercent(x(bar.fromMs)), width: toPercent(x(bar.toMs) - x(bar.fromMs)) };
  const segments: VNode[] = [];
  let below = 0;
  let bottom = base;
  for (const { key, fill } of stacks) {
    const segment = toNonNegative(bar.counts[key]);
    if (segment === 0) continue;
    below += segment;
    // At least one pixel per part; rounded sums leave no gaps between parts.
    const top = Math.min(bottom - 1, Math.round(y(below)));
    // A class would override the hatch.
    const colour = bar.isOpen ? { class: 'open', fill: hatchFill(fill) } : { class: `f-${fill}` };
    segments.push(html`<rect ...${colour} ...${position} y=${top} height=${bottom - top}></rect>`);
    bottom = top;
  }
  const label = `${bar.period}: ${counted(below, noun)}${bar.isOpen ? ' so far' : ''}`;
  const title = html`<title>${label}</title>`;
  if (bar.link === null) return html`<g>${title}${segments}</g>`;
  const hit = html`<rect class="hit" ...${position} y=${topPx} height=${base - topPx}></rect>`;
  return bar.link({ tabindex: -1 }, title, hit, ...segments);
}

function legendOf(context: PageContext, { stacks, bars, stackLink }: Histogram, noun: string): Content {
  const [single] = stacks;
  if (single === undefined || (stacks.length === 1 && single.name === `${noun}s`)) return null;
  const entry = (stack: Stack): VNode => {
    const sum = html`<span class="n">${count(totalOf(bars, stack.key))}</span>`;
    const content = [swatch(`f-${stack.fill}`), `${stack.name} `, sum];
    return stackLink === undefined
      ? html`<span>${content}</span>`
      : pageLink(context, stackLink(stack), null, ...content);
  };
  // The worst level first in the legend; it is on top in the chart.
  return html`<span class="key">
    ${stacks.toReversed().sort(byLevelWorstFirst).map(entry)}
  </span>`;
}

function byLevelWorstFirst(one: Stack, other: Stack): number {
  const order = ['fatal', 'error', 'warning', 'info'];
  return order.indexOf(one.fill) - order.indexOf(other.fill);
}

function totalOf(bars: readonly Bar[], key: string): number {
  return bars.reduce((sum, { counts }) => sum + toNonNegative(counts[key]), 0);
}

function nameOf({ bars, stacks }: Histogram, noun: string, nowMs: number): string {
  const sums = bars.map((bar) => sumOf(bar, stacks));
  const total = sums.reduce((sum, each) => sum + each, 0);
  const [first] = bars;
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return `No ${noun}s yet.`;
  const over = spanWord(last.toMs - first.fromMs);
  if (total === 0) return `No ${noun}s in ${over}.`;
  const highest = bars[sums.indexOf(Math.max(...sums))] ?? last;
  const per = stepWord(first.toMs - first.fromMs);
  const open = last.toMs > nowMs ? ' The last bar is incomplete.' : '';
  return `${counted(total, noun)} in ${over}, per ${per}; most, ${count(Math.max(...sums))}, on ${periodOf(highest)}.${open}`;
}

function tableOf(bars: readonly NamedBar[], { stacks }: Histogram, noun: string): VNode {
  const [first] = bars;
  const step = first === undefined ? '' : stepWord(first.toMs - first.fromMs);
  const hasSum = stacks.length > 1;
  return chartTable({
    label: `Per ${step}, ${currentTimeZone()}`,
    caption: `${capitalize(noun)}s per ${step}`,
    heads: ['Period', ...stacks.map(({ name }) => name), ...(hasSum ? ['all'] : [])],
    rows: bars.map((bar) => [
      bar.link === null ? bar.period : bar.link(null, bar.period),
      ...stacks.map(({ key }) => formatCountOrDash(toNonNegative(bar.counts[key]))),
      ...(hasSum ? [formatCountOrDash(sumOf(bar, stacks))] : []),
    ]),
  });
}

/** `16 Nov, 14:00 to 16:00`, or the date for a whole day. */
function periodOf({ fromMs, toMs }: Bar): string {
  if (toMs - fromMs < dayMs) return `${formatDayAndTime(fromMs)} to ${formatTimeOfDay(toMs)}`;
  const day = formatDate(fromMs);
  return toMs - fromMs === dayMs ? day : `${day} to ${formatDate(toMs - 1)}`;
}

/** `hour`, `2 h`, `day`, `7 days`. */
function stepWord(ms: number): string {
  if (ms === dayMs) return 'day';
  return ms === hourMs ? 'hour' : spanWord(ms);
}

/** `30 min`, `36 h`, `7 days`. */
function spanWord(ms: number): string {
  const days = ms / dayMs;
  if (days >= 2) return `${Math.round(days)} days`;
  if (ms >= hourMs) return `${Number((ms / hourMs).toFixed(1))} h`;
  return `${Math.max(1, Math.round(ms / minuteMs))} min`;
}
