// Translates a `RowStatement`: for SQLite run row by row, for PostgreSQL one statement over arrays.
import type { RowStatement, SqlValue } from '../db.ts';

/** SQLite binds arrays faster than names. For `+?` instead of `?` see `planned` in sqlite-queries.ts. */
export interface PositionalStatement {
  readonly sql: string;
  /** Orders the parameters of a row as they occur in `sql`. */
  bind(row: readonly SqlValue[]): readonly SqlValue[];
}

function memoize<Made>(make: (statement: RowStatement) => Made): (statement: RowStatement) => Made {
  const known = new WeakMap<RowStatement, Made>();
  return (statement) => {
    let result = known.get(statement);
    if (result === undefined) {
      result = make(statement);
      known.set(statement, result);
    }
    return result;
  };
}

export const toPositionalStatement = memoize(({ sql }): PositionalStatement => {
  const positions = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1);
  const isInOrder = positions.every((position, index) => position === index);
  return {
    sql: sql.replaceAll(/\$\d+/g, '+?'),
    bind: isInOrder ? (row) => row : (row) => positions.map((position) => row[position] as SqlValue),
  };
});

/** For PostgreSQL; each statement takes one array per parameter. */
export interface SetStatement {
  readonly sql: string;
  /** Locks the rows of an `UPDATE` in parameter order first: the update itself has no defined order. */
  readonly lock: string | null;
}

export const toSetStatement = memoize(({ sql, types }): SetStatement => {
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const columns = types.map((_type, index) => `c${index + 1}`).join(', ');
  const rowSource = `unnest(${arrays}) WITH ORDINALITY AS given (${columns}, nth)`;
  const named = sql.replaceAll(/\$(\d+)/g, 'given.c$1');
  const forEach = (query: string): string => `FROM ${rowSource} CROSS JOIN LATERAL (${query}) AS found`;
  if (named.startsWith('SELECT')) {
    return { sql: `SELECT found.* ${forEach(named)} ORDER BY given.nth`, lock: null };
  }
  if (named.startsWith('INSERT')) {
    const selected = named.replace(/VALUES \(([^)]*)\)/, (_all, values: string) => {
      return `SELECT ${values} FROM ${rowSource} ORDER BY given.nth`;
    });
    return { sql: selected, lock: null };
  }
  const [, table, changes, where = ''] = /^UPDATE (\w+) SET\b(.*?)\bWHERE\b(.*)$/s.exec(named) ?? [];
  if (table === undefined) throw new Error(`No statement for many rows: ${sql}`);
  const returning = /\bRETURNING\b/.test(where) ? '' : ' RETURNING given.nth';
  const condition = where.replace(/\bRETURNING\b.*$/s, '');
  return {
    sql: `UPDATE ${table} SET${changes} FROM ${rowSource} WHERE ${where}${returning}`,
    lock: `SELECT 1 ${forEach(`SELECT 1 FROM ${table} WHERE ${condition} FOR UPDATE`)}`,
  };
});

export function toParameterArrays(
  { types }: RowStatement,
  rows: ReadonlyArray<readonly SqlValue[]>,
): ReadonlyArray<readonly SqlValue[]> {
  return types.map((_type, column) => rows.map((row) => row[column] as SqlValue));
}
