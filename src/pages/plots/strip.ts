// The strip: one bar a day, in which trouble stands taller than calm. On the page of one thing it is one
// stop of the keyboard, that arrows walk; an <output> says the day.
import type { VNode } from 'preact';
import { type Attributes, html } from '../el.ts';
import { hatchOf } from '../parts/icons.ts';
import { percentOf } from './scale.ts';

export type DayState = 'up' | 'degraded' | 'down' | 'maintenance' | 'none';

export interface StripDay {
  readonly state: DayState;
  /** What that day was, in words: `3 Oct: looked at twice, both failed`; null where nobody has to know. */
  readonly said: string | null;
}

/** Shares of the height: trouble stands taller. */
const heights: Readonly<Record<DayState, number>> = {
  up: 0.6,
  degraded: 0.8,
  down: 1,
  maintenance: 0.6,
  none: 0.1,
};
const heightPx = 28;
const states = ['up', 'degraded', 'down', 'maintenance', 'none'] as const;

/** The days, oldest first; `name` says what they came to. */
export function strip(days: readonly StripDay[], name: string): VNode {
  return html`<div class="stripbox">
    ${smallStrip(days, name, heightPx)}
    <output class="hint js">${days.length === 0 ? '' : 'Use the arrow keys to move between days.'}</output>
  </div>`;
}

/** The same in a row of a list, or where no script is: nothing to walk along. */
export function smallStrip(days: readonly StripDay[], name: string, height = 20): VNode {
  const width = 100 / Math.max(1, days.length);
  const bars = days.map(({ state, said }, index) => {
    // Rounded places would leave gaps here and there: each bar reaches a little under the next.
    const place = { x: percentOf(index * width), width: percentOf(width + 0.03) };
    const title = said === null ? null : html`<title>${said}</title>`;
    return html`<rect ...${barOf(state, height)} ...${place}>${title}</rect>`;
  });
  const kind = days.length > 45 ? 'strip dense' : 'strip';
  return html`<svg class=${kind} width="100%" height=${height} role="img" aria-label=${name}>${bars}</svg>`;
}

/** What the bars mean: each as it stands in a strip, and its word. */
export function stripKey(words: Partial<Record<DayState, string>>): VNode[] {
  const height = 14;
  return states.flatMap((state) => {
    const word = words[state];
    const bar = html`<rect ...${barOf(state, height)} width="100%"></rect>`;
    const one = { class: 'strip one', width: 6, height, 'aria-hidden': 'true' };
    return word === undefined ? [] : [html`<span><svg ...${one}>${bar}</svg>${word}</span>`];
  });
}

function barOf(state: DayState, height: number): Attributes {
  const high = Math.max(2, Math.round(heights[state] * height));
  const colour = state === 'maintenance' ? { fill: hatchOf('maintenance') } : { class: `f-${state}` };
  return { ...colour, y: height - high, height: high };
}
