import { hash } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreBusyError } from '../../src/core/errors.ts';
import type { Meter } from '../../src/core/ports/metrics.ts';
import type { Db, Query, RowStatement, SqlValue, Transaction } from '../db.ts';
import { createJobGuard, type JobGuard } from './job-guard.ts';
import {
  acquireConnection,
  acquireTimeoutsMs,
  connectionOptions,
  createPool,
  createSessionSetup,
  type SessionSetup,
  type StatementNaming,
} from './postgres-connections.ts';
import {
  isQueryTimeout,
  isServerError,
  isStoreError,
  isUniqueViolation,
  RetryableError,
  toProtocolError,
  withStoreErrors,
} from './postgres-errors.ts';
import { aliveTimeoutMs, createResponseWatch, type ResponseWatch } from './response-watch.ts';
import { toParameterArrays, toSetStatement } from './row-statements.ts';
import {
  createWriteSemaphore,
  poolConnectionsMax,
  type WriteQueueLimits,
  writeQueueLimits,
} from './write-queue.ts';

/** Prepared statements per connection at most; ingestion uses far fewer. */
const namesMax = 300;
/** SQL texts remembered after their first use, to be prepared on the second. */
const seenOnceMax = 1_000;

export interface PostgresOptions {
  /** Multiplies all time limits; 1 by default. */
  readonly timeoutFactor?: number | undefined;
  /** Time limit of one query, after which its connection is closed; milliseconds. */
  readonly answerMsMax?: number;
  readonly checkIntervalMs?: number;
  readonly limits?: Partial<WriteQueueLimits>;
  readonly poolWaitsMsMax?: { readonly read: number; readonly write: number };
  readonly random?: () => number;
  readonly onIdleError?: (error: Error) => void;
  readonly meter?: Meter | undefined;
  readonly connectionsMax?: number | undefined;
  readonly statements?: StatementNaming | undefined;
}

// A stopped server does not enforce its own limits. Longer than those, so that its own error comes first.
const answerMsMax = 12_000;
/** For the probe's `SELECT 1`, which needs no table and no lock. */
const probeMsMax = 2_000;

const triesMax = 6;
const duplicateTriesMax = 3;

export function openPostgres(url: string, options: PostgresOptions = {}): Db {
  const limits = { ...writeQueueLimits, ...options.limits };
  const { connectionsMax = poolConnectionsMax, timeoutFactor = 1 } = options;
  const responseWatch = createResponseWatch({
    isAlive: () => isAlive(url),
    checkIntervalMs: options.checkIntervalMs,
  });
  const sessions = createSessionSetup(options.statements ?? 'auto', timeoutFactor);
  const pool = createPool({
    ...connectionOptions(url, timeoutFactor),
    stream: () => responseWatch.socket(),
    query_timeout: options.answerMsMax ?? answerMsMax * timeoutFactor,
    max: connectionsMax,
    onConnect: sessions.prepare,
  });
  // Without a listener, an 'error' event would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  const random = options.random ?? Math.random;
  const timeouts = options.poolWaitsMsMax ?? acquireTimeoutsMs;
  const connectIn = (msMax: number) => () => acquireConnection(pool, responseWatch, msMax * timeoutFactor);
  const shared = { nameOf: statementNames(), track: responseWatch.track, sessions };
  const reading: ConnectionContext = { ...shared, connect: connectIn(timeouts.read) };
  const writing: ConnectionContext = { ...shared, connect: connectIn(timeouts.write) };
  const semaphore = createWriteSemaphore(limits, connectionsMax);
  let closing: Promise<void> | null = null;

  const write: Db['write'] = (job, bytes = 0) =>
    semaphore.run(bytes, async () => {
      const beganAtMs = performance.now();
      const value = await transaction(job, writing, random);
      options.meter?.observe('commitSeconds', [], (performance.now() - beganAtMs) / 1000);
      return value;
    });
  return {
    dbms: 'postgres',
    ...queriesOf(readsOf(reading)),
    run: (sql, values) => write((tx) => tx.run(sql, values)),
    write,
    waiting: () => semaphore.waiting(),
    close() {
      closing ??= semaphore.close().then(() => {
        responseWatch.end();
        return pool.end();
      });
      return closing;
    },
  };
}

/** Runs `SELECT 1`, because a pooler accepts connections even if its server is down. */
export async function probePostgres(url: string, msMax = probeMsMax): Promise<void> {
  // Our own socket, to destroy it: if the server is not PostgreSQL, the client's end() never finishes.
  const socket = new Socket();
  const client = new pg.Client({
    ...connectionOptions(url),
    connectionTimeoutMillis: msMax,
    query_timeout: msMax,
    stream: () => socket,
  });
  client.on('error', () => {});
  let firstBytes: Buffer | null = null;
  socket.once('data', (bytes: Buffer) => {
    firstBytes = bytes;
  });
  try {
    await client.connect();
    await client.query('SELECT 1');
    // Sends Terminate; does not wait for the server to close.
    client.end().catch(() => {});
    socket.destroySoon();
  } catch (error) {
    socket.destroy();
    throw toProtocolError(firstBytes, error);
  }
}

/** Whether the server answers a new connection, even with an error. */
async function isAlive(url: string): Promise<boolean> {
  try {
    await probePostgres(url, aliveTimeoutMs);
    return true;
  } catch (error) {
    return isServerError(error);
  }
}

/** Retries after serialization failures, deadlocks and unique violations: nothing of the attempt was kept. */
async function transaction<T>(
  job: (tx: Transaction) => Promise<T>,
  connection: ConnectionContext,
  random: () => number,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withClient(connection, (client) => inTransaction(client, job, connection));
    } catch (error) {
      // Few attempts: a job that does not check for the existing row would fail forever.
      const isConcurrentInsert = isUniqueViolation(error) && tries < duplicateTriesMax;
      if (!(error instanceof RetryableError || isConcurrentInsert)) throw error;
      if (tries >= triesMax)
        throw new StoreBusyError('The write conflicted with others at each attempt.', { cause: error });
      await sleep(2 ** tries * (1 + random()));
    }
  }
}

/** Uses a pooled connection; one that broke or stopped answering is not returned to the pool. */
async function withClient<T>(
  connection: ConnectionContext,
  use: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await withStoreErrors(() => connection.track(connection.connect));
  let broken: Error | undefined;
  // The pool has an 'error' listener only while the connection is idle; without one the process would end.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    return await use(client);
  } catch (error) {
    if (isQueryTimeout(error)) broken = error as Error;
    throw error;
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}

async function inTransaction<T>(
  client: pg.PoolClient,
  job: (tx: Transaction) => Promise<T>,
  connection: ConnectionContext,
): Promise<T> {
  const guard = createJobGuard(isStoreError);
  // A connection takes one query at a time, and a job may start several.
  let last: Promise<unknown> = Promise.resolve();
  const runInOrder: JobGuard['run'] = (statement) => {
    const result = last.then(() => guard.run(statement));
    last = result.catch(() => {});
    return result;
  };
  try {
    await withStoreErrors(() => connection.track(() => client.query(connection.sessions.begin(client))));
    const value = await job(guardedQueries(transactionOf(client, connection), runInOrder));
    await last;
    guard.end();
    if (guard.failure() !== null) throw guard.failure();
    // COMMIT after a failed statement succeeds but rolls back; only the command tag of the answer shows it.
    const { command } = await withStoreErrors(() => connection.track(() => client.query('COMMIT')));
    if (command !== 'COMMIT') throw guard.failure() ?? new Error('The transaction was rolled back.');
    return value;
  } catch (error) {
    guard.end();
    await last;
    const cause = guard.databaseError() ?? error;
    // No ROLLBACK on a connection that stopped answering; if it fails otherwise, the connection is broken.
    if (!isQueryTimeout(cause))
      await client.query('ROLLBACK').catch((failure) => client.emit('error', failure));
    throw cause;
  }
}

/** Reads outside a transaction. Behind a pooler, time limits can only be set inside a transaction. */
function readsOf(connection: ConnectionContext): Runner {
  return (sql, values) =>
    withClient(connection, async (client) => {
      const run = runnerOf(client, connection);
      if (!connection.sessions.isShared(client)) return run(sql, values);
      return inTransaction(client, () => run(sql, values), connection);
    });
}

function guardedQueries(queries: Transaction, run: JobGuard['run']): Transaction {
  return {
    all: <Row>(sql: string, values?: readonly SqlValue[]) => run(() => queries.all<Row>(sql, values)),
    get: <Row>(sql: string, values?: readonly SqlValue[]) => run(() => queries.get<Row>(sql, values)),
    run: (sql, values) => run(() => queries.run(sql, values)),
    allMany: <Row>(rowStatement: RowStatement, rows: Rows) =>
      run(() => queries.allMany<Row>(rowStatement, rows)),
    updateMany: (rowStatement, rows) => run(() => queries.updateMany(rowStatement, rows)),
  };
}

interface ConnectionContext {
  readonly nameOf: ReturnType<typeof statementNames>;
  readonly track: ResponseWatch['track'];
  readonly sessions: SessionSetup;
  connect(): Promise<pg.PoolClient>;
}

type Rows = ReadonlyArray<readonly SqlValue[]>;
type Runner = (sql: string, values?: readonly unknown[]) => Promise<pg.QueryResult>;

function runnerOf(client: pg.PoolClient, { nameOf, track, sessions }: ConnectionContext): Runner {
  return (sql, values = []) => {
    const query = { text: sql, values: [...values] };
    const name = sessions.hasNamedStatements(client) ? nameOf(sql) : undefined;
    return withStoreErrors(() => track(() => client.query(name === undefined ? query : { ...query, name })));
  };
}

function transactionOf(client: pg.PoolClient, connection: ConnectionContext): Transaction {
  const run = runnerOf(client, connection);
  async function runMany<Row>(rowStatement: RowStatement, rows: Rows): Promise<Row[]> {
    if (rows.length === 0) return [];
    const { sql, lock } = toSetStatement(rowStatement);
    const columns = toParameterArrays(rowStatement, rows).map((column) => column.map(bound));
    if (lock !== null && rows.length > 1) await run(lock, columns);
    return (await run(sql, columns)).rows as Row[];
  }
  return {
    ...queriesOf(run),
    allMany: runMany,
    async updateMany(rowStatement, rows) {
      const changed = new Set((await runMany<{ nth: number }>(rowStatement, rows)).map(({ nth }) => nth - 1));
      return rows.map((_row, index) => index).filter((index) => !changed.has(index));
    },
  };
}

function queriesOf(runRaw: Runner): Query {
  const run = (sql: string, values: readonly SqlValue[] = []) => runRaw(sql, values.map(bound));
  return {
    all: async <Row>(sql: string, values?: readonly SqlValue[]) => (await run(sql, values)).rows as Row[],
    get: async <Row>(sql: string, values?: readonly SqlValue[]) =>
      (await run(sql, values)).rows[0] as Row | undefined,
    run: async (sql, values) => ({ changes: (await run(sql, values)).rowCount ?? 0 }),
  };
}

/** PostgreSQL text cannot hold NUL, SQLite's can: NUL becomes U+FFFD. */
function bound(value: SqlValue): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) return Buffer.from(value);
  return value;
}

/** Names a SQL text from its second use on, by its hash, so that a pooler can share statements. */
function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  const seenOnce = new Set<string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= namesMax) return known;
    if (!seenOnce.delete(sql)) {
      if (seenOnce.size >= seenOnceMax) seenOnce.delete(seenOnce.values().next().value as string);
      seenOnce.add(sql);
      return undefined;
    }
    const name = `n_${hash('sha256', sql).slice(0, 32)}`;
    names.set(sql, name);
    return name;
  };
}
