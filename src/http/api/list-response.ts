import { foldCase } from '../../core/parsing/fold-text.ts';
import { scrubQueryParameter } from '../../core/scrub/record.ts';
import type { OffsetWindow } from '../../core/store/pagination.ts';
import { type ApiRequest, type ApiResponse, ok } from './route.ts';

export function toListWindow(filters: { page: number; per_page: number }): OffsetWindow {
  return { limit: filters.per_page, offset: (filters.page - 1) * filters.per_page };
}

/** 200 with `X-WP-Total`, `X-WP-TotalPages` and `Link`, as WordPress's controllers send them. */
export function listResponse(
  request: Pick<ApiRequest, 'query' | 'restUrl'>,
  path: string,
  filters: { page: number; per_page: number },
  page: { rows: readonly unknown[]; total: number },
): ApiResponse {
  const pages = Math.ceil(page.total / filters.per_page);
  const address = (number: number): string => addressOf(request, path, number);
  const links: string[] = [];
  if (filters.page > 1)
    links.push(`<${address(Math.max(1, Math.min(filters.page - 1, pages)))}>; rel="prev"`);
  if (filters.page < pages) links.push(`<${address(filters.page + 1)}>; rel="next"`);
  // Numbers, as in core, where `_envelope` shows them as numbers.
  const headers: Array<readonly [string, string | number]> = [
    ['X-WP-Total', page.total],
    ['X-WP-TotalPages', pages],
  ];
  if (links.length > 0) headers.push(['Link', links.join(', ')]);
  return ok(page.rows, headers);
}

interface Listing<Row, Order extends string> {
  readonly path: string;
  text(row: Row): string;
  /** Sort keys; ties are sorted by id. */
  readonly orders: Readonly<Record<Order, (row: Row) => number | string>>;
  views(rows: readonly Row[]): readonly unknown[] | Promise<readonly unknown[]>;
}

export async function listInMemory<Row extends { readonly id: number }, Order extends string>(
  request: Pick<ApiRequest, 'query' | 'restUrl'>,
  filters: {
    readonly page: number;
    readonly per_page: number;
    readonly search?: string | undefined;
    readonly order: 'asc' | 'desc';
    readonly orderby: Order;
  },
  rows: readonly Row[],
  { path, text, orders, views }: Listing<Row, Order>,
): Promise<ApiResponse> {
  const search = foldCase((filters.search ?? '').trim());
  const by = orders[filters.orderby];
  const found = (search === '' ? rows : rows.filter((row) => foldCase(text(row)).includes(search))).toSorted(
    (one, other) => compareValues(by(one), by(other)) || one.id - other.id,
  );
  if (filters.order === 'desc') found.reverse();
  const { limit, offset } = toListWindow(filters);
  const shown = await views(found.slice(offset, offset + limit));
  return listResponse(request, path, filters, { rows: shown, total: found.length });
}

function compareValues(one: number | string, other: number | string): number {
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

/** Nested lists and objects as PHP's http_build_query writes them. */
function appendParameter(query: URLSearchParams, name: string, value: unknown): void {
  // The links repeat the query, which may hold a secret. Stored data holds none, so pages stay the same.
  if (typeof value !== 'object' || value === null) query.append(...scrubQueryParameter(name, String(value)));
  else for (const [key, member] of Object.entries(value)) appendParameter(query, `${name}[${key}]`, member);
}
