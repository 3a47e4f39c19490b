import type { VNode } from 'preact';
import { type Content, html } from '../el.ts';
import { hiddenCaption } from '../parts/layout.ts';
import { columnHead, headRow, wide } from '../parts/table.ts';

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

export function swatch(fill: string): VNode {
  const box = { class: `sw ${fill}`, width: 10, height: 10, 'aria-hidden': 'true' };
  return html`<svg ...${box}><rect width="10" height="10"></rect></svg>`;
}

export interface TableOfPlot {
  /** What one row is: `Per 2 h, UTC`. */
  readonly said: string;
  /** For screen readers. */
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: ReadonlyArray<readonly Content[]>;
}

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
