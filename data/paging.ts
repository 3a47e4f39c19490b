import type { CursorPage, CursorWindow, OffsetWindow, Page } from '../src/core/store/pagination.ts';
import type { Query, SqlValue } from './db.ts';
import { toValueList } from './value-lists.ts';

type Reads = Pick<Query, 'all' | 'get'>;

/** `from` is `FROM … WHERE …`, with parameters for `values`. */
interface List {
  readonly columns: string;
  readonly from: string;
  readonly order: string;
  readonly values: readonly SqlValue[];
}

export async function readPage<Row, Item>(
  query: Reads,
  list: List,
  window: OffsetWindow,
  read: (row: Row) => Item,
): Promise<Page<Item>> {
  const { columns, from, order, values } = list;
  const total = await countRows(query, from, values);
  const rows = await query.all<Row>(
    `SELECT ${columns} ${from} ORDER BY ${order} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, window.limit, window.offset],
  );
  return { rows: rows.map((row) => read(row)), total };
}

export async function countRows(query: Reads, from: string, values: readonly SqlValue[]): Promise<number> {
  const row = await query.get<{ total: number }>(`SELECT COUNT(*) AS total ${from}`, values);
  return Number(row?.total ?? 0);
}

interface KeyedList {
  readonly table: string;
  readonly where: string;
  readonly columns: string;
  readonly joined: string;
  readonly order: (descending: boolean) => string;
  readonly values: readonly SqlValue[];
}

/** For long lists: ids come from an index alone, from the nearer end, and only the rows of the page are read. */
export async function readPageByKey<Row, Item>(
  query: Reads,
  list: KeyedList,
  window: OffsetWindow & { readonly descending: boolean },
  read: (row: Row) => Item,
): Promise<Page<Item>> {
  const { table, where, columns, joined, values } = list;
  const total = await countRows(query, `FROM ${table} WHERE ${where}`, values);
  const size = Math.min(window.limit, total - window.offset);
  if (size <= 0) return { rows: [], total };
  const isFromEnd = window.offset > total / 2;
  const skipped = isFromEnd ? total - window.offset - size : window.offset;
  const order = list.order(window.descending !== isFromEnd);
  const rows = await query.all<Row>(
    `SELECT ${columns} FROM ${joined} WHERE ${table}.id IN (SELECT ${table}.id FROM ${table} WHERE ${where}
       ORDER BY ${order} LIMIT $${values.length + 1} OFFSET $${values.length + 2}) ORDER BY ${order}`,
    [...values, size, skipped],
  );
  return { rows: (isFromEnd ? rows.reverse() : rows).map((row) => read(row)), total };
}

// Pages by key: new rows move none to another page, and every page costs the same.

interface SlicedList {
  readonly columns: string;
  readonly from: string;
  readonly atMs: string;
  readonly id: string;
  readonly values: readonly SqlValue[];
}

/** Newest first. */
export async function readSlice<Row, Item>(
  query: Pick<Query, 'all'>,
  { columns, from, atMs, id, values }: SlicedList,
  { after, before, limit }: CursorWindow,
  read: (row: Row) => Item,
): Promise<CursorPage<Item>> {
  const cursor = after ?? before;
  const isBack = after === null && before !== null;
  const next = values.length + 1;
  const cursorCondition =
    cursor === null ? '' : `AND (${atMs}, ${id}) ${isBack ? '>' : '<'} ($${next}, $${next + 1})`;
  const direction = isBack ? 'ASC' : 'DESC';
  const rows = await query.all<Row>(
    `SELECT ${columns} ${from} ${cursorCondition} ORDER BY ${atMs} ${direction}, ${id} ${direction} LIMIT ${limit + 1}`,
    cursor === null ? values : [...values, cursor.atMs, cursor.id],
  );
  const isMore = rows.length > limit;
  const shown = rows.slice(0, limit).map((row) => read(row));
  if (isBack) return { rows: shown.reverse(), hasNewer: isMore, hasOlder: shown.length > 0 };
  return { rows: shown, hasNewer: cursor !== null && shown.length > 0, hasOlder: isMore };
}

/** From `$first` on. The `+` keeps SQLite from the index of one project among several: rows go by time. */
export function projectsCondition(
  column: string,
  projectIds: readonly number[],
  first: number,
): { sql: string; values: SqlValue[] } {
  const { placeholders, values } = toValueList(projectIds.length === 0 ? [0] : projectIds, first);
  return { sql: `${projectIds.length > 1 ? '+' : ''}${column} IN (${placeholders})`, values };
}
