// Lists of values in a statement, written so that lists of all lengths share a few texts: each text is
// prepared and kept by every connection, and clients choose how long a list is.
import type { SqlValue } from './db.ts';

/**
 * Lengths that a list is filled up to. One value is a case of its own: there a database can use the order of
 * an index.
 */
const widths = [1, 10, 100, 1_000] as const;
const widthMax = widths[3];

/** Values for `IN (…)`: the parameters as they are written, and what to bind to them. */
export interface ValueList {
  readonly marks: string;
  readonly values: SqlValue[];
}

/**
 * A list for `IN (…)`: the parameters from `$first` on, and what to bind to them. The last value is repeated
 * up to the next width, which changes no answer. Takes 1 to 1,000 values.
 */
export function listOf(values: readonly SqlValue[], first: number): ValueList {
  const width = widths.find((each) => values.length <= each);
  const last = values.at(-1);
  if (last === undefined || width === undefined) throw new Error(`A list of ${values.length} has no text.`);
  const filled = [...values, ...new Array<SqlValue>(width - values.length).fill(last)];
  return { marks: filled.map((_, index) => `$${first + index}`).join(', '), values: filled };
}

/** Any number of values in as few such lists as hold them; of no values there is none. */
export function listsOf(values: readonly SqlValue[], first: number): ValueList[] {
  return Array.from({ length: Math.ceil(values.length / widthMax) }, (_, at) =>
    listOf(values.slice(at * widthMax, (at + 1) * widthMax), first),
  );
}

/** What a statement answers for any number of values, one list of them after another. */
export async function readLists<Row>(
  values: readonly SqlValue[],
  first: number,
  read: (list: ValueList) => Promise<Row[]>,
): Promise<Row[]> {
  const answers: Row[][] = [];
  for (const list of listsOf(values, first)) answers.push(await read(list));
  return answers.flat();
}

/** Cuts rows into portions whose lengths are powers of two, the largest first: 37 rows are 32, 4 and 1. */
export function portionsOf<Row>(rows: readonly Row[], portionMax = 64): Row[][] {
  const portions: Row[][] = [];
  let size = portionMax;
  for (let at = 0; at < rows.length; at += size) {
    while (size > rows.length - at) size /= 2;
    portions.push(rows.slice(at, at + size));
  }
  return portions;
}
