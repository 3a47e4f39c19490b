// Tables: heads that sort, and the title cell of a list in two lines.
import type { VNode } from 'preact';
import { type Attributes, type Content, el } from '../el.ts';
import type { Frame, QueryMembers } from '../frame.ts';
import { pageLink } from './link.ts';

/** The head of a column by which the list can be sorted. */
export function sortHead(
  frame: Frame,
  column: { readonly name: string; readonly class?: string },
  sort: {
    readonly path: string;
    readonly query: QueryMembers;
    readonly isCurrent: boolean;
    readonly ascends?: boolean;
  },
): VNode {
  const { isCurrent, ascends = false, ...to } = sort;
  const sorted = ascends ? 'ascending' : 'descending';
  return el(
    'th',
    { scope: 'col', class: column.class, 'aria-sort': isCurrent ? sorted : null },
    pageLink(frame, to, null, column.name, isCurrent ? (ascends ? ' ↑' : ' ↓') : null),
  );
}

export interface TitleCell {
  /** Where the row leads. */
  readonly path: string;
  readonly query?: QueryMembers;
  /** What it is; text from outside. */
  readonly title: Content;
  /** Where it is, below. */
  readonly place?: Content;
  /** What columns said that have no room here, each with the class of its column's absence. */
  readonly folded?: Content;
}

/** The head of a row in a list: what it is, where it is, and what has no column of its own here. */
export function titleCell(frame: Frame, { title, place, folded, ...to }: TitleCell): VNode {
  return el(
    'th',
    { scope: 'row' },
    pageLink(frame, to, { class: 'cell' }, el('span', { class: 'ttl' }, el('bdi', null, title))),
    place === undefined ? null : el('span', { class: 'cul' }, place),
    folded === undefined ? null : el('span', { class: 'fold' }, folded),
  );
}

/** A table that may be wider than its place: it scrolls by itself, also by keyboard. */
export function wide(label: string, table: VNode): VNode {
  return el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': label }, table);
}

/** A head of columns; null leaves a corner empty. */
export function headRow(...cells: Content[]): VNode {
  return el('thead', null, el('tr', null, ...cells));
}

/** The head of a column. */
export function columnHead(name: Content, className?: string): VNode {
  return el('th', { scope: 'col', class: className }, name);
}

/** A cell. */
export function cell(content: Content, className?: string, attributes: Attributes = {}): VNode {
  return el('td', { class: className, ...attributes }, content);
}
