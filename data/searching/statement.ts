import type { Db, SqlValue } from '../db.ts';
import { toValueList } from '../value-lists.ts';

export interface Statement {
  readonly dbms: Db['dbms'];
  readonly values: SqlValue[];
  /** `name (columns) AS (…)` of a WITH. */
  readonly sets: string[];
}

export function bind({ values }: Statement, value: SqlValue): string {
  return `$${values.push(value)}`;
}

export function bindList({ values }: Statement, all: readonly SqlValue[]): string {
  const list = toValueList(all, values.length + 1);
  values.push(...list.values);
  return list.placeholders;
}

export function withSets({ sets }: Statement): string {
  return sets.length === 0 ? '' : `WITH ${sets.join(',\n')} `;
}
