// Pages by key: new rows move none to another page, and every page costs the same.
import type { CursorPage, CursorWindow } from '../src/core/store/pagination.ts';
import type { Query, SqlValue } from './db.ts';
import { toValueList } from './value-lists.ts';

interface SlicedList {
  readonly columns: string;
  readonly from: string;
  readonly atMs: string;
  readonly id: string;
  readonly values: readonly SqlValue[];
}

/** Newest first. */
export async function readSlice<Row>(
  query: Pick<Query, 'all'>,
  { columns, from, atMs, id, values }: SlicedList,
  { after, before, limit }: CursorWindow,
): Promise<CursorPage<Row>> {
  const near = after ?? before;
  const isBack = after === null && before !== null;
  const next = values.length + 1;
  const beside = near === null ? '' : `AND (${atMs}, ${id}) ${isBack ? '>' : '<'} ($${next}, $${next + 1})`;
  const direction = isBack ? 'ASC' : 'DESC';
  const rows = await query.all<Row>(
    `SELECT ${columns} ${from} ${beside} ORDER BY ${atMs} ${direction}, ${id} ${direction} LIMIT ${limit + 1}`,
    near === null ? values : [...values, near.atMs, near.id],
  );
  const isMore = rows.length > limit;
  const shown = rows.slice(0, limit);
  if (isBack) return { rows: shown.reverse(), hasNewer: isMore, hasOlder: shown.length > 0 };
  return { rows: shown, hasNewer: near !== null && shown.length > 0, hasOlder: isMore };
}

/** From `$first` on. The `+` keeps SQLite from the index of one project among several: rows go by time. */
export function projectsCondition(
  column: string,
  projectIds: readonly number[],
  first: number,
): { sql: string; values: SqlValue[] } {
  const { marks, values } = toValueList(projectIds.length === 0 ? [0] : projectIds, first);
  return { sql: `${projectIds.length > 1 ? '+' : ''}${column} IN (${marks})`, values };
}
