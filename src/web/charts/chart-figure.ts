import { hiddenCaption } from '../components/elements.ts';
import { columnHeader, headerRow, scrollableTable } from '../components/table.ts';
import { type Content, html, type VNode } from '../el.ts';

interface ChartFigure {
  readonly finding: Content;
  readonly aside?: Content;
  readonly table?: Content;
}

export function chartFigure({ finding, aside, table }: ChartFigure, ...plot: Content[]): VNode {
  return html`<figure><figcaption><span>${finding}</span>${aside}</figcaption>${plot}${table}</figure>`;
}

export function swatch(fill: string): VNode {
  const box = { class: `sw ${fill}`, width: 10, height: 10, 'aria-hidden': 'true' };
  return html`<svg ...${box}><rect width="10" height="10"></rect></svg>`;
}

interface ChartTable {
  /** What one row is: `Per 2 h, UTC`. */
  readonly label: string;
  /** For screen readers. */
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: ReadonlyArray<readonly Content[]>;
}

export function chartTable({ label, caption, heads, rows }: ChartTable): VNode {
  const [first = '', ...others] = heads;
  const head = headerRow(columnHeader(first), ...others.map((name) => columnHeader(name, 'r')));
  const body = rows.map(
    ([title, ...cells]) =>
      html`<tr><th scope="row">${title}</th>${cells.map((each) => html`<td class="r">${each}</td>`)}</tr>`,
  );
  const table = html`<table class="t">${hiddenCaption(caption)}${head}<tbody>${body}</tbody></table>`;
  const summary = html`<summary>${label}. Show as a table</summary>`;
  return html`<details class="data">${summary}${scrollableTable(caption, table)}</details>`;
}
