// The one way to run SQL. Queries use $1, $2 … for both databases; no SQL is built from input.

/**
 * A value that can be bound to a parameter. Times are integer milliseconds, JSON is text, flags are 0 or 1.
 */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** Runs one statement inside a snapshot or a transaction. */
export interface Query {
  /** All rows. Bound the result in the SQL: nothing here does. */
  all<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, or undefined. */
  get<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row | undefined>;
  /** Runs a statement for its effect. */
  run(sql: string, values?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/** What a parameter of a statement for many rows is, in the words of PostgreSQL. */
type RowType = 'bigint' | 'text' | 'bytea';

/**
 * A statement that is run for many rows of parameters, written as for one of them: `SELECT`, `INSERT … VALUES
 * (…)` with parameters alone between the brackets and none behind them, or `UPDATE … SET … WHERE …`. Made
 * once: drivers remember what they make of it.
 */
export interface RowStatement {
  readonly sql: string;
  /** Of `$1`, `$2` … */
  readonly types: readonly RowType[];
}

/** Runs statements inside a transaction, one for many rows too: on PostgreSQL one way there and back. */
export interface Transaction extends Query {
  /** The rows that it answers for each row of parameters, one after the other. */
  allMany<Row>(statement: RowStatement, rows: ReadonlyArray<readonly SqlValue[]>): Promise<Row[]>;
  /**
   * Runs an `UPDATE`; answers the places of those rows of parameters that it changed nothing for. Rows are
   * locked in the order of the parameters.
   */
  updateMany(statement: RowStatement, rows: ReadonlyArray<readonly SqlValue[]>): Promise<number[]>;
}

/** One database, read directly and written through `write`. */
export interface Db extends Query {
  /**
   * Which database management system answers; its SQL may differ in `drivers/` and in the tokens of
   * migrations.
   */
  readonly dbms: 'sqlite' | 'postgres';
  /**
   * Runs `job` in a transaction and resolves after the commit that holds it. Many jobs may share one commit
   * (group commit); a job that throws is rolled back alone. Inside `job`, await only the queries of `tx`.
   * Rejects with StoreBusy when the queue is full, with StoreUnavailable when the database cannot write.
   * `bytes` is what the job holds in memory while it waits: the queue is bounded in bytes too.
   */
  write<T>(job: (tx: Transaction) => Promise<T>, bytes?: number): Promise<T>;
  /** Bytes left on the disk that the database is on; absent, or null, where that cannot be known. */
  freeBytes?(): Promise<number | null>;
  /** Writes that wait now, and the bytes they hold; absent inside a transaction. */
  waiting?(): { readonly jobs: number; readonly bytes: number };
  /** The sizes of the database's files; absent where it has none of its own here. */
  fileBytes?(): Promise<{ readonly main: number; readonly wal: number }>;
  /**
   * Folds the log of committed writes into the file and gives its room back, as far as readers let it; absent
   * where the database does so by itself.
   */
  foldLog?(): Promise<void>;
  close(): Promise<void>;
}
