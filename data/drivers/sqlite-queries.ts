// How one statement is run on a SQLite connection: prepared once, bound by name, its faults named.
import type Database from 'better-sqlite3';
import { StoreBusy, StoreUnavailable } from '../../src/core/errors.ts';
import type { Query, RowStatement, SqlValue, Transaction } from '../db.ts';
import type { JobGuard } from './job-guard.ts';
import { positionalOf } from './row-statements.ts';

/** The queries of one job, each under its guard. */
export function guardedQueries(
  statements: (sql: string) => Database.Statement,
  guard: JobGuard,
): Transaction {
  // Resolved promises, never a wait: a job is done before the process turns, so no other job can come
  // between.
  const run = <T>(sql: string, work: (statement: Database.Statement) => T): Promise<T> =>
    guard.run(() => {
      try {
        return work(statements(sql));
      } catch (error) {
        throw namedFailure(error);
      }
    });
  return {
    all: <Row>(sql: string, values?: readonly SqlValue[]) =>
      run(sql, (statement) => statement.all(bound(values)) as Row[]),
    get: <Row>(sql: string, values?: readonly SqlValue[]) =>
      run(sql, (statement) => statement.get(bound(values)) as Row | undefined),
    run: (sql, values) => run(sql, (statement) => ({ changes: changesOf(statement, bound(values)) })),
    allMany: <Row>(asked: RowStatement, rows: Rows) => {
      const { sql, bind } = positionalOf(asked);
      return run(sql, (statement) => allOf<Row>(statement, rows.map(bind)));
    },
    updateMany: (asked, rows) => {
      const { sql, bind } = positionalOf(asked);
      return run(sql, (statement) => missedOf(statement, rows.map(bind)));
    },
  };
}

type Rows = ReadonlyArray<readonly SqlValue[]>;

function allOf<Row>(statement: Database.Statement, rows: Rows): Row[] {
  if (!statement.reader) {
    for (const row of rows) statement.run(row);
    return [];
  }
  const found: Row[] = [];
  for (const row of rows) for (const each of statement.all(row)) found.push(each as Row);
  return found;
}

function missedOf(statement: Database.Statement, rows: Rows): number[] {
  const missed: number[] = [];
  rows.forEach((row, index) => {
    if (statement.run(row).changes === 0) missed.push(index);
  });
  return missed;
}

/** The database's own (disk full, gone, locked …), not the statement's. */
export function isFault(error: Error): boolean {
  return error instanceof StoreBusy || error instanceof StoreUnavailable;
}

/** A statement that returns rows is run for its effect all the same, as the other database does. */
function changesOf(statement: Database.Statement, values: Record<number, SqlValue>): number {
  return statement.reader ? statement.all(values).length : statement.run(values).changes;
}

/** Queries outside a transaction: each sees the newest commit. */
export function queriesOf(reader: Database.Database): Pick<Query, 'all' | 'get'> {
  const statements = statementCache(reader);
  async function named<T>(work: () => T): Promise<T> {
    try {
      return work();
    } catch (error) {
      throw namedFailure(error);
    }
  }
  return {
    all: <Row>(sql: string, values?: readonly SqlValue[]) =>
      named(() => statements(sql).all(bound(values)) as Row[]),
    get: <Row>(sql: string, values?: readonly SqlValue[]) =>
      named(() => statements(sql).get(bound(values)) as Row | undefined),
  };
}

/** Texts are written by us and few; the bound is there for a mistake. */
const statementsMax = 500;

/** Prepares each text once a connection. */
export function statementCache(connection: Database.Database): (sql: string) => Database.Statement {
  const cache = new Map<string, Database.Statement>();
  return (sql) => {
    let statement = cache.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(planned(sql));
      if (cache.size >= statementsMax) cache.delete(cache.keys().next().value as string);
      cache.set(sql, statement);
    }
    return statement;
  };
}

/**
 * A bare parameter that is compared with a column of a table with a partial index has SQLite plan the
 * statement anew for each value, since the value might lead to that index: 35 of the 37 µs of a look for an
 * issue. As an expression, `+$1`, it has no say in the plan (DECISIONS.md D-224).
 */
function planned(sql: string): string {
  return sql.replaceAll(/\$\d+/g, '+$&');
}

/** `$1` is a parameter named `1`: bound by name, in any order and as often as it stands. */
function bound(values: readonly SqlValue[] = []): Record<number, SqlValue> {
  const named: Record<number, SqlValue> = {};
  for (let index = 0; index < values.length; index += 1) named[index + 1] = values[index] as SqlValue;
  return named;
}

/** Locked: wait or say busy. Full, broken, gone or read-only: nothing can be written. */
export function namedFailure(error: unknown): Error {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return error instanceof Error ? error : new Error(String(error));
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return new StoreBusy('The database is locked.', { cause: error });
  if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PERM|AUTH|PROTOCOL|INTERRUPT)/.test(code)) {
    return new StoreUnavailable(`The database cannot be written: ${code}.`, { cause: error });
  }
  return error as Error;
}
