// List pages from data: head, tabs, filters, columns, pager and empty states, always in this order.
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, replaceInvisible } from '../formatters.ts';
import type { PageContent, PageContext, QueryParams } from '../page-context.ts';
import { type Choice, queryForm, searchField, select, submitButton } from './controls.ts';
import { noResults, type PageHead, pageHead, pager, tabs } from './elements.ts';
import { dataTable, type Table } from './table.ts';

interface List<Row> extends Table<Row> {
  readonly path: string;
  readonly title: string;
  readonly breadcrumbs?: NonNullable<PageContent['breadcrumbs']>;
  readonly head?: Omit<PageHead, 'title'>;
  readonly intro?: Content;
  /** Shown instead of tabs and table if there were never any rows. */
  readonly empty?: Content;
  readonly tabs?: ListTabs;
  readonly filters?: ListFilters;
  readonly plot?: Content;
  /** Shown if no row matches: title, reason, and text of the link to all rows. */
  readonly noneFits?: readonly [title: string, reason: Content, all: string];
  readonly noRows?: Content;
  readonly pages?: Pages;
  readonly isSection?: boolean;
  readonly around?: (table: VNode) => Content;
  readonly below?: Content;
}

export function listPage<Row>(context: PageContext, list: List<Row>): PageContent {
  const { title, breadcrumbs, head, intro, empty, below } = list;
  return {
    title,
    ...(breadcrumbs === undefined ? {} : { breadcrumbs }),
    main: [pageHead({ title, ...head }), intro, empty ?? listSection(context, list), below],
  };
}

export function listSection<Row>(
  context: PageContext,
  list: Omit<List<Row>, 'title' | 'head' | 'intro' | 'below'>,
): Content {
  const { path, tabs: choices, filters, plot, rows, pages, isSection = false, around } = list;
  const pager = pages === undefined ? null : pagesOf(context, path, rows.length, pages);
  const table = (): Content => {
    const all = dataTable(context, list);
    const content = [around === undefined ? all : around(all), pager];
    return isSection ? html`<div class="sec">${content}</div>` : content;
  };
  return [
    choices === undefined ? null : choiceTabs(context, path, choices),
    filters === undefined ? null : filterForm(context, path, filters),
    plot,
    rows.length === 0 ? emptyContent(context, list) : table(),
  ];
}

function emptyContent<Row>(
  context: PageContext,
  { path, noneFits, noRows }: Pick<List<Row>, 'path' | 'noneFits' | 'noRows'>,
): Content {
  if (noneFits === undefined) return noRows;
  const [title, reason, all] = noneFits;
  return noResults(context, title, reason, pageLink(context, path, null, all));
}

interface ListTabs {
  readonly label: string;
  readonly name: string;
  readonly current: string | null;
  readonly usual?: string;
  readonly query: QueryParams;
  readonly all: ReadonlyArray<readonly [value: string | null, name: string, count?: number]>;
}

function choiceTabs(context: PageContext, path: string, { query, ...choice }: ListTabs): VNode {
  const { label, name, current, usual, all } = choice;
  const tab = ([value, word, total]: ListTabs['all'][number]) => ({
    name: word,
    path,
    query: { ...query, [name]: value === usual ? null : value },
    count: total === undefined ? null : count(total),
    isCurrent: current === value,
  });
  return tabs(context, label, all.map(tab));
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
export function filterForm(context: PageContext, path: string, filters: ListFilters): VNode {
  const { label = 'Filter', preserved = {}, search, choices = [], more, verb = 'Apply' } = filters;
  return queryForm(
    context,
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

function pagesOf(context: PageContext, path: string, shown: number, pages: Pages): VNode | null {
  const { query, newer, older, all, noun, isForMany = false } = pages;
  if (isForMany && newer === null && older === null) return null;
  const pageQuery = (to: string | number | null, cursor: 'before' | 'after'): QueryParams | null =>
    to === null ? null : { ...query, [typeof to === 'number' ? 'page' : cursor]: to };
  const usual =
    all === null ? `${counted(shown, ...noun)} here` : `${count(shown)} of ${counted(all, ...noun)}`;
  return pager(context, {
    path,
    summary: pages.summary ?? usual,
    newer: pageQuery(newer, 'before'),
    older: pageQuery(older, 'after'),
  });
}
