import { el, html, type VNode } from '../el.ts';
import { toNonNegative, toPercent } from './scale.ts';

interface Meter {
  readonly part: number;
  /** The whole. If it is 0, the meter is full as soon as `part` is above 0. */
  readonly all: number;
  readonly name: string;
  readonly fill?: 'plain' | 'fatal' | 'warning' | 'info';
}

export function meter({ part, all, name, fill = 'plain' }: Meter): VNode {
  const share =
    toNonNegative(all) === 0 ? (toNonNegative(part) > 0 ? 1 : 0) : toNonNegative(part) / toNonNegative(all);
  return line(name, [{ fill: `f-${fill}`, from: 0, share }]);
}

/** The three largest parts are drawn, the rest is left empty. */
export function shareMeter(values: readonly number[], name: string): VNode {
  const fills = ['f-ink', 'f-plain', 'f-info'] as const;
  const sum = values.reduce((all, each) => all + toNonNegative(each), 0);
  const largest = values.map(toNonNegative).sort((one, other) => other - one);
  let from = 0;
  const drawn = fills.map((fill, index) => {
    const share = sum === 0 ? 0 : (largest[index] ?? 0) / sum;
    const segment = { fill, from, share };
    from += share;
    return segment;
  });
  return line(name, drawn);
}

function line(name: string, segments: ReadonlyArray<{ fill: string; from: number; share: number }>): VNode {
  return el(
    'svg',
    { class: 'meter', width: '100%', height: 6, role: 'img', 'aria-label': name },
    html`<rect class="track" width="100%" height="6"></rect>`,
    segments
      .filter(({ share }) => share > 0)
      .map(
        ({ fill, from, share }) =>
          html`<rect class=${fill} x=${toPercent(from * 100)} width=${toPercent(share * 100)} height="6">
          </rect>`,
      ),
  );
}
