// PostgreSQL by pg: a pool, one transaction a write, and another try where the database says that one will
// do.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreBusy, StoreUnavailable } from '../../src/core/errors.ts';
import type { Meter } from '../../src/core/ports/measures.ts';
import type { Db, Query, RowStatement, SqlValue, Transaction } from '../db.ts';
import { type JobGuard, jobGuard } from './job-guard.ts';
import { mayBePostgres, NoPostgres } from './postgres-greeting.ts';
import { columnsOf, setWiseOf } from './row-statements.ts';
import { statementNames } from './statement-names.ts';
import { createGate, poolConnectionsMax } from './write-gate.ts';
import { type WriteQueueLimits, writeQueueLimits } from './write-queue.ts';

export interface PostgresOptions {
  /** How long an answer may take before its connection is given up; milliseconds. */
  readonly answerMsMax?: number;
  readonly limits?: Partial<WriteQueueLimits>;
  /** 0 to below 1, for the jitter of waits. */
  readonly random?: () => number;
  /** Told of a connection that broke while nobody used it. */
  readonly onIdleError?: (error: Error) => void;
  /** Told how long each transaction took. */
  readonly meter?: Meter | undefined;
  /** Of the pool, at most. */
  readonly connectionsMax?: number | undefined;
}

/** The library waits for ever unless told otherwise; milliseconds. docs/durability.md, "PostgreSQL". */
const patience = {
  connectionTimeoutMillis: 2000,
  statement_timeout: 10_000,
  lock_timeout: 3000,
  idle_in_transaction_session_timeout: 10_000,
  idleTimeoutMillis: 30_000,
} as const;

/** What every connection is made with; `url` is `postgres://…`. */
const connectionOf = (url: string) => ({
  connectionString: url,
  keepAlive: true,
  application_name: 'notifier',
  ...patience,
});

/**
 * The limits above are kept by the server: one that falls silent (stopped, cut off, behind a pooler that
 * waits) keeps none. Longer than those, so that a server that is alive says itself what is wrong.
 */
const answerMsMax = 12_000;
/** For the one question of a probe, which needs no table and no lock. */
const probeMsMax = 2_000;

const triesMax = 6;

/** Opens a pool on `url` (`postgres://…`); connections are made when they are needed. */
export function openPostgres(url: string, options: PostgresOptions = {}): Db {
  const limits = { ...writeQueueLimits, ...options.limits };
  const { connectionsMax = poolConnectionsMax } = options;
  const pool = new pg.Pool({
    ...connectionOf(url),
    query_timeout: options.answerMsMax ?? answerMsMax,
    max: connectionsMax,
    types: { getTypeParser },
  });
  // Unheard, this event would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  const random = options.random ?? Math.random;
  const nameOf = statementNames();
  const gate = createGate(limits, connectionsMax);
  let closing: Promise<void> | null = null;

  const write: Db['write'] = (job, bytes = 0) =>
    gate.run(bytes, async () => {
      const beganAtMs = performance.now();
      const value = await transaction(pool, job, nameOf, random);
      options.meter?.observe('commitSeconds', [], (performance.now() - beganAtMs) / 1000);
      return value;
    });
  return {
    dbms: 'postgres',
    ...queriesOf(pool, nameOf),
    run: (sql, values) => write((tx) => tx.run(sql, values)),
    write,
    waiting: () => gate.waiting(),
    close() {
      closing ??= gate.close().then(() => pool.end());
      return closing;
    },
  };
}

/**
 * Connects as the pool would, asks for a number and hangs up: a pooler lets in although its server is away.
 * Rejects with what the server or the network says, or pg when nothing comes within two seconds each.
 */
export async function probePostgres(url: string): Promise<void> {
  // Ours, so that it can be closed whatever state the client is in: with what is no PostgreSQL its end never
  // comes.
  const socket = new Socket();
  const client = new pg.Client({ ...connectionOf(url), query_timeout: probeMsMax, stream: () => socket });
  // Unheard, a connection that breaks later would end the process.
  client.on('error', () => {});
  let greeting: Buffer | null = null;
  socket.once('data', (bytes: Buffer) => {
    greeting = bytes;
  });
  try {
    await client.connect();
    await client.query('SELECT 1');
    // Its goodbye is sent; whether the server hangs up in turn is not waited for.
    client.end().catch(() => {});
    socket.destroySoon();
  } catch (error) {
    socket.destroy();
    throw greeting === null || mayBePostgres(greeting) ? error : new NoPostgres(greeting, error);
  }
}

/**
 * Runs a job in a transaction, again when it met another one (serialisation, deadlock): nothing of it was
 * kept.
 */
async function transaction<T>(
  pool: pg.Pool,
  job: (tx: Transaction) => Promise<T>,
  nameOf: StatementNames,
  random: () => number,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await oneTry(pool, job, nameOf);
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error;
      if (tries >= triesMax) throw new StoreBusy('Writes kept meeting each other.', { cause: error });
      await sleep(2 ** tries * (1 + random()));
    }
  }
}

async function oneTry<T>(
  pool: pg.Pool,
  job: (tx: Transaction) => Promise<T>,
  nameOf: StatementNames,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw namedFailure(error);
  });
  let broken: Error | undefined;
  // The pool listens only while nobody uses the connection; unheard, this event too would end the process.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  const guard = jobGuard(isFault);
  try {
    await named(() => client.query('BEGIN'));
    const value = await job(guardedQueries(transactionOf(client, nameOf), guard));
    guard.end();
    if (guard.failure() !== null) throw guard.failure();
    // A transaction with a failed statement is rolled back whatever we ask for: only this answer says so.
    const { command } = await named(() => client.query('COMMIT'));
    if (command !== 'COMMIT') throw guard.failure() ?? new Error('The transaction was rolled back.');
    return value;
  } catch (error) {
    guard.end();
    // On a connection whose answers no longer come this one's would not come either.
    if (isSilence(guard.fault() ?? error)) broken = error as Error;
    else await client.query('ROLLBACK').catch(onBroken);
    throw guard.fault() ?? error;
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}

function guardedQueries(queries: Transaction, guard: JobGuard): Transaction {
  return {
    all: <Row>(sql: string, values?: readonly SqlValue[]) => guard.run(() => queries.all<Row>(sql, values)),
    get: <Row>(sql: string, values?: readonly SqlValue[]) => guard.run(() => queries.get<Row>(sql, values)),
    run: (sql, values) => guard.run(() => queries.run(sql, values)),
    allMany: <Row>(asked: RowStatement, rows: Rows) => guard.run(() => queries.allMany<Row>(asked, rows)),
    updateMany: (asked, rows) => guard.run(() => queries.updateMany(asked, rows)),
  };
}

function isFault(error: Error): boolean {
  return error instanceof TryAgain || error instanceof StoreBusy || error instanceof StoreUnavailable;
}

/** pg's own words when `query_timeout` is over, as they are or as the cause of ours. */
function isSilence(error: unknown): boolean {
  const { message, cause } = error as Partial<Error>;
  return message === 'Query read timeout' || (cause !== undefined && isSilence(cause));
}

type StatementNames = ReturnType<typeof statementNames>;
type Rows = ReadonlyArray<readonly SqlValue[]>;

function runnerOf(client: pg.Pool | pg.PoolClient, nameOf: StatementNames) {
  return (sql: string, values: readonly unknown[] = []) => {
    const asked = { text: sql, values: [...values], name: nameOf(sql) };
    return named(() => client.query(asked));
  };
}

function transactionOf(client: pg.PoolClient, nameOf: StatementNames): Transaction {
  const run = runnerOf(client, nameOf);
  async function many<Row>(asked: RowStatement, rows: Rows): Promise<Row[]> {
    if (rows.length === 0) return [];
    const { sql, lock } = setWiseOf(asked);
    const columns = columnsOf(asked, rows).map((column) => column.map(bound));
    if (lock !== null && rows.length > 1) await run(lock, columns);
    return (await run(sql, columns)).rows as Row[];
  }
  return {
    ...queriesOf(client, nameOf),
    allMany: many,
    async updateMany(asked, rows) {
      const changed = new Set((await many<{ nth: number }>(asked, rows)).map(({ nth }) => nth - 1));
      return rows.map((_row, index) => index).filter((index) => !changed.has(index));
    },
  };
}

function queriesOf(client: pg.Pool | pg.PoolClient, nameOf: StatementNames): Query {
  const bare = runnerOf(client, nameOf);
  const run = (sql: string, values: readonly SqlValue[] = []) => bare(sql, values.map(bound));
  return {
    all: async <Row>(sql: string, values?: readonly SqlValue[]) => (await run(sql, values)).rows as Row[],
    get: async <Row>(sql: string, values?: readonly SqlValue[]) =>
      (await run(sql, values)).rows[0] as Row | undefined,
    run: async (sql, values) => ({ changes: (await run(sql, values)).rowCount ?? 0 }),
  };
}

/** Text here cannot hold NUL, which SQLite can: it becomes the sign for what cannot be shown. */
function bound(value: SqlValue): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) return Buffer.from(value);
  return value;
}

/** int8 and numeric are text to pg; ours are milliseconds and counts, far below 2^53. */
const getTypeParser = ((id: number, format?: 'text' | 'binary') =>
  id === pg.types.builtins.INT8 || id === pg.types.builtins.NUMERIC
    ? Number
    : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser;

/** Serialisation failure or deadlock: the same job may well succeed now. */
class TryAgain extends Error {}

async function named<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw namedFailure(error);
  }
}

/** PostgreSQL's classes of errors, and the system's words for a server that is not there. */
function namedFailure(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') {
    // pg says these without a code.
    return /timeout|terminated|ended unexpectedly|not queryable|client was closed/i.test(failure.message)
      ? new StoreUnavailable('The database does not answer.', { cause: error })
      : failure;
  }
  if (code === '40001' || code === '40P01') return new TryAgain(code, { cause: error });
  if (code === '55P03' || code === '57014') return new StoreBusy('The database is busy.', { cause: error });
  // Connection, resources, operator's shutdown, read-only, a broken disk; E… are the system's own.
  if (/^(08|53|57P|58|25006|XX|E[A-Z]{2})/.test(code)) {
    return new StoreUnavailable(`The database cannot be written: ${code}.`, { cause: error });
  }
  return failure;
}
