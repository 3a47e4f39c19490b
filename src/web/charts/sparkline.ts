import { html, type VNode } from '../el.ts';
import { toNonNegative } from './scale.ts';

export interface Sparkline {
  /** Oldest first. */
  readonly values: readonly number[];
  /** Text alternative. */
  readonly name: string;
  readonly isLastOpen?: boolean;
  /** `stepPx`: a bar with its gap; `heightPx`: the whole chart. */
  readonly stepPx?: number;
  readonly heightPx?: number;
}

/** Zero is drawn as a hairline, so that the row stays visible. */
export function sparkline({ values, name, isLastOpen = true, stepPx = 4, heightPx = 20 }: Sparkline): VNode {
  const max = Math.max(0, ...values.map(toNonNegative));
  const width = Math.max(1, values.length) * stepPx;
  const bars = values.map((value, index) => {
    const share = max === 0 ? 0 : toNonNegative(value) / max;
    const height = share === 0 ? 0 : Math.max(2, Math.round(share * heightPx));
    return { x: index * stepPx, height };
  });
  const path = (some: typeof bars, heightMin: number): string =>
    some
      .map(({ x, height }) => [x, Math.max(heightMin, height)] as const)
      .map(([x, high]) => `M${x} ${heightPx - high}h${stepPx - 1}v${high}h${1 - stepPx}z`)
      .join('');
  const closed = isLastOpen ? bars.slice(0, -1) : bars;
  const last = isLastOpen ? bars.slice(-1) : [];
  const paths = [
    [
      'z',
      path(
        bars.filter(({ height }) => height === 0),
        1,
      ),
    ],
    [
      null,
      path(
        closed.filter(({ height }) => height > 0),
        1,
      ),
    ],
    [
      'last',
      path(
        last.filter(({ height }) => height > 0),
        1,
      ),
    ],
  ] as const;
  return html`<svg
    class="spark" width=${width} height=${heightPx} viewBox="0 0 ${width} ${heightPx}" role="img"
    aria-label=${name}
  >
    ${paths.filter(([, d]) => d !== '').map(([kind, d]) => html`<path class=${kind} d=${d}></path>`)}
  </svg>`;
}
