// Lists are padded to few lengths, so that few different statements are prepared.
import type { SqlValue } from './db.ts';

/** One value is a case of its own: there the order of an index can be used. */
const widths = [1, 10, 100, 1_000] as const;
const widthMax = widths[3];

type ValueList = ReturnType<typeof toValueList>;

/** Parameters from `$first` on. The last value is repeated up to the next width. Takes 1 to 1,000 values. */
export function toValueList(values: readonly SqlValue[], first: number) {
  const width = widths.find((each) => values.length <= each);
  const last = values.at(-1);
  if (last === undefined || width === undefined) throw new Error(`A list of ${values.length} has no text.`);
  const filled = [...values, ...new Array<SqlValue>(width - values.length).fill(last)];
  return { placeholders: filled.map((_, index) => `$${first + index}`).join(', '), values: filled };
}

/** As many lists as needed; none for no values. */
export function toValueLists(values: readonly SqlValue[], first: number): ValueList[] {
  return Array.from({ length: Math.ceil(values.length / widthMax) }, (_, at) =>
    toValueList(values.slice(at * widthMax, (at + 1) * widthMax), first),
  );
}

export async function readInLists<Row>(
  values: readonly SqlValue[],
  first: number,
  read: (list: ValueList) => Promise<Row[]>,
): Promise<Row[]> {
  const answers: Row[][] = [];
  for (const list of toValueLists(values, first)) answers.push(await read(list));
  return answers.flat();
}

/** Portions of powers of two, the largest first: 37 rows are 32, 4 and 1. */
export function chunkRows<Row>(rows: readonly Row[], portionMax = 64): Row[][] {
  const portions: Row[][] = [];
  let size = portionMax;
  for (let at = 0; at < rows.length; at += size) {
    while (size > rows.length - at) size /= 2;
    portions.push(rows.slice(at, at + size));
  }
  return portions;
}

// Rows are written in one order everywhere, so that two transactions cannot deadlock.

export function compareKeys(left: readonly SqlValue[], right: readonly SqlValue[], count: number): number {
  for (let at = 0; at < count; at += 1) {
    const [one, other] = [left[at] ?? '', right[at] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
