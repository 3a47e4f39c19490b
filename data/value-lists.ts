// Values for `IN (…)`, padded to a few lengths: each SQL text is prepared and cached per connection, and
// clients choose how long a list is.
import type { SqlValue } from './db.ts';

// Padded lengths. With one value a database can use the order of an index.
const widths = [1, 10, 100, 1_000] as const;
const widthMax = widths[3];

export interface ValueList {
  readonly marks: string;
  readonly values: SqlValue[];
}

/** Placeholders from `$first` on for 1 to 1,000 values; the last value is repeated as padding. */
export function listOf(values: readonly SqlValue[], first: number): ValueList {
  const width = widths.find((each) => values.length <= each);
  const last = values.at(-1);
  if (last === undefined || width === undefined) throw new Error(`A list of ${values.length} has no text.`);
  const filled = [...values, ...new Array<SqlValue>(width - values.length).fill(last)];
  return { marks: filled.map((_, index) => `$${first + index}`).join(', '), values: filled };
}

/** Splits any number of values into lists of at most 1,000. */
export function listsOf(values: readonly SqlValue[], first: number): ValueList[] {
  return Array.from({ length: Math.ceil(values.length / widthMax) }, (_, at) =>
    listOf(values.slice(at * widthMax, (at + 1) * widthMax), first),
  );
}

export async function readLists<Row>(
  values: readonly SqlValue[],
  first: number,
  read: (list: ValueList) => Promise<Row[]>,
): Promise<Row[]> {
  const answers: Row[][] = [];
  for (const list of listsOf(values, first)) answers.push(await read(list));
  return answers.flat();
}

/** Cuts rows into chunks whose lengths are powers of two, largest first: 37 rows are 32, 4 and 1. */
export function portionsOf<Row>(rows: readonly Row[], portionMax = 64): Row[][] {
  const portions: Row[][] = [];
  let size = portionMax;
  for (let at = 0; at < rows.length; at += size) {
    while (size > rows.length - at) size /= 2;
    portions.push(rows.slice(at, at + size));
  }
  return portions;
}
