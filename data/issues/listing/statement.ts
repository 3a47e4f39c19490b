// A statement under construction: its values, and the sets that it looks into.
import type { Db, SqlValue } from '../../db.ts';
import { listOf } from '../../value-lists.ts';

/** A statement under construction. */
export interface Statement {
  readonly dbms: Db['dbms'];
  readonly values: SqlValue[];
  /** `name (columns) AS (…)` of a WITH. */
  readonly sets: string[];
}

/** Adds a value and answers its parameter. */
export function bind({ values }: Statement, value: SqlValue): string {
  return `$${values.push(value)}`;
}

/** The same for a list, for `IN (…)`. */
export function bindList({ values }: Statement, all: readonly SqlValue[]): string {
  const list = listOf(all, values.length + 1);
  values.push(...list.values);
  return list.marks;
}

/** The statement as far as its sets: `WITH …`, or nothing. */
export function withSets({ sets }: Statement): string {
  return sets.length === 0 ? '' : `WITH ${sets.join(',\n')} `;
}
