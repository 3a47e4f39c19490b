// Translates a `RowStatement`: for SQLite run row by row, for PostgreSQL one statement over arrays.
import type { RowStatement, SqlValue } from '../db.ts';

/** SQLite binds arrays faster than names. For `+?` instead of `?` see `planned` in sqlite-queries.ts. */
export interface PositionalStatement {
  readonly sql: string;
  /** Orders the parameters of a row as they occur in `sql`. */
  bind(row: readonly SqlValue[]): readonly SqlValue[];
}

function remembered<Made>(make: (statement: RowStatement) => Made): (statement: RowStatement) => Made {
  const known = new WeakMap<RowStatement, Made>();
  return (statement) => {
    let made = known.get(statement);
    if (made === undefined) {
      made = make(statement);
      known.set(statement, made);
    }
    return made;
  };
}

export const toPositionalStatement = remembered(({ sql }): PositionalStatement => {
  const places = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1);
  const inOrder = places.every((place, index) => place === index);
  return {
    sql: sql.replaceAll(/\$\d+/g, '+?'),
    bind: inOrder ? (row) => row : (row) => places.map((place) => row[place] as SqlValue),
  };
});

/** For PostgreSQL; each statement takes one array per parameter. */
export interface SetStatement {
  readonly sql: string;
  /** Locks the rows of an `UPDATE` in parameter order first: the update itself has no defined order. */
  readonly lock: string | null;
}

export const toSetStatement = remembered(({ sql, types }): SetStatement => {
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const columns = types.map((_type, index) => `c${index + 1}`).join(', ');
  const given = `unnest(${arrays}) WITH ORDINALITY AS given (${columns}, nth)`;
  const named = sql.replaceAll(/\$(\d+)/g, 'given.c$1');
  const forEach = (query: string): string => `FROM ${given} CROSS JOIN LATERAL (${query}) AS found`;
  if (named.startsWith('SELECT')) {
    return { sql: `SELECT found.* ${forEach(named)} ORDER BY given.nth`, lock: null };
  }
  if (named.startsWith('INSERT')) {
    const selected = named.replace(/VALUES \(([^)]*)\)/, (_all, values: string) => {
      return `SELECT ${values} FROM ${given} ORDER BY given.nth`;
    });
    return { sql: selected, lock: null };
  }
  const [, table, changes, where = ''] = /^UPDATE (\w+) SET\b(.*?)\bWHERE\b(.*)$/s.exec(named) ?? [];
  if (table === undefined) throw new Error(`No statement for many rows: ${sql}`);
  const returning = /\bRETURNING\b/.test(where) ? '' : ' RETURNING given.nth';
  const condition = where.replace(/\bRETURNING\b.*$/s, '');
  return {
    sql: `UPDATE ${table} SET${changes} FROM ${given} WHERE ${where}${returning}`,
    lock: `SELECT 1 ${forEach(`SELECT 1 FROM ${table} WHERE ${condition} FOR UPDATE`)}`,
  };
});

export function toParameterArrays(
  { types }: RowStatement,
  rows: ReadonlyArray<readonly SqlValue[]>,
): ReadonlyArray<readonly SqlValue[]> {
  return types.map((_type, column) => rows.map((row) => row[column] as SqlValue));
}
