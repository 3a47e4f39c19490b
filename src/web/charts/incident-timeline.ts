// Timeline of one incident. The first and last labels are always shown; others are hidden if they overlap.
import { type Content, el, html, type VNode } from '../el.ts';
import { chartFigure } from './chart-figure.ts';
import { toPercent } from './scale.ts';

interface Step {
  /** Milliseconds since the start. */
  readonly afterMs: number;
  readonly label: string;
}

export interface IncidentTimeline {
  /** In order of time, from start to end. */
  readonly steps: readonly Step[];
  /** When monitoring began, in milliseconds since the start; null if never. */
  readonly mitigatedMs: number | null;
  readonly finding: Content;
  readonly aside?: Content;
}

const height = 58;
const [lineTop, lineBottom] = [28, 34];
/** Width of a 12px letter, in percent of a chart of 40rem. */
const percentPerLetter = 1.05;

export function incidentTimeline({ steps: all, mitigatedMs, finding, aside }: IncidentTimeline): VNode {
  const last = all.at(-1);
  const durationMs = Math.max(1, last?.afterMs ?? 1);
  const x = (ms: number): number => (Math.min(durationMs, Math.max(0, ms)) / durationMs) * 100;
  const mitigated = mitigatedMs === null ? 100 : x(mitigatedMs);
  const cap = { y: lineTop, height: lineBottom - lineTop };
  const name = `${all.map(({ label }) => label).join('; ')}.`;
  const svg = el(
    'svg',
    { class: 'plot steps', width: '100%', height, role: 'img', 'aria-label': name },
    html`<rect class="f-fatal" x="0" width=${toPercent(mitigated)} ...${cap}></rect>`,
    mitigated < 100
      ? html`<rect class="f-warning" x=${toPercent(mitigated)} width=${toPercent(100 - mitigated)} ...${cap}>
      </rect>`
      : null,
    drawSteps(all, x),
  );
  return chartFigure({ finding, aside }, svg);
}

/** Labels alternate below and above the line. */
function drawSteps(all: readonly Step[], x: (ms: number) => number): VNode[] {
  const last = all.length - 1;
  // The last label is placed first, at the right.
  const end = all[last];
  const rightLimit = {
    above: last > 0 && last % 2 === 1 && end !== undefined ? 100 - widthOf(end) : 100,
    below: last > 0 && last % 2 === 0 && end !== undefined ? 100 - widthOf(end) : 100,
  };
  const reached = { above: 0, below: 0 };
  return all.flatMap((step, index) => {
    const at = x(step.afterMs);
    const row = index % 2 === 0 ? 'below' : 'above';
    const isEnd = index === last && last > 0;
    const isMiddle = index > 0 && !isEnd && at > widthOf(step) / 2;
    const from = isEnd ? 100 - widthOf(step) : isMiddle ? at - widthOf(step) / 2 : at;
    const hasRoom = isEnd || index === 0 || (from >= reached[row] && from + widthOf(step) <= rightLimit[row]);
    if (hasRoom) reached[row] = from + widthOf(step);
    const anchor = isEnd ? 'end' : isMiddle ? 'middle' : null;
    const [top, bottom, word] = row === 'below' ? [lineTop, 42, 54] : [18, lineBottom, 13];
    const position = toPercent(at);
    return [
      html`<line class="tick" x1=${position} x2=${position} y1=${top} y2=${bottom}>
        <title>${step.label}</title>
      </line>`,
      hasRoom
        ? html`<text class=${index === 0 || isEnd ? null : 'alt'} x=${position} y=${word} text-anchor=${anchor}>
          ${step.label}
        </text>`
        : null,
    ].filter((each) => each !== null);
  });
}

function widthOf({ label }: Step): number {
  return (label.length + 2) * percentPerLetter;
}
