// One bar per day. `strip` is a single tab stop; arrow keys select a day, shown in an <output>.
import { hatchFill } from '../components/icons.ts';
import { type Attributes, html, type VNode } from '../el.ts';
import { toPercent } from './scale.ts';

const heights = { up: 0.6, degraded: 0.8, down: 1, maintenance: 0.6, none: 0.1 } as const;
export type DayState = keyof typeof heights;

export interface StripDay {
  readonly state: DayState;
  /** `3 Oct: checked twice, both failed`; null if nothing needs to be said. */
  readonly label: string | null;
}

const heightPx = 28;

export function dayStrip(days: readonly StripDay[], name: string): VNode {
  return html`<div class="stripbox">
    ${smallDayStrip(days, name, heightPx)}
    <output class="hint js">${days.length === 0 ? '' : 'Use the arrow keys to move between days.'}</output>
  </div>`;
}

/** For table rows and pages without scripts: not keyboard navigable. */
export function smallDayStrip(days: readonly StripDay[], name: string, height = 20): VNode {
  const width = 100 / Math.max(1, days.length);
  const bars = days.map(({ state, label }, index) => {
    // Slightly wider bars, because rounding would leave gaps.
    const position = { x: toPercent(index * width), width: toPercent(width + 0.03) };
    const title = label === null ? null : html`<title>${label}</title>`;
    return html`<rect ...${barOf(state, height)} ...${position}>${title}</rect>`;
  });
  const kind = days.length > 45 ? 'strip dense' : 'strip';
  return html`<svg class=${kind} width="100%" height=${height} role="img" aria-label=${name}>${bars}</svg>`;
}

export function dayStripLegend(labels: Partial<Record<DayState, string>>): VNode[] {
  const height = 14;
  return (Object.keys(heights) as DayState[]).flatMap((state) => {
    const word = labels[state];
    const bar = html`<rect ...${barOf(state, height)} width="100%"></rect>`;
    const one = { class: 'strip one', width: 6, height, 'aria-hidden': 'true' };
    return word === undefined ? [] : [html`<span><svg ...${one}>${bar}</svg>${word}</span>`];
  });
}

function barOf(state: DayState, height: number): Attributes {
  const high = Math.max(2, Math.round(heights[state] * height));
  const colour = state === 'maintenance' ? { fill: hatchFill('maintenance') } : { class: `f-${state}` };
  return { ...colour, y: height - high, height: high };
}
