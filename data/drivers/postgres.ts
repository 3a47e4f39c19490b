// PostgreSQL by pg: a pool, one transaction a write, and another try where the database says that one will
// do.

import { hash } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreBusy } from '../../src/core/errors.ts';
import type { Meter } from '../../src/core/ports/measures.ts';
import type { Db, Query, RowStatement, SqlValue, Transaction } from '../db.ts';
import { type JobGuard, jobGuard } from './job-guard.ts';
import {
  connectionOf,
  connectWithin,
  poolOf,
  poolWaitsMsMax,
  type Sessions,
  type StatementNaming,
  sessionsOf,
} from './postgres-connections.ts';
import {
  greetingFailure,
  isDuplicate,
  isFault,
  isSaid,
  isSilence,
  named,
  TryAgain,
} from './postgres-failures.ts';
import { columnsOf, setWiseOf } from './row-statements.ts';
import { aliveMsMax, type SilenceWatch, silenceWatch } from './silence.ts';
import { createGate, poolConnectionsMax } from './write-gate.ts';
import { type WriteQueueLimits, writeQueueLimits } from './write-queue.ts';

/**
 * Texts that get a name; each connection keeps so many prepared at most. All that we ask of every event are
 * far fewer.
 */
const namesMax = 300;
/** Texts that were asked once and may come again. */
const onceMax = 1_000;

export interface PostgresOptions {
  /** How many times as long as usual anything may take; 1 unless said. */
  readonly patience?: number | undefined;
  /** How long an answer may take before its connection is given up; milliseconds. */
  readonly answerMsMax?: number;
  /** How often it is looked whether the server fell silent; milliseconds. */
  readonly lookMs?: number;
  readonly limits?: Partial<WriteQueueLimits>;
  /** How long it is waited for a free connection of the pool; milliseconds. */
  readonly poolWaitsMsMax?: { readonly read: number; readonly write: number };
  /** 0 to below 1, for the jitter of waits. */
  readonly random?: () => number;
  /** Told of a connection that broke while nobody used it. */
  readonly onIdleError?: (error: Error) => void;
  /** Told how long each transaction took. */
  readonly meter?: Meter | undefined;
  /** Of the pool, at most. */
  readonly connectionsMax?: number | undefined;
  /** `auto` unless said. */
  readonly statements?: StatementNaming | undefined;
}

/**
 * The limits of a connection are kept by the server: one that is stopped, cut off or behind a pooler that
 * waits keeps none. That nothing comes at all is noticed by `silenceWatch`; this is for one statement whose
 * answer does not come. Longer than those, so that a server that is alive says itself what is wrong.
 */
const answerMsMax = 12_000;
/** For the one question of a probe, which needs no table and no lock. */
const probeMsMax = 2_000;

const triesMax = 6;
const duplicateTriesMax = 3;

/** Opens a pool on `url` (`postgres://…`); connections are made when they are needed. */
export function openPostgres(url: string, options: PostgresOptions = {}): Db {
  const limits = { ...writeQueueLimits, ...options.limits };
  const { connectionsMax = poolConnectionsMax, patience = 1 } = options;
  const silence = silenceWatch({ isAlive: () => isAlive(url), lookMs: options.lookMs });
  const sessions = sessionsOf(options.statements ?? 'auto', patience);
  const pool = poolOf({
    ...connectionOf(url, patience),
    stream: () => silence.socket(),
    query_timeout: options.answerMsMax ?? answerMsMax * patience,
    max: connectionsMax,
    onConnect: sessions.prepare,
  });
  // Unheard, this event would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  const random = options.random ?? Math.random;
  const waits = options.poolWaitsMsMax ?? poolWaitsMsMax;
  const connectIn = (msMax: number) => () => connectWithin(pool, silence, msMax * patience);
  const shared = { nameOf: statementNames(), ask: silence.ask, sessions };
  const reading: Ways = { ...shared, connect: connectIn(waits.read) };
  const writing: Ways = { ...shared, connect: connectIn(waits.write) };
  const gate = createGate(limits, connectionsMax);
  let closing: Promise<void> | null = null;

  const write: Db['write'] = (job, bytes = 0) =>
    gate.run(bytes, async () => {
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
    waiting: () => gate.waiting(),
    close() {
      closing ??= gate.close().then(() => {
        silence.end();
        return pool.end();
      });
      return closing;
    },
  };
}

/**
 * Connects as the pool would, asks for a number and hangs up: a pooler lets in although its server is away.
 * Rejects with what the server or the network says, or pg when nothing comes within `msMax` each.
 */
export async function probePostgres(url: string, msMax = probeMsMax): Promise<void> {
  // Ours, so that it can be closed whatever state the client is in: with what is no PostgreSQL its end never
  // comes.
  const socket = new Socket();
  const client = new pg.Client({
    ...connectionOf(url),
    connectionTimeoutMillis: msMax,
    query_timeout: msMax,
    stream: () => socket,
  });
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
    throw greetingFailure(greeting, error);
  }
}

/** Whether whoever comes anew is answered, be it with a refusal. */
async function isAlive(url: string): Promise<boolean> {
  try {
    await probePostgres(url, aliveMsMax);
    return true;
  } catch (error) {
    return isSaid(error);
  }
}

/**
 * Runs a job in a transaction, again when it met another one (serialisation, deadlock, a row that was written
 * meanwhile): nothing of it was kept.
 */
async function transaction<T>(
  job: (tx: Transaction) => Promise<T>,
  ways: Ways,
  random: () => number,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withClient(ways, (client) => inTransaction(client, job, ways));
    } catch (error) {
      // A job that meets a row that it does not look for would meet it for ever.
      const isOfOthers = isDuplicate(error) && tries < duplicateTriesMax;
      if (!(error instanceof TryAgain || isOfOthers)) throw error;
      if (tries >= triesMax) throw new StoreBusy('Writes kept meeting each other.', { cause: error });
      await sleep(2 ** tries * (1 + random()));
    }
  }
}

/** Uses a connection; one that broke meanwhile, or whose answers no longer come, is used by nobody after. */
async function withClient<T>(ways: Ways, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await named(() => ways.ask(ways.connect));
  let broken: Error | undefined;
  // The pool listens only while nobody uses the connection; unheard, this event too would end the process.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    return await use(client);
  } catch (error) {
    if (isSilence(error)) broken = error as Error;
    throw error;
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}

async function inTransaction<T>(
  client: pg.PoolClient,
  job: (tx: Transaction) => Promise<T>,
  ways: Ways,
): Promise<T> {
  const guard = jobGuard(isFault);
  try {
    await named(() => ways.ask(() => client.query(ways.sessions.begin(client))));
    const value = await job(guardedQueries(transactionOf(client, ways), guard));
    guard.end();
    if (guard.failure() !== null) throw guard.failure();
    // A transaction with a failed statement is rolled back whatever we ask for: only this answer says so.
    const { command } = await named(() => ways.ask(() => client.query('COMMIT')));
    if (command !== 'COMMIT') throw guard.failure() ?? new Error('The transaction was rolled back.');
    return value;
  } catch (error) {
    guard.end();
    const fault = guard.fault() ?? error;
    // On a connection whose answers no longer come this one's would not come either. Where it fails for
    // another reason the connection is of no use to the next.
    if (!isSilence(fault)) await client.query('ROLLBACK').catch((failure) => client.emit('error', failure));
    throw fault;
  }
}

/**
 * Statements outside of a transaction of ours. On a connection that is shared a limit lasts for a transaction
 * alone, so each has one.
 */
function readsOf(ways: Ways): Runner {
  return (sql, values) =>
    withClient(ways, async (client) => {
      const run = runnerOf(client, ways);
      if (!ways.sessions.isShared(client)) return run(sql, values);
      return inTransaction(client, () => run(sql, values), ways);
    });
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

interface Ways {
  readonly nameOf: ReturnType<typeof statementNames>;
  readonly ask: SilenceWatch['ask'];
  readonly sessions: Sessions;
  /** A connection of the pool. */
  connect(): Promise<pg.PoolClient>;
}

type Rows = ReadonlyArray<readonly SqlValue[]>;
type Runner = (sql: string, values?: readonly unknown[]) => Promise<pg.QueryResult>;

function runnerOf(client: pg.PoolClient, { nameOf, ask, sessions }: Ways): Runner {
  return (sql, values = []) => {
    const asked = { text: sql, values: [...values] };
    const name = sessions.hasNamedStatements(client) ? nameOf(sql) : undefined;
    return named(() => ask(() => client.query(name === undefined ? asked : { ...asked, name })));
  };
}

function transactionOf(client: pg.PoolClient, ways: Ways): Transaction {
  const run = runnerOf(client, ways);
  async function many<Row>(asked: RowStatement, rows: Rows): Promise<Row[]> {
    if (rows.length === 0) return [];
    const { sql, lock } = setWiseOf(asked);
    const columns = columnsOf(asked, rows).map((column) => column.map(bound));
    if (lock !== null && rows.length > 1) await run(lock, columns);
    return (await run(sql, columns)).rows as Row[];
  }
  return {
    ...queriesOf(run),
    allMany: many,
    async updateMany(asked, rows) {
      const changed = new Set((await many<{ nth: number }>(asked, rows)).map(({ nth }) => nth - 1));
      return rows.map((_row, index) => index).filter((index) => !changed.has(index));
    },
  };
}

function queriesOf(bare: Runner): Query {
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

/**
 * Names texts of SQL, so that a connection prepares each of them once. A text is named when it is asked for
 * the second time, as long as there are names left; the others go without (undefined), which is slower and
 * leaves nothing behind. A name is made from its text, so that a pooler between us and the database can share
 * it among connections.
 */
function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  const once = new Set<string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= namesMax) return known;
    if (!once.delete(sql)) {
      if (once.size >= onceMax) once.delete(once.values().next().value as string);
      once.add(sql);
      return undefined;
    }
    const name = `n_${hash('sha256', sql).slice(0, 32)}`;
    names.set(sql, name);
    return name;
  };
}
