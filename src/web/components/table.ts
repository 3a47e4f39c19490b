import { type Attributes, type Content, html, pageLink, type VNode } from '../el.ts';
import { count } from '../formatters.ts';
import type { PageContext, QueryParams } from '../page-context.ts';
import { hiddenCaption } from './elements.ts';

export interface Column<Row> {
  readonly name?: Content;
  readonly class?: string;
  /** Classes of the head if they differ from `class`; null for none. */
  readonly head?: string | null;
  readonly sort?: Sort;
  readonly cell?: (row: Row) => Content;
  /** Renders the whole cell element instead of its content, such as a row head (`titleCell`). */
  readonly row?: (row: Row) => VNode;
}

/** `head` and `cells` are classes, as the widths are those of the head. */
export function column<Row>(
  name: Content,
  head: string | null,
  cells: string,
  cell: (row: Row) => Content,
): Column<Row> {
  return { name, head, class: cells, cell };
}

interface Sort {
  readonly path: string;
  readonly query: QueryParams;
  readonly isCurrent: boolean;
  readonly ascends?: boolean;
}

export interface Table<Row> {
  /** For screen readers. */
  readonly caption: string;
  readonly class?: string;
  /** Null columns are omitted. */
  readonly columns: ReadonlyArray<Column<Row> | null>;
  readonly rows: readonly Row[];
  readonly groups?: ReadonlyArray<{ readonly name: Content; readonly rows: readonly Row[] }>;
  readonly rowAttributes?: (row: Row) => Attributes;
  readonly isHeadless?: boolean;
}

export function dataTable<Row>(context: PageContext | null, { columns: all, ...table }: Table<Row>): VNode {
  const { caption, class: className = 't list', rows, groups, rowAttributes, isHeadless = false } = table;
  const columns = all.filter((column) => column !== null);
  const lines = (of: readonly Row[]): VNode[] =>
    of.map(
      (row) =>
        html`<tr ...${rowAttributes?.(row) ?? {}}>${columns.map((column) => cellOf(column, row))}</tr>`,
    );
  const bodies = groups?.map(
    ({ name, rows: of }) => html`<tbody>
      <tr class="group">
        <th colspan="2" scope="rowgroup">${name} <span class="n dim">${count(of.length)}</span></th>
      </tr>
      ${lines(of)}
    </tbody>`,
  );
  return html`<table class=${className}>
    ${hiddenCaption(caption)}${isHeadless ? null : headerRow(...columns.map((column) => headOf(context, column)))}
    ${bodies ?? html`<tbody>${lines(rows)}</tbody>`}
  </table>`;
}

/** A small table without a head, beside or below others. */
export function miniTable<Row>(
  caption: string,
  rows: readonly Row[],
  ...columns: ReadonlyArray<Column<Row> | null>
): VNode {
  return dataTable<Row>(null, { caption, class: 't mini', isHeadless: true, columns, rows });
}

function headOf<Row>(context: PageContext | null, { name, sort, ...column }: Column<Row>): VNode {
  const className = column.head === undefined ? column.class : (column.head ?? undefined);
  if (name === undefined) return html`<td class=${className}></td>`;
  if (sort === undefined || context === null) return columnHeader(name, className);
  const { isCurrent, ascends = false, ...to } = sort;
  const order = isCurrent ? (ascends ? 'ascending' : 'descending') : null;
  const link = pageLink(context, to, null, name, isCurrent ? (ascends ? ' ↑' : ' ↓') : null);
  return html`<th scope="col" class=${className} aria-sort=${order}>${link}</th>`;
}

function cellOf<Row>({ row: renderCell, cell: content, class: className }: Column<Row>, row: Row): VNode {
  return renderCell?.(row) ?? cell(content?.(row), className);
}

export interface TitleCell {
  readonly path: string;
  readonly query?: QueryParams;
  /** Text from outside. */
  readonly title: Content;
  readonly subtitle?: Content;
  readonly folded?: HiddenColumns;
}

/** Contents with the class of the hidden column; null is omitted. */
type HiddenColumns = ReadonlyArray<readonly [className: string, content: Content]>;

/** Row head of a list: linked title, subtitle below, and values of hidden columns. */
export function titleCell(context: PageContext, { title, subtitle, folded, ...to }: TitleCell): VNode {
  const name = html`<span class="ttl"><bdi>${title}</bdi></span>`;
  return rowHeader(pageLink(context, to, { class: 'cell' }, name), subtitle, folded);
}

export function rowHeader(name: Content, subtitle?: Content, folded?: HiddenColumns): VNode {
  return html`<th scope="row">
    ${name}${subtitle === undefined ? null : html`<span class="cul">${subtitle}</span>`}
    ${folded === undefined ? null : foldedCells(folded)}
  </th>`;
}

function foldedCells(folded: HiddenColumns): VNode {
  const filled = folded.filter(([, content]) => content !== null && content !== undefined);
  return html`<span class="fold">
    ${filled.map(([className, content]) => html`<span class=${className}>${content}</span>`)}
  </span>`;
}

/** A container that scrolls horizontally, also by keyboard. */
export function scrollableTable(label: string, table: VNode): VNode {
  return html`<div class="wide" tabindex="0" role="group" aria-label=${label}>${table}</div>`;
}

export function headerRow(...cells: Content[]): VNode {
  return html`<thead><tr>${cells}</tr></thead>`;
}

export function columnHeader(name: Content, className?: string): VNode {
  return html`<th scope="col" class=${className}>${name}</th>`;
}

export function cell(content: Content, className?: string, attributes: Attributes = {}): VNode {
  return html`<td class=${className} ...${attributes}>${content}</td>`;
}
