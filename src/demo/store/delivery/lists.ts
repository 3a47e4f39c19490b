// Lists in memory as the database gives them: slices beside a place, and what a search finds.
import { foldText } from '../../../core/reading/fold-text.ts';
import type { ListWindow, Near, Page, Slice, Sliced } from '../../../core/store/page.ts';

/** The rows of a slice, of rows whose newest stand first. */
export function sliceOf<Row>(
  rows: readonly Row[],
  nearOf: (row: Row) => Near,
  { after, before, limit }: Slice,
): Sliced<Row> {
  if (after === null && before !== null) {
    const newer = rows.filter((row) => compare(nearOf(row), before) > 0);
    const shown = newer.slice(Math.max(0, newer.length - limit));
    return { rows: shown, hasNewer: newer.length > limit, hasOlder: shown.length > 0 };
  }
  const older = after === null ? rows : rows.filter((row) => compare(nearOf(row), after) < 0);
  const shown = older.slice(0, limit);
  return { rows: shown, hasNewer: after !== null && shown.length > 0, hasOlder: older.length > limit };
}

function compare(one: Near, other: Near): number {
  return one.atMs - other.atMs || one.id - other.id;
}

/** A window on rows that are in their order. */
export function pageOf<Row>(rows: readonly Row[], { limit, offset }: ListWindow): Page<Row> {
  return { rows: rows.slice(offset, offset + limit), total: rows.length };
}

/** Whether one of some texts holds what is searched for; nothing is searched for, so everything does. */
export function searching(
  search: string | null | undefined,
): (...texts: ReadonlyArray<string | null>) => boolean {
  const word = foldText(search?.trim() ?? '');
  return (...texts) => word === '' || texts.some((text) => text !== null && foldText(text).includes(word));
}

/** Rows that belong to one of some projects. */
export function ofProjects<Row extends { readonly projectId: number }>(
  rows: readonly Row[],
  projectIds: readonly number[],
): Row[] {
  return rows.filter(({ projectId }) => projectIds.includes(projectId));
}

/** Sorted by a value, and by the id where that is the same. */
export function sortedBy<Row extends { readonly id: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => number | string,
  descending: boolean,
): Row[] {
  const turn = descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    return turn * (left < right ? -1 : left > right ? 1 : one.id - other.id);
  });
}
