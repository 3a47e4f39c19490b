import type Database from 'better-sqlite3';
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';
import type { Query, RowStatement, SqlValue, Transaction } from '../db.ts';
import type { JobGuard } from './job-guard.ts';
import { toPositionalStatement } from './row-statements.ts';

export function createGuardedQueries(
  statements: (sql: string) => Database.Statement,
  guard: JobGuard,
): Transaction {
  // Only resolved promises: a job finishes within one turn of the event loop, so jobs never interleave.
  const run = <T>(sql: string, work: (statement: Database.Statement) => T): Promise<T> =>
    guard.run(() => {
      try {
        return work(statements(sql));
      } catch (error) {
        throw toStoreError(error);
      }
    });
  return {
    all: <Row>(sql: string, values?: readonly SqlValue[]) =>
      run(sql, (statement) => statement.all(bound(values)) as Row[]),
    get: <Row>(sql: string, values?: readonly SqlValue[]) =>
      run(sql, (statement) => statement.get(bound(values)) as Row | undefined),
    run: (sql, values) => run(sql, (statement) => ({ changes: changesOf(statement, bound(values)) })),
    allMany: <Row>(rowStatement: RowStatement, rows: Rows) => {
      const { sql, bind } = toPositionalStatement(rowStatement);
      return run(sql, (statement) => allOf<Row>(statement, rows.map(bind)));
    },
    updateMany: (rowStatement, rows) => {
      const { sql, bind } = toPositionalStatement(rowStatement);
      return run(sql, (statement) => missedIndexes(statement, rows.map(bind)));
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

function missedIndexes(statement: Database.Statement, rows: Rows): number[] {
  const missed: number[] = [];
  rows.forEach((row, index) => {
    if (statement.run(row).changes === 0) missed.push(index);
  });
  return missed;
}

export function isDatabaseError(error: Error): boolean {
  return error instanceof StoreBusyError || error instanceof StoreUnavailableError;
}

/** A statement that returns rows has to be read with better-sqlite3 to take effect. */
function changesOf(statement: Database.Statement, values: Record<number, SqlValue>): number {
  return statement.reader ? statement.all(values).length : statement.run(values).changes;
}

export function createQueries(reader: Database.Database): Pick<Query, 'all' | 'get'> {
  const statements = createStatementCache(reader);
  async function named<T>(work: () => T): Promise<T> {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error);
    }
  }
  return {
    all: <Row>(sql: string, values?: readonly SqlValue[]) =>
      named(() => statements(sql).all(bound(values)) as Row[]),
    get: <Row>(sql: string, values?: readonly SqlValue[]) =>
      named(() => statements(sql).get(bound(values)) as Row | undefined),
  };
}

const statementsMax = 500;

export function createStatementCache(connection: Database.Database): (sql: string) => Database.Statement {
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

// SQLite re-plans for each value of a bare parameter on a partial index (35 of 37 µs); `+$1` prevents that.
function planned(sql: string): string {
  return sql.replaceAll(/\$\d+/g, '+$&');
}

/** Binds by name: `$1` is a parameter named `1`. */
function bound(values: readonly SqlValue[] = []): Record<number, SqlValue> {
  const named: Record<number, SqlValue> = {};
  for (let index = 0; index < values.length; index += 1) named[index + 1] = values[index] as SqlValue;
  return named;
}

export function toStoreError(error: unknown): Error {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return error instanceof Error ? error : new Error(String(error));
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return new StoreBusyError('The database is locked.', { cause: error });
  if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PERM|AUTH|PROTOCOL|INTERRUPT)/.test(code)) {
    return new StoreUnavailableError(`The database cannot be written: ${code}.`, { cause: error });
  }
  return error as Error;
}
