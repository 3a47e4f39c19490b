// What happened meanwhile, above a plot: a dotted mast with a pennant, and the name of a release or an act.
import type { VNode } from 'preact';
import { cutText } from '../../core/reading/cut-text.ts';
import { html } from '../el.ts';
import { percentOf } from './scale.ts';

/** What a pennant says; `atMs` in epoch milliseconds. */
export interface Marker {
  readonly atMs: number;
  /** Text from outside: a version, mostly. */
  readonly name: string;
}

const nameMax = 28;
/** A letter of 12 px is about this share of a plot that is 40 rem wide. */
const percentPerLetter = 1.1;
/** From here on a name stands left of its mast. */
const turnsAtPercent = 70;

/**
 * The markers within the width, oldest first. Of two whose names would touch, the older keeps its pennant
 * alone; the newest always says its name.
 */
export function markers(all: readonly Marker[], x: (atMs: number) => number, basePx: number): VNode[] {
  const placed = [...all]
    .filter(({ atMs }) => Number.isFinite(atMs))
    .sort((one, other) => one.atMs - other.atMs)
    .map(({ atMs, name }) => ({ at: x(atMs), said: shortName(name), name }));
  let takenFrom = Number.POSITIVE_INFINITY;
  const drawn = placed.toReversed().map(({ at, said, name }, index) => {
    const isLeft = at > turnsAtPercent;
    const width = (said.length + 3) * percentPerLetter;
    const [from, to] = isLeft ? [at - width, at + 1.5] : [at, at + width];
    const hasRoom = index === 0 || to <= takenFrom;
    const isCovered = at >= takenFrom;
    takenFrom = Math.min(takenFrom, hasRoom ? from : at);
    return marker(
      percentOf(at),
      name,
      { said: hasRoom ? said : null, isLeft, isCovered, isNewest: index === 0 },
      basePx,
    );
  });
  return drawn.toReversed();
}

interface Look {
  readonly said: string | null;
  readonly isLeft: boolean;
  /** Whether the name of a newer one stands here: then the mast stays below it, without a pennant. */
  readonly isCovered: boolean;
  readonly isNewest: boolean;
}

function marker(x: string, name: string, { said, isLeft, isCovered, isNewest }: Look, basePx: number): VNode {
  const place = isLeft ? { x: -5, 'text-anchor': 'end' } : { x: 13 };
  const mast = { class: 'mast', x1: x, x2: x, y1: isCovered ? 14 : 2, y2: basePx };
  const title = html`<title>${name}</title>`;
  if (isCovered) return html`<g class="marker">${title}<line ...${mast}></line></g>`;
  return html`<g class="marker">
    <line ...${mast}></line>
    <svg class=${isNewest ? 'pennant now' : 'pennant'} x=${x} y="0" overflow="visible">
      ${title}<path d="M0 1.5h9L6.5 5.5 9 9.5H0z"></path>
      ${said === null ? null : html`<text ...${place} y="9.5" unicode-bidi="isolate">${said}</text>`}
    </svg>
  </g>`;
}

function shortName(name: string): string {
  const short = cutText(name, nameMax);
  return short === name ? name : `${short}…`;
}
