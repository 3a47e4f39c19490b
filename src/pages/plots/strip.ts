// The strip: one bar a day, in which trouble stands taller than calm. One stop of the keyboard, that arrows
// walk; an <output> says the day.
import type { VNode } from 'preact';
import { el } from '../el.ts';
import { hatchOf } from '../parts/icons.ts';
import { percentOf } from './scale.ts';

export type DayState = 'up' | 'degraded' | 'down' | 'maintenance' | 'none';

export interface StripDay {
  readonly state: DayState;
  /** What that day was, in words: `3 Oct: looked at twice, both failed`. */
  readonly said: string;
}

const heights: Readonly<Record<DayState, number>> = {
  up: 17,
  degraded: 22,
  down: 28,
  maintenance: 17,
  none: 3,
};
const height = 28;

/** The days, oldest first; `name` says what they came to. */
export function strip(days: readonly StripDay[], name: string): VNode {
  const width = 100 / Math.max(1, days.length);
  const bars = days.map(({ state, said }, index) => {
    const high = heights[state];
    const colour = state === 'maintenance' ? { fill: hatchOf('info') } : { class: `f-${state}` };
    const place = { x: percentOf(index * width), width: percentOf(width), y: height - high, height: high };
    return el('rect', { ...colour, ...place }, el('title', null, said));
  });
  const kind = days.length > 45 ? 'strip dense' : 'strip';
  return el(
    'div',
    { class: 'stripbox' },
    el('svg', { class: kind, width: '100%', height, role: 'img', 'aria-label': name }, ...bars),
    el('output', { class: 'hint js' }, days.length === 0 ? '' : 'Arrow keys walk along the days.'),
  );
}
