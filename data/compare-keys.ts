// Rows are written in one order everywhere, so that two transactions cannot deadlock.
import type { SqlValue } from './db.ts';

export function compareKeys(left: readonly SqlValue[], right: readonly SqlValue[], count: number): number {
  for (let at = 0; at < count; at += 1) {
    const [one, other] = [left[at] ?? '', right[at] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
