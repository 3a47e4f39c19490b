// Vertical markers above a chart, with the name of a release or an action.
import { cutText } from '../../core/parsing/cut-text.ts';
import { html, type VNode } from '../el.ts';
import { toPercent } from './scale.ts';

export interface Marker {
  readonly atMs: number;
  /** Text from outside, usually a version. */
  readonly name: string;
}

const nameMax = 28;
/** Width of a 12px letter, in percent of a chart of 40rem. */
const percentPerLetter = 1.1;
/** From this position on, the name is left of the line. */
const labelLeftFromPercent = 70;

/** Oldest first. If two names would overlap, the older shows only its flag; the newest is always shown. */
export function markers(all: readonly Marker[], x: (atMs: number) => number, basePx: number): VNode[] {
  const placed = [...all]
    .filter(({ atMs }) => Number.isFinite(atMs))
    .sort((one, other) => one.atMs - other.atMs)
    .map(({ atMs, name }) => ({ at: x(atMs), label: shortName(name), name }));
  let takenFrom = Number.POSITIVE_INFINITY;
  const drawn = placed.toReversed().map(({ at, label, name }, index) => {
    const isLeft = at > labelLeftFromPercent;
    const width = (label.length + 3) * percentPerLetter;
    const [from, to] = isLeft ? [at - width, at + 1.5] : [at, at + width];
    const hasRoom = index === 0 || to <= takenFrom;
    const isCovered = at >= takenFrom;
    takenFrom = Math.min(takenFrom, hasRoom ? from : at);
    const display = { label: hasRoom ? label : null, isLeft, isCovered, isNewest: index === 0 };
    return marker(toPercent(at), name, display, basePx);
  });
  return drawn.toReversed();
}

interface MarkerDisplay {
  readonly label: string | null;
  readonly isLeft: boolean;
  /** True if a newer name covers this place: the line is shortened and has no flag. */
  readonly isCovered: boolean;
  readonly isNewest: boolean;
}

function marker(
  x: string,
  name: string,
  { label, isLeft, isCovered, isNewest }: MarkerDisplay,
  basePx: number,
): VNode {
  const labelPosition = isLeft ? { x: -5, 'text-anchor': 'end' } : { x: 13 };
  const mast = { class: 'mast', x1: x, x2: x, y1: isCovered ? 14 : 2, y2: basePx };
  const title = html`<title>${name}</title>`;
  if (isCovered) return html`<g class="marker">${title}<line ...${mast}></line></g>`;
  return html`<g class="marker">
    <line ...${mast}></line>
    <svg class=${isNewest ? 'pennant now' : 'pennant'} x=${x} y="0" overflow="visible">
      ${title}<path d="M0 1.5h9L6.5 5.5 9 9.5H0z"></path>
      ${label === null ? null : html`<text ...${labelPosition} y="9.5" unicode-bidi="isolate">${label}</text>`}
    </svg>
  </g>`;
}

function shortName(name: string): string {
  const short = cutText(name, nameMax);
  return short === name ? name : `${short}…`;
}
