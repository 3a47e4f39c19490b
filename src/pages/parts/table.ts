// Tables: columns as data, heads that sort, and the title cell of a list in two lines.
import type { VNode } from 'preact';
import { type Attributes, type Content, html } from '../el.ts';
import type { Frame, QueryMembers } from '../frame.ts';
import { count } from '../words/numbers.ts';
import { hiddenCaption } from './layout.ts';
import { pageLink } from './link.ts';

/** A column: its head, and its cell in each row. */
export interface Column<Row> {
  /** What the head says; without it, as in a column of marks, the head is an empty cell. */
  readonly name?: Content;
  /** Classes of the head and of the cells. */
  readonly class?: string;
  /** Classes of the head alone, where it has others; null where it has none. */
  readonly head?: string | null;
  /** Where the list can be sorted by it. */
  readonly sort?: Sort;
  /** What stands in a cell. */
  readonly cell?: (row: Row) => Content;
  /** In place of `cell`: the cell itself, such as the head of the row (`titleCell`). */
  readonly row?: (row: Row) => VNode;
}

interface Sort {
  readonly path: string;
  readonly query: QueryMembers;
  readonly isCurrent: boolean;
  readonly ascends?: boolean;
}

export interface Table<Row> {
  /** What it holds, for who listens. */
  readonly caption: string;
  /** `t list` unless something else is said. */
  readonly class?: string;
  /** Null leaves a column away. */
  readonly columns: ReadonlyArray<Column<Row> | null>;
  readonly rows: readonly Row[];
  /** The same rows under names, each with its count. */
  readonly groups?: ReadonlyArray<{ readonly name: Content; readonly rows: readonly Row[] }>;
  readonly rowAttributes?: (row: Row) => Attributes;
  /** Without heads of columns. */
  readonly isHeadless?: boolean;
}

/** A table of rows. */
export function tableOf<Row>(frame: Frame | null, { columns: all, ...table }: Table<Row>): VNode {
  const { caption, class: look = 't list', rows, groups, rowAttributes, isHeadless = false } = table;
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
  return html`<table class=${look}>
    ${hiddenCaption(caption)}${isHeadless ? null : headRow(...columns.map((column) => headOf(frame, column)))}
    ${bodies ?? html`<tbody>${lines(rows)}</tbody>`}
  </table>`;
}

function headOf<Row>(frame: Frame | null, { name, sort, ...column }: Column<Row>): VNode {
  const look = column.head === undefined ? column.class : (column.head ?? undefined);
  if (name === undefined) return html`<td class=${look}></td>`;
  if (sort === undefined || frame === null) return columnHead(name, look);
  const { isCurrent, ascends = false, ...to } = sort;
  const order = isCurrent ? (ascends ? 'ascending' : 'descending') : null;
  const link = pageLink(frame, to, null, name, isCurrent ? (ascends ? ' ↑' : ' ↓') : null);
  return html`<th scope="col" class=${look} aria-sort=${order}>${link}</th>`;
}

function cellOf<Row>({ row: whole, cell: content, class: look }: Column<Row>, row: Row): VNode {
  return whole?.(row) ?? cell(content?.(row), look);
}

export interface TitleCell {
  /** Where the row leads. */
  readonly path: string;
  readonly query?: QueryMembers;
  /** What it is; text from outside. */
  readonly title: Content;
  /** Where it is, below. */
  readonly place?: Content;
  /** What columns said that have no room here. */
  readonly folded?: Folded;
}

/** Contents, each with the class of its column's absence; null leaves one away. */
type Folded = ReadonlyArray<readonly [look: string, content: Content]>;

/** The head of a row in a list: what it is, where it is, and what has no column of its own here. */
export function titleCell(frame: Frame, { title, place, folded, ...to }: TitleCell): VNode {
  const name = html`<span class="ttl"><bdi>${title}</bdi></span>`;
  return rowHead(pageLink(frame, to, { class: 'cell' }, name), place, folded);
}

/** The same around a name that is no usual link. */
export function rowHead(name: Content, place?: Content, folded?: Folded): VNode {
  return html`<th scope="row">
    ${name}${place === undefined ? null : html`<span class="cul">${place}</span>`}
    ${folded === undefined ? null : foldedCells(folded)}
  </th>`;
}

/** What columns said that have no room here. */
function foldedCells(folded: Folded): VNode {
  const said = folded.filter(([, content]) => content !== null && content !== undefined);
  return html`<span class="fold">
    ${said.map(([look, content]) => html`<span class=${look}>${content}</span>`)}
  </span>`;
}

/** A table that may be wider than its place: it scrolls by itself, also by keyboard. */
export function wide(label: string, table: VNode): VNode {
  return html`<div class="wide" tabindex="0" role="group" aria-label=${label}>${table}</div>`;
}

/** A head of columns; null leaves a corner empty. */
export function headRow(...cells: Content[]): VNode {
  return html`<thead><tr>${cells}</tr></thead>`;
}

/** The head of a column. */
export function columnHead(name: Content, className?: string): VNode {
  return html`<th scope="col" class=${className}>${name}</th>`;
}

/** A cell. */
export function cell(content: Content, className?: string, attributes: Attributes = {}): VNode {
  return html`<td class=${className} ...${attributes}>${content}</td>`;
}
