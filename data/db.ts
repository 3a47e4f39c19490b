// Queries use $1, $2 … for both databases; no SQL is built from input.

import type { StoreParts } from '../src/core/store/store.ts';

/** A bound value. Times are integer milliseconds, JSON is text, flags are 0 or 1. */
export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Query {
  /** All rows; the SQL has to limit them. */
  all<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row | undefined>;
  run(sql: string, values?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/** The type of a column or parameter, as PostgreSQL calls it. */
export type SqlType = 'bigint' | 'text' | 'bytea' | 'double precision';

/** A statement that runs for many rows of parameters, written as for one: `SELECT`, `INSERT … VALUES ($1 …)` with
 * nothing but parameters, or `UPDATE … SET … WHERE …`. Make it once: drivers cache it. */
export interface RowStatement {
  readonly sql: string;
  /** Of `$1`, `$2` … */
  readonly types: readonly SqlType[];
}

/** Statements in a transaction. Those for many rows take one round trip on PostgreSQL. */
export interface Transaction extends Query {
  allMany<Row>(statement: RowStatement, rows: ReadonlyArray<readonly SqlValue[]>): Promise<Row[]>;
  /** Runs an `UPDATE`, locking rows in the order given; answers the indexes of parameter rows that changed nothing. */
  updateMany(statement: RowStatement, rows: ReadonlyArray<readonly SqlValue[]>): Promise<number[]>;
}

export interface Db extends Query {
  /** Only `drivers/` and the tokens of migrations differ by it. */
  readonly dbms: 'sqlite' | 'postgres';
  /** Runs `job` in a transaction and resolves after its commit, which several jobs may share (group commit). A job
   * that throws is rolled back alone; inside it, await only queries of `tx`. Rejects with StoreBusyError when the
   * queue is full, StoreUnavailableError when writing fails. `bytes`: what the job holds in memory. */
  write<T>(job: (tx: Transaction) => Promise<T>, bytes?: number): Promise<T>;
  /** Free bytes on the database's disk; null or absent where unknown. */
  freeBytes?(): Promise<number | null>;
  waiting?(): { readonly jobs: number; readonly bytes: number };
  fileBytes?(): Promise<{ readonly main: number; readonly wal: number }>;
  /** Checkpoints the WAL and truncates it as far as readers allow; absent where the database does so itself. */
  checkpointLog?(): Promise<void>;
  close(): Promise<void>;
}

/** Makes a part of the store: methods of `inTransaction` run in one each, those of `onDatabase` do not. */
export function storePart<Read extends keyof StoreParts, Written extends keyof StoreParts = never>(
  onDatabase: { readonly [Name in Read]: StoreMethod<Name, Db> },
  inTransaction = {} as { readonly [Name in Written]: StoreMethod<Name, Transaction> },
) {
  const reads = methodsOf<Db>(onDatabase);
  const writes = methodsOf<Transaction>(inTransaction);
  return (db: Db): Pick<StoreParts, Read | Written> => {
    const bound: Record<string, unknown> = {};
    for (const [name, method] of reads) bound[name] = (...input: never[]) => method(db, ...input);
    for (const [name, method] of writes) {
      bound[name] = (...input: never[]) => db.write((tx) => method(tx, ...input));
    }
    return bound as Pick<StoreParts, Read | Written>;
  };
}

function methodsOf<On>(methods: object) {
  return Object.entries<(on: On, ...input: never[]) => Promise<unknown>>(methods as never);
}

/** A method of the store, on the queries that it is handed first. */
export type StoreMethod<Name extends keyof StoreParts, On = Query> = StoreParts[Name] extends (
  ...input: infer Input
) => infer Result
  ? (query: On, ...input: Input) => Result
  : never;
