import { html, type VNode } from '../el.ts';
import { toNonNegative } from './scale.ts';

interface Sparkline {
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
  const paths = { z: '', usual: '', last: '' };
  for (const [index, value] of values.map(toNonNegative).entries()) {
    const kind = value === 0 ? 'z' : isLastOpen && index === values.length - 1 ? 'last' : 'usual';
    const height = value === 0 ? 1 : Math.max(2, Math.round((value / max) * heightPx));
    paths[kind] += `M${index * stepPx} ${heightPx - height}h${stepPx - 1}v${height}h${1 - stepPx}z`;
  }
  return html`<svg
    class="spark" width=${width} height=${heightPx} viewBox="0 0 ${width} ${heightPx}" role="img"
    aria-label=${name}
  >
    ${Object.entries(paths)
      .filter(([, d]) => d !== '')
      .map(([kind, d]) => html`<path class=${kind === 'usual' ? null : kind} d=${d}></path>`)}
  </svg>`;
}
