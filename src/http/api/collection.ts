// Lists in WordPress's manners (D-25): bare arrays, totals and neighbouring pages in headers.
import { foldText } from '../../core/reading/fold-text.ts';
import { scrubParameter } from '../../core/scrub/record.ts';
import type { ListWindow } from '../../core/store/page.ts';
import { type ApiRequest, type ApiResponse, ok } from './route.ts';

/** Rows to read for `page` and `per_page`, which the schema has bounded. */
export function windowOf(asked: { page: number; per_page: number }): ListWindow {
  return { limit: asked.per_page, offset: (asked.page - 1) * asked.per_page };
}

/**
 * 200 with the rows as a bare array, `X-WP-Total`, `X-WP-TotalPages` and `Link` to the pages before and
 * after, as WordPress's own controllers write them: the query as it was asked, `page` replaced. `path` is
 * below the namespace.
 */
export function listed(
  request: Pick<ApiRequest, 'query' | 'restUrl'>,
  path: string,
  asked: { page: number; per_page: number },
  page: { rows: readonly unknown[]; total: number },
): ApiResponse {
  const pages = Math.ceil(page.total / asked.per_page);
  const address = (number: number): string => addressOf(request, path, number);
  const links: string[] = [];
  if (asked.page > 1) links.push(`<${address(Math.max(1, Math.min(asked.page - 1, pages)))}>; rel="prev"`);
  if (asked.page < pages) links.push(`<${address(asked.page + 1)}>; rel="next"`);
  // Numbers, as core sets them: an envelope shows the difference.
  const headers: Array<readonly [string, string | number]> = [
    ['X-WP-Total', page.total],
    ['X-WP-TotalPages', pages],
  ];
  if (links.length > 0) headers.push(['Link', links.join(', ')]);
  return ok(page.rows, headers);
}

/** How a list that is read at once is asked for. */
interface Listing<Row, Order extends string> {
  /** Below the namespace. */
  readonly path: string;
  /** What is searched. */
  text(row: Row): string;
  /** By what it is put in order; what is alike by its number. */
  readonly orders: Readonly<Record<Order, (row: Row) => number | string>>;
  /** What is shown of the rows of a page. */
  views(rows: readonly Row[]): readonly unknown[] | Promise<readonly unknown[]>;
}

/** 200 with a page of rows that were all read: those that hold what is searched for (D-118), in order. */
export async function listedOf<Row extends { readonly id: number }, Order extends string>(
  request: Pick<ApiRequest, 'query' | 'restUrl'>,
  asked: {
    readonly page: number;
    readonly per_page: number;
    readonly search?: string | undefined;
    readonly order: 'asc' | 'desc';
    readonly orderby: Order;
  },
  rows: readonly Row[],
  { path, text, orders, views }: Listing<Row, Order>,
): Promise<ApiResponse> {
  const search = foldText((asked.search ?? '').trim());
  const by = orders[asked.orderby];
  const found = (search === '' ? rows : rows.filter((row) => foldText(text(row)).includes(search))).toSorted(
    (one, other) => compared(by(one), by(other)) || one.id - other.id,
  );
  if (asked.order === 'desc') found.reverse();
  const { limit, offset } = windowOf(asked);
  const shown = await views(found.slice(offset, offset + limit));
  return listed(request, path, asked, { rows: shown, total: found.length });
}

function compared(one: number | string, other: number | string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function addressOf(request: Pick<ApiRequest, 'query' | 'restUrl'>, path: string, page: number): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query)) {
    if (name === 'rest_route') continue;
    if (name === 'page') query.set(name, String(page));
    else appendParameter(query, name, value);
  }
  if (!query.has('page')) query.append('page', String(page));
  return `${request.restUrl(path)}?${query.toString()}`;
}

/** A parameter as PHP writes it: lists and objects member by member, at any depth. */
function appendParameter(query: URLSearchParams, name: string, value: unknown): void {
  // What was asked is written back, and may have held a secret: nothing that is kept holds it, so no page
  // lacks it.
  if (typeof value !== 'object' || value === null) query.append(...scrubParameter(name, String(value)));
  else for (const [key, member] of Object.entries(value)) appendParameter(query, `${name}[${key}]`, member);
}
