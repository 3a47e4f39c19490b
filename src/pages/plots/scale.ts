// Where things stand on a plot: x in percent of its width, y in whole pixels. Numbers that are none count as
// nothing, so that no attribute is ever NaN.
import { scaleLinear, scaleUtc } from 'd3-scale';
import type { VNode } from 'preact';
import { dayMs } from '../../core/reading/spans.ts';
import { html } from '../el.ts';
import { dayAndTime, timeOfDay } from '../words/times.ts';

/** A number of a plot: what is not finite, or below nothing, is 0. */
export function amount(value: number | null | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** `33.33%`: a place on the width, bounded to it. */
export function percentOf(share: number): string {
  const bounded = Number.isFinite(share) ? Math.min(100, Math.max(0, share)) : 0;
  return `${Number(bounded.toFixed(2))}%`;
}

/**
 * Moments to percent of the width, both ends in epoch milliseconds. A span of nothing puts all at its end.
 */
export function timeScale(fromMs: number, toMs: number): (atMs: number) => number {
  if (!(toMs > fromMs)) return () => 100;
  const scale = scaleUtc().domain([fromMs, toMs]).range([0, 100]).clamp(true);
  return (atMs) => scale(atMs);
}

/**
 * The top of an axis of counts: the least round number that nothing stands above, 1 where there is nothing.
 */
export function topOf(most: number): number {
  const wanted = amount(most);
  if (wanted <= 1) return 1;
  const step = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 3, 4, 5, 6, 8, 10].find((each) => each * step >= wanted) ?? 10;
  return factor * step;
}

/** Counts to pixels from the top of a plot; `topPx` is where the greatest stands and `basePx` nothing. */
export function heightScale(top: number, topPx: number, basePx: number): (value: number) => number {
  const scale = scaleLinear().domain([0, top]).range([basePx, topPx]).clamp(true);
  return (value) => scale(amount(value));
}

/** Round moments of a span, at most `countMax` and none too near its end for a word. */
function ticksOf(fromMs: number, toMs: number, countMax: number): number[] {
  if (!(toMs > fromMs)) return [];
  const ticks = scaleUtc().domain([fromMs, toMs]).ticks(countMax);
  return ticks.map((tick) => tick.getTime()).filter((at) => at <= toMs - (toMs - fromMs) * 0.05);
}

/** The axis of time below a plot whose ground is at `basePx`. */
export function timeAxis(fromMs: number, toMs: number, basePx: number, countMax = 7): VNode[] {
  const x = timeScale(fromMs, toMs);
  const ticks = ticksOf(fromMs, toMs, countMax);
  return [
    html`<line class="axis" x1="0" x2="100%" y1=${basePx} y2=${basePx}></line>`,
    ...ticks.flatMap((at, index) => {
      const place = percentOf(x(at));
      // On a narrow plot every other word has no room, nor has one that would stand out at the end.
      const alternate = index % 2 === 1 || x(at) > 85 ? ' alt' : '';
      return [
        html`<line class="tick" x1=${place} x2=${place} y1=${basePx} y2=${basePx + 4}></line>`,
        html`<text class="xlab${alternate}" x=${place} y=${basePx + 16} dx="4">${tickWord(at)}</text>`,
      ];
    }),
  ];
}

/**
 * What lies below a plot, and what its words are above it: a line for the top of the axis and one for half
 * of it.
 */
export interface Grid {
  readonly lines: VNode[];
  readonly words: VNode[];
}

/** The grid of an axis that ends at `top`; `word` says a value with its unit. */
export function grid(top: number, topPx: number, basePx: number, word: (value: number) => string): Grid {
  const y = heightScale(top, topPx, basePx);
  const values = top >= 2 || !Number.isInteger(top) ? [top, top / 2] : [top];
  const places = values.map((value) => ({ value, at: Math.round(y(value)) }));
  return {
    lines: places.map(({ at }) => html`<line class="grid" x1="0" x2="100%" y1=${at} y2=${at}></line>`),
    words: places.map(({ value, at }) => html`<text class="ylab" x="0" y=${at - 4}>${word(value)}</text>`),
  };
}

function tickWord(at: number): string {
  return at % dayMs === 0 ? (dayAndTime(at).split(',')[0] ?? '') : timeOfDay(at);
}
