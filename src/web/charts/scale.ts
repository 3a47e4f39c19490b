// Scales of charts: x in percent, y in pixels. NaN and infinite numbers are drawn as 0.
import { scaleLinear, scaleUtc } from 'd3-scale';
import { dayMs } from '../../core/parsing/durations.ts';
import { html, type VNode } from '../el.ts';
import { formatDay, formatTimeOfDay } from '../formatters.ts';

export function toNonNegative(value: number | null | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** `33.33%`, limited to 0 to 100. */
export function toPercent(share: number): string {
  const bounded = Number.isFinite(share) ? Math.min(100, Math.max(0, share)) : 0;
  return `${Number(bounded.toFixed(2))}%`;
}

/** Epoch milliseconds to percent. If the range is empty, everything is at 100. */
export function timeScale(fromMs: number, toMs: number): (atMs: number) => number {
  if (!(toMs > fromMs)) return () => 100;
  const scale = scaleUtc().domain([fromMs, toMs]).range([0, 100]).clamp(true);
  return (atMs) => scale(atMs);
}

/** Upper end of a count axis: the smallest round number that is not below `value`, at least 1. */
export function axisMax(value: number): number {
  const target = toNonNegative(value);
  if (target <= 1) return 1;
  const step = 10 ** Math.floor(Math.log10(target));
  const factor = [1, 2, 3, 4, 5, 6, 8, 10].find((each) => each * step >= target) ?? 10;
  return factor * step;
}

/** Counts to pixels from the top; `topPx` for the maximum, `basePx` for 0. */
export function countScale(top: number, topPx: number, basePx: number): (value: number) => number {
  const scale = scaleLinear().domain([0, top]).range([basePx, topPx]).clamp(true);
  return (value) => scale(toNonNegative(value));
}

/** Round times in a range, at most seven; none so close to the end that its label would not fit. */
function ticksOf(fromMs: number, toMs: number): number[] {
  if (!(toMs > fromMs)) return [];
  const ticks = scaleUtc().domain([fromMs, toMs]).ticks(7);
  return ticks.map((tick) => tick.getTime()).filter((at) => at <= toMs - (toMs - fromMs) * 0.05);
}

export function timeAxis(fromMs: number, toMs: number, basePx: number): VNode[] {
  const x = timeScale(fromMs, toMs);
  const ticks = ticksOf(fromMs, toMs);
  return [
    html`<line class="axis" x1="0" x2="100%" y1=${basePx} y2=${basePx}></line>`,
    ...ticks.flatMap((at, index) => {
      const position = toPercent(x(at));
      // On narrow charts, every second label and those near the end are hidden.
      const alternate = index % 2 === 1 || x(at) > 85 ? ' alt' : '';
      return [
        html`<line class="tick" x1=${position} x2=${position} y1=${basePx} y2=${basePx + 4}></line>`,
        html`<text class="xlab${alternate}" x=${position} y=${basePx + 16} dx="4">${tickWord(at)}</text>`,
      ];
    }),
  ];
}

/** Lines are drawn below the chart's data, labels above: at the top of the axis and at half. */
export function gridLines(top: number, topPx: number, basePx: number, word: (value: number) => string) {
  const y = countScale(top, topPx, basePx);
  const values = top >= 2 || !Number.isInteger(top) ? [top, top / 2] : [top];
  const lines = values.map((value) => ({ value, at: Math.round(y(value)) }));
  return {
    lines: lines.map(({ at }) => html`<line class="grid" x1="0" x2="100%" y1=${at} y2=${at}></line>`),
    labels: lines.map(({ value, at }) => html`<text class="ylab" x="0" y=${at - 4}>${word(value)}</text>`),
  };
}

function tickWord(at: number): string {
  return at % dayMs === 0 ? formatDay(at) : formatTimeOfDay(at);
}
