// What stands around a plot: the finding above it, what its colours mean, and the same numbers as a table.
import type { VNode } from 'preact';
import { type Content, html } from '../el.ts';
import { hiddenCaption } from '../parts/layout.ts';
import { columnHead, headRow, wide } from '../parts/table.ts';

/** A plot under its finding; `beside` stands at the right of that, the table below the plot. */
export function plotFigure(
  {
    finding,
    beside,
    table,
  }: { readonly finding: Content; readonly beside?: Content; readonly table?: Content },
  ...plot: Content[]
): VNode {
  return html`<figure><figcaption><span>${finding}</span>${beside}</figcaption>${plot}${table}</figure>`;
}

/** A square of a colour, before the word that it means. */
export function swatch(fill: string): VNode {
  const box = { class: `sw ${fill}`, width: 10, height: 10, 'aria-hidden': 'true' };
  return html`<svg ...${box}><rect width="10" height="10"></rect></svg>`;
}

export interface TableOfPlot {
  /** What one row is: `Per 2 h, UTC`. */
  readonly said: string;
  /** What the table holds, for who listens. */
  readonly caption: string;
  readonly heads: readonly string[];
  /** The first cell is the head of its row; the others are figures. */
  readonly rows: ReadonlyArray<readonly Content[]>;
}

/** The numbers of a plot, closed until somebody asks. */
export function asTable({ said, caption, heads, rows }: TableOfPlot): VNode {
  const [first = '', ...others] = heads;
  const head = headRow(columnHead(first), ...others.map((name) => columnHead(name, 'r')));
  const body = rows.map(
    ([title, ...cells]) =>
      html`<tr><th scope="row">${title}</th>${cells.map((each) => html`<td class="r">${each}</td>`)}</tr>`,
  );
  const table = html`<table class="t">${hiddenCaption(caption)}${head}<tbody>${body}</tbody></table>`;
  const summary = html`<summary>${said}. Show as a table</summary>`;
  return html`<details class="data">${summary}${wide(caption, table)}</details>`;
}
