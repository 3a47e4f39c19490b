// SQLite by better-sqlite3: one connection that writes, one that reads, and group commit between them. The
// driver is synchronous: what it runs blocks the process, so batches are short and locks are waited for
// outside it.
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { StoreBusy } from '../../src/core/errors.ts';
import type { Meter } from '../../src/core/ports/measures.ts';
import type { SharedTurn } from '../../src/core/shared/lock.ts';
import type { Db } from '../db.ts';
import { jobGuard } from './job-guard.ts';
import type { LogSync } from './log-sync.ts';
import { foldLog, openConnections } from './sqlite-connections.ts';
import { guardedQueries, isFault, namedFailure, queriesOf, statementCache } from './sqlite-queries.ts';
import { type StallGuard, stallGuard } from './stall-guard.ts';
import {
  createWriteQueue,
  type WaitingJob,
  type WriteQueue,
  type WriteQueueLimits,
  writeQueueLimits,
} from './write-queue.ts';

export interface SqliteOptions {
  readonly limits?: Partial<WriteQueueLimits>;
  /** 0 to below 1, for the jitter of waits. */
  readonly random?: () => number;
  /** Milliseconds that only go forward. */
  readonly clock?: () => number;
  /** Whether a file that holds the tables of another program is refused, untouched. */
  readonly onlyOurs?: boolean;
  /** Told how long each transaction took. */
  readonly meter?: Meter | undefined;
  /** Whose turn it is to write, among threads of this process with the file open; absent: always ours. */
  readonly turn?: SharedTurn | undefined;
}

/**
 * Opens `file` (made with its folder when absent; `:memory:` is a throw-away file, D-04).
 * @throws when the library is older than 3.51.3 or a setting does not hold when read back.
 */
export function openSqlite(file: string, options: SqliteOptions = {}): Db {
  const limits = { ...writeQueueLimits, ...options.limits };
  const connections = openConnections(file, { onlyOurs: options.onlyOurs === true });
  const queue = createWriteQueue(limits);
  const reading = queriesOf(connections.reader);
  const clock = options.clock ?? (() => performance.now());
  const commit = committerOf(connections.writer, limits, clock);
  const random = options.random ?? Math.random;
  let working: Promise<void> | null = null;
  let closing: Promise<void> | null = null;
  const round = roundOf(queue, commit, { ...options, log: connections.log, clock, random });
  async function work(): Promise<void> {
    while (queue.length > 0) await round();
    // In the same step as the look at the queue: a job added a moment later must find nobody at work.
    working = null;
  }
  const write: Db['write'] = (job, bytes = 0) =>
    new Promise((resolve, reject) => {
      queue.add({ job, bytes, enqueuedAtMs: clock(), resolve, reject });
      working ??= work();
    });
  return {
    dbms: 'sqlite',
    all: reading.all,
    get: reading.get,
    run: (sql, values) => write((tx) => tx.run(sql, values)),
    write,
    freeBytes: () => freeBytesOf(connections.writer.name),
    waiting: () => ({ jobs: queue.length, bytes: queue.bytes }),
    fileBytes: async () => ({
      main: await sizeOf(connections.writer.name),
      wal: await sizeOf(`${connections.writer.name}-wal`),
    }),
    async foldLog() {
      // No transaction is open when the process has turned: a batch is run without a turn.
      await nextTurn();
      if (connections.writer.open && !connections.writer.inTransaction) foldLog(connections.writer);
    },
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

interface RoundParts extends Pick<SqliteOptions, 'turn' | 'meter'> {
  readonly log: LogSync;
  readonly clock: () => number;
  readonly random: () => number;
}

/**
 * One batch of the queue: committed when it is our turn, and answered when it is on the disk. Between two of
 * them the process turns, so that requests are read and gather; while the disk is waited for this thread goes
 * on, and another one may commit.
 */
function roundOf(
  queue: WriteQueue,
  commit: ReturnType<typeof committerOf>,
  { turn, meter, log, clock, random }: RoundParts,
): () => Promise<void> {
  return async () => {
    await nextTurn();
    const awaited = turn?.take() ?? null;
    if (awaited !== null) await awaited;
    const beganAtMs = clock();
    const batch = queue.takeBatch();
    const { answers, left, locked } = await commit(batch).finally(() => turn?.leave());
    queue.putBack(left);
    if (answers.length > 0) {
      try {
        await log.synced();
        meter?.observe('commitSeconds', [], (clock() - beganAtMs) / 1000);
        for (const answer of answers) answer();
      } catch (error) {
        rejectAll(batch.slice(0, answers.length), error as Error);
      }
    }
    if (locked) await sleep(10 + random() * 40);
  };
}

/** What the file system lets this process still write. */
async function freeBytesOf(file: string): Promise<number | null> {
  const disk = await statfs(dirname(file)).catch(() => null);
  return disk === null ? null : disk.bavail * disk.bsize;
}

/** The size of a file; 0 where it is not there. */
function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

interface Committed {
  /** What to say to those that were run, in their order, once what was committed is on the disk. */
  readonly answers: ReadonlyArray<() => void>;
  /** Jobs that were not run: they wait on, after a pause when another process holds the lock. */
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
    const stalls = stallGuard();
    let isUndone = false;
    const undoAll = () => {
      rollBack(writer);
      isUndone = true;
    };
    const frame = batch.length === 1 ? wholeTransaction(undoAll) : savepoint(step);
    try {
      for (const waiting of batch) {
        answers.push(await runJob(waiting, statements, frame, stalls));
        if (clock() - startedAt >= limits.batchMsMax) break;
      }
      if (!isUndone) step('COMMIT');
    } catch (error) {
      // Nothing of this batch was answered, so nothing was promised.
      rollBack(writer);
      rejectAll(batch, namedFailure(error));
      return { answers: [], left: [], locked: false };
    } finally {
      stalls.end();
    }
    return { answers, left: batch.slice(answers.length), locked: false };
  };
}

/**
 * Locked: those who have waited since before `tiredBeforeMs` are refused, the rest waits on. Any other fault
 * is told to all.
 */
function notBegun(batch: readonly WaitingJob[], failure: Error, tiredBeforeMs: number): Committed {
  if (!(failure instanceof StoreBusy)) {
    rejectAll(batch, failure);
    return { answers: [], left: [], locked: false };
  }
  const left = batch.filter((waiting) => waiting.enqueuedAtMs > tiredBeforeMs);
  rejectAll(
    batch.filter((waiting) => waiting.enqueuedAtMs <= tiredBeforeMs),
    failure,
  );
  return { answers: [], left, locked: true };
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
 * Runs one job, in a savepoint of its own where others share the transaction, and answers what is to be said
 * after the commit. A job that throws, or one of whose statements failed, is undone alone. Throws when the
 * fault is the database's: then the whole batch is off.
 */
async function runJob(
  waiting: WaitingJob,
  statements: (sql: string) => Database.Statement,
  { keep, undo, enter }: Frame,
  stalls: StallGuard,
): Promise<() => void> {
  const guard = jobGuard(isFault);
  enter();
  try {
    const value = await stalls.race(waiting.job(guardedQueries(statements, guard)));
    guard.end();
    if (guard.failure() !== null) throw guard.failure();
    keep();
    return () => waiting.resolve(value as never);
  } catch (error) {
    guard.end();
    if (guard.fault() !== null) throw guard.fault();
    undo();
    return () => waiting.reject(error);
  }
}

/** How what a job did is kept or undone. */
interface Frame {
  readonly enter: () => void;
  readonly keep: () => void;
  readonly undo: () => void;
}

function savepoint(step: (sql: string) => void): Frame {
  return {
    enter: () => step('SAVEPOINT job'),
    keep: () => step('RELEASE job'),
    undo() {
      step('ROLLBACK TO job');
      step('RELEASE job');
    },
  };
}

/**
 * Of a job that shares its transaction with no other. SQLite copies each page that is changed under a
 * savepoint for the first time, most of them to a file; that was a fifth of what filing an event of 2 KB
 * took.
 */
function wholeTransaction(undo: () => void): Frame {
  return { enter: () => {}, keep: () => {}, undo };
}

function rejectAll(batch: readonly WaitingJob[], reason: Error): void {
  for (const waiting of batch) waiting.reject(reason);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
