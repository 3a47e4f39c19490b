// List pages from data: head, tabs, filters, columns, pager and empty states, always in this order.
import type { VNode } from 'preact';
import { type Content, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import type { PageContent, PageContext, QueryParams } from '../page-context.ts';
import { type Choice, queryForm, searchField, select, submitButton } from './controls.ts';
import { noResults, type PageHead, pageHead, pager, tabs } from './elements.ts';
import { pageLink } from './link.ts';
import { dataTable, type Table } from './table.ts';

interface List<Row> extends Table<Row> {
  readonly path: string;
  readonly title: string;
  readonly crumbs?: NonNullable<PageContent['crumbs']>;
  readonly head?: Omit<PageHead, 'title'>;
  readonly lead?: Content;
  /** Shown instead of tabs and table if there were never any rows. */
  readonly empty?: Content;
  readonly tabs?: ListTabs;
  readonly filters?: ListFilters;
  readonly plot?: Content;
  /** Shown if no row matches: title, reason, and text of the link to all rows. */
  readonly noneFits?: readonly [title: string, why: Content, all: string];
  readonly nothing?: Content;
  readonly pages?: Pages;
  readonly isSection?: boolean;
  readonly around?: (table: VNode) => Content;
  readonly below?: Content;
}

export function listPage<Row>(context: PageContext, list: List<Row>): PageContent {
  const { title, crumbs, head, lead, empty, below } = list;
  return {
    title,
    ...(crumbs === undefined ? {} : { crumbs }),
    main: [pageHead({ title, ...head }), lead, empty ?? listSection(context, list), below],
  };
}

export function listSection<Row>(
  frame: PageContext,
  list: Omit<List<Row>, 'title' | 'head' | 'lead' | 'below'>,
): Content {
  const { path, tabs: choices, filters, plot, rows, pages, isSection = false, around } = list;
  const pager = pages === undefined ? null : pagesOf(frame, path, rows.length, pages);
  const table = (): Content => {
    const all = dataTable(frame, list);
    const both = [around === undefined ? all : around(all), pager];
    return isSection ? html`<div class="sec">${both}</div>` : both;
  };
  return [
    choices === undefined ? null : choiceTabs(frame, path, choices),
    filters === undefined ? null : filterForm(frame, path, filters),
    plot,
    rows.length === 0 ? nothingOf(frame, list) : table(),
  ];
}

function nothingOf<Row>(
  frame: PageContext,
  { path, noneFits, nothing }: Pick<List<Row>, 'path' | 'noneFits' | 'nothing'>,
): Content {
  if (noneFits === undefined) return nothing;
  const [title, why, all] = noneFits;
  return noResults(frame, title, why, pageLink(frame, { path }, null, all));
}

interface ListTabs {
  readonly label: string;
  readonly name: string;
  readonly current: string | null;
  readonly usual?: string;
  readonly query: QueryParams;
  readonly all: ReadonlyArray<readonly [value: string | null, name: string, count?: number]>;
}

function choiceTabs(frame: PageContext, path: string, { query, ...choice }: ListTabs): VNode {
  const { label, name, current, usual, all } = choice;
  const tab = ([value, word, many]: ListTabs['all'][number]) => ({
    name: word,
    path,
    query: { ...query, [name]: value === usual ? null : value },
    count: many === undefined ? null : count(many),
    isCurrent: current === value,
  });
  return tabs(frame, label, all.map(tab));
}

export interface ListFilters {
  readonly label?: string;
  /** Query members without a field, kept as hidden inputs. */
  readonly preserved?: QueryParams;
  readonly search?: {
    readonly id?: string;
    readonly label: string;
    readonly hint: string;
    readonly value: string | null;
  };
  readonly choices?: readonly ChoiceFilter[];
  readonly more?: Content;
  readonly verb?: string;
}

interface ChoiceFilter {
  readonly name: string;
  readonly label: string;
  readonly any?: string;
  readonly choices: ReadonlyArray<string | Choice>;
  readonly chosen: string | null;
}

/** A selected value that is not among the choices is added to them. */
export function filterForm(frame: PageContext, path: string, filters: ListFilters): VNode {
  const { label = 'Filter', preserved = {}, search, choices = [], more, verb = 'Apply' } = filters;
  return queryForm(
    frame,
    { path, label, preserved },
    search && searchField(search.id ?? 'q', search.label, search.hint, search.value),
    choices.map((each) => select({ ...each, id: each.name }, choicesOf(each), each.chosen)),
    more,
    submitButton(verb),
  );
}

function choicesOf({ any, choices, chosen }: ChoiceFilter): Choice[] {
  const named = choices.map((each) => (typeof each === 'string' ? choiceOf(each) : each));
  const isMissing = chosen !== null && !named.some(({ value }) => value === chosen);
  const all = isMissing ? [...named, choiceOf(chosen)] : named;
  return any === undefined ? all : [{ value: '', name: any }, ...all];
}

function choiceOf(value: string): Choice {
  return { value, name: replaceInvisible(value) };
}

interface Pages {
  readonly query: QueryParams;
  /** Cursors or page numbers; null if there is no neighbour. */
  readonly newer: string | number | null;
  readonly older: string | number | null;
  /** Total number; null if unknown. */
  readonly all: number | null;
  readonly noun: readonly [one: string, many?: string];
  readonly summary?: string;
  /** Omits the pager if one page holds all rows. */
  readonly isForMany?: boolean;
}

function pagesOf(frame: PageContext, path: string, shown: number, pages: Pages): VNode | null {
  const { query, newer, older, all, noun, isForMany = false } = pages;
  if (isForMany && newer === null && older === null) return null;
  const pageQuery = (to: string | number | null, cursor: 'before' | 'after'): QueryParams | null =>
    to === null ? null : { ...query, [typeof to === 'number' ? 'page' : cursor]: to };
  const usual =
    all === null ? `${counted(shown, ...noun)} here` : `${count(shown)} of ${counted(all, ...noun)}`;
  return pager(frame, {
    path,
    summary: pages.summary ?? usual,
    newer: pageQuery(newer, 'before'),
    older: pageQuery(older, 'after'),
  });
}
