// SQLite by better-sqlite3: one connection that writes, one that reads, and group commit between them.
// The driver is synchronous: what it runs blocks the process, so batches are short and locks are waited for outside it.
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { StoreBusy, StoreUnavailable } from '../../src/core/store.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { openConnections } from './sqlite-connections.ts';
import { createWriteQueue, type WaitingJob, type WriteQueueLimits, writeQueueLimits } from './write-queue.ts';

export interface SqliteOptions {
  readonly limits?: Partial<WriteQueueLimits>;
  /** 0 to below 1, for the jitter of waits. */
  readonly random?: () => number;
  /** Milliseconds that only go forward. */
  readonly clock?: () => number;
}

/**
 * Opens `file` (made with its folder when absent; `:memory:` is a throw-away file, decision D-04).
 * @throws when the library is older than 3.51.3 or a setting does not hold when read back.
 */
export function openSqlite(file: string, options: SqliteOptions = {}): Db {
  const limits = { ...writeQueueLimits, ...options.limits };
  const connections = openConnections(file);
  const queue = createWriteQueue(limits);
  const reading = queriesOf(connections.reader);
  const clock = options.clock ?? (() => performance.now());
  const commit = committerOf(connections.writer, limits, clock);
  const random = options.random ?? Math.random;
  let working: Promise<void> | null = null;
  let closing: Promise<void> | null = null;

  /** Empties the queue batch by batch; between two batches the process turns once, so that requests are read and gather. */
  async function work(): Promise<void> {
    while (queue.length > 0) {
      await nextTurn();
      const { left, locked } = await commit(queue.takeBatch());
      queue.putBack(left);
      if (locked) await sleep(10 + random() * 40);
    }
    // In the same step as the look at the queue: a job added a moment later must find nobody at work.
    working = null;
  }
  const write: Db['write'] = (job, bytes = 0) =>
    new Promise((resolve, reject) => {
      queue.add({ job, bytes, enqueuedAtMs: clock(), resolve, reject });
      working ??= work();
    });
  return {
    dialect: 'sqlite',
    get queueLength() {
      return queue.length;
    },
    all: reading.all,
    get: reading.get,
    run: (sql, values) => write((tx) => tx.run(sql, values)),
    write,
    close() {
      closing ??= (async () => {
        queue.close();
        await working;
        connections.close();
      })();
      return closing;
    },
  };
}

/** Jobs that were not run: they wait on, after a pause when another process holds the lock. */
interface Committed {
  readonly left: readonly WaitingJob[];
  readonly locked: boolean;
}

/** Commits batches on one connection. */
function committerOf(
  writer: Database.Database,
  limits: WriteQueueLimits,
  clock: () => number,
): (batch: readonly WaitingJob[]) => Promise<Committed> {
  const statements = statementCache(writer);
  const step = (sql: string): void => {
    statements(sql).run();
  };
  return async (batch) => {
    const startedAt = clock();
    try {
      step('BEGIN IMMEDIATE');
    } catch (error) {
      return notBegun(batch, namedFailure(error), startedAt - limits.waitMsMax);
    }
    const answers: Array<() => void> = [];
    const guard = stallGuard();
    try {
      for (const waiting of batch) {
        answers.push(await runJob(waiting, statements, step, guard));
        if (clock() - startedAt >= limits.batchMsMax) break;
      }
      step('COMMIT');
    } catch (error) {
      // Nothing of this batch was answered, so nothing was promised.
      rollBack(writer);
      rejectAll(batch, namedFailure(error));
      return { left: [], locked: false };
    } finally {
      guard.end();
    }
    for (const answer of answers) answer();
    return { left: batch.slice(answers.length), locked: false };
  };
}

/** Locked: those who have waited since before `tiredBeforeMs` are refused, the rest waits on. Any other fault is told to all. */
function notBegun(batch: readonly WaitingJob[], failure: Error, tiredBeforeMs: number): Committed {
  if (!(failure instanceof StoreBusy)) {
    rejectAll(batch, failure);
    return { left: [], locked: false };
  }
  const left = batch.filter((waiting) => waiting.enqueuedAtMs > tiredBeforeMs);
  rejectAll(
    batch.filter((waiting) => waiting.enqueuedAtMs <= tiredBeforeMs),
    failure,
  );
  return { left, locked: true };
}

/** SQLite itself has rolled back after some faults; then there is nothing to do, and nothing to say. */
function rollBack(writer: Database.Database): void {
  try {
    if (writer.inTransaction) writer.exec('ROLLBACK');
  } catch {
    // The next BEGIN says what is wrong.
  }
}

/**
 * Runs one job in a savepoint of its own and answers what is to be said after the commit. A job that throws is undone
 * alone. Throws when the fault is the database's: then the whole batch is off.
 */
async function runJob(
  waiting: WaitingJob,
  statements: (sql: string) => Database.Statement,
  step: (sql: string) => void,
  guard: StallGuard,
): Promise<() => void> {
  const tx = transactionQueries(statements);
  step('SAVEPOINT job');
  try {
    const value = await guard.race(waiting.job(tx.query));
    tx.end();
    if (tx.fault() !== null) throw tx.fault();
    step('RELEASE job');
    return () => waiting.resolve(value as never);
  } catch (error) {
    tx.end();
    if (tx.fault() !== null) throw tx.fault();
    step('ROLLBACK TO job');
    step('RELEASE job');
    return () => waiting.reject(error);
  }
}

interface TransactionQueries {
  readonly query: Query;
  /** The database's own fault (disk full, gone …) that a query met, even if the job swallowed it. */
  fault(): Error | null;
  /** Refuses every later query: the transaction is no longer the job's. */
  end(): void;
}

function transactionQueries(statements: (sql: string) => Database.Statement): TransactionQueries {
  let ended = false;
  let fault: Error | null = null;
  // Resolved promises, never a wait: a job is done before the process turns, so no other job can come between.
  async function run<T>(sql: string, work: (statement: Database.Statement) => T): Promise<T> {
    if (ended) throw new Error('A query was run after its transaction had ended.');
    try {
      return work(statements(sql));
    } catch (error) {
      const failure = namedFailure(error);
      if (failure instanceof StoreBusy || failure instanceof StoreUnavailable) fault = failure;
      throw failure;
    }
  }
  return {
    query: {
      all: <Row>(sql: string, values?: readonly SqlValue[]) =>
        run(sql, (statement) => statement.all(bound(values)) as Row[]),
      get: <Row>(sql: string, values?: readonly SqlValue[]) =>
        run(sql, (statement) => statement.get(bound(values)) as Row | undefined),
      run: (sql, values) => run(sql, (statement) => ({ changes: changesOf(statement, bound(values)) })),
    },
    fault: () => fault,
    end: () => {
      ended = true;
    },
  };
}

/** A statement that returns rows is run for its effect all the same, as the other database does. */
function changesOf(statement: Database.Statement, values: Record<number, SqlValue>): number {
  return statement.reader ? statement.all(values).length : statement.run(values).changes;
}

/** Queries outside a transaction: each sees the newest commit. */
function queriesOf(reader: Database.Database): Pick<Query, 'all' | 'get'> {
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

function statementCache(connection: Database.Database): (sql: string) => Database.Statement {
  const cache = new Map<string, Database.Statement>();
  return (sql) => {
    let statement = cache.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      if (cache.size >= statementsMax) cache.delete(cache.keys().next().value as string);
      cache.set(sql, statement);
    }
    return statement;
  };
}

/** `$1` is a parameter named `1`: bound by name, in any order and as often as it stands. */
function bound(values: readonly SqlValue[] = []): Record<number, SqlValue> {
  const named: Record<number, SqlValue> = {};
  for (let index = 0; index < values.length; index += 1) named[index + 1] = values[index] as SqlValue;
  return named;
}

/** Locked: wait or say busy. Full, broken, gone or read-only: nothing can be written (reliability.md F4). */
function namedFailure(error: unknown): Error {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return error instanceof Error ? error : new Error(String(error));
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return new StoreBusy('The database is locked.', { cause: error });
  if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PERM|AUTH|PROTOCOL|INTERRUPT)/.test(code)) {
    return new StoreUnavailable(`The database cannot be written: ${code}.`, { cause: error });
  }
  return error as Error;
}

function rejectAll(batch: readonly WaitingJob[], reason: Error): void {
  for (const waiting of batch) waiting.reject(reason);
}

interface StallGuard {
  /** The job's own end, or a rejection if the process turns before. */
  race<T>(job: Promise<T>): Promise<T>;
  end(): void;
}

/** A batch runs without the process turning once. If it turns, a job awaits what is not a query: that job is ended. */
function stallGuard(): StallGuard {
  let stall = nextStall();
  return {
    race(job) {
      if (stall.fired()) stall = nextStall();
      return Promise.race([job, stall.promise]);
    },
    end: () => stall.end(),
  };
}

function nextStall(): { promise: Promise<never>; fired(): boolean; end(): void } {
  let fired = false;
  let timer: NodeJS.Immediate | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    timer = setImmediate(() => {
      fired = true;
      reject(new Error('A write awaited something other than its queries.'));
    });
  });
  promise.catch(() => {});
  return { promise, fired: () => fired, end: () => clearImmediate(timer) };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
