// Interface to SQL databases. Parameters are $1, $2 … on both; SQL text is never built from user input.

/** Times are integer milliseconds, JSON is text, flags are 0 or 1. */
export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Query {
  all<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row | undefined>;
  run(sql: string, values?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/** The type of a column or of a parameter, as PostgreSQL calls it. */
export type SqlType = 'bigint' | 'text' | 'bytea' | 'double precision';

// A statement for many rows of parameters: `SELECT`, `UPDATE … SET … WHERE …`, or `INSERT … VALUES (…)` with
// only parameters in the brackets and nothing after. Keep it in a constant: drivers cache by identity.
export interface RowStatement {
  readonly sql: string;
  /** Of `$1`, `$2` … */
  readonly types: readonly SqlType[];
}

/** Statements for many rows take one round trip on PostgreSQL. */
export interface Transaction extends Query {
  /** Returns the rows for the first row of parameters, then those for the second, and so on. */
  allMany<Row>(statement: RowStatement, rows: ReadonlyArray<readonly SqlValue[]>): Promise<Row[]>;
  /** Returns the indexes of parameter rows whose `UPDATE` changed nothing. Locks rows in parameter order. */
  updateMany(statement: RowStatement, rows: ReadonlyArray<readonly SqlValue[]>): Promise<number[]>;
}

export interface Db extends Query {
  readonly dbms: 'sqlite' | 'postgres';
  /**
   * Runs `job` in a transaction that may be shared (group commit); a job that throws is rolled back alone.
   * Resolves after the commit. `job` may await only queries of `tx`; `bytes` is the memory that it holds.
   * @throws {StoreBusy} when the queue is full, {StoreUnavailable} when the database cannot write.
   */
  write<T>(job: (tx: Transaction) => Promise<T>, bytes?: number): Promise<T>;
  /** Free bytes of the database's disk; absent or null where unknown. */
  freeBytes?(): Promise<number | null>;
  /** Writes that wait now; absent inside a transaction. */
  waiting?(): { readonly jobs: number; readonly bytes: number };
  /** Sizes of the database files; absent on PostgreSQL. */
  fileBytes?(): Promise<{ readonly main: number; readonly wal: number }>;
  /** Runs a WAL checkpoint that truncates the log as far as readers allow; absent on PostgreSQL. */
  foldLog?(): Promise<void>;
  close(): Promise<void>;
}
