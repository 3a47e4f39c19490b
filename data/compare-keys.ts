// One order of keys for everybody who writes many rows in one transaction: two of them wait for each other
// then, and never in a circle.
import type { SqlValue } from './db.ts';

/** Compares two rows by their first columns, `count` of them; of one column, all are of one type. */
export function compareKeys(left: readonly SqlValue[], right: readonly SqlValue[], count: number): number {
  for (let at = 0; at < count; at += 1) {
    const [one, other] = [left[at] ?? '', right[at] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
