// Commits one batch of jobs on a SQLite connection, with a savepoint per job. Does not resolve the jobs.
import type Database from 'better-sqlite3';
import { StoreBusyError } from '../../src/core/errors.ts';
import { createJobGuard } from './job-guard.ts';
import {
  createGuardedQueries,
  createStatementCache,
  isDatabaseError,
  toStoreError,
} from './sqlite-queries.ts';
import type { WaitingJob, WriteQueueLimits } from './write-queue.ts';

export interface CommitResult {
  /** Settle the jobs that were run, in order; to be called once the commit is on disk. */
  readonly callbacks: ReadonlyArray<() => void>;
  /** Jobs that were not run; retry them, after a pause if `locked` (by another process). */
  readonly remaining: readonly WaitingJob[];
  readonly locked: boolean;
}

export function createCommitter(
  writer: Database.Database,
  limits: WriteQueueLimits,
  clock: () => number,
): (batch: readonly WaitingJob[]) => Promise<CommitResult> {
  const statements = createStatementCache(writer);
  const step = (sql: string): void => {
    statements(sql).run();
  };
  return async (batch) => {
    const startedAt = clock();
    try {
      step('BEGIN IMMEDIATE');
    } catch (error) {
      return handleFailedBegin(batch, toStoreError(error), startedAt - limits.waitMsMax);
    }
    const callbacks: Array<() => void> = [];
    const stalls = stallGuard();
    let isUndone = false;
    const undoAll = () => {
      rollBack(writer);
      isUndone = true;
    };
    const frame = batch.length === 1 ? wholeTransaction(undoAll) : savepoint(step);
    try {
      for (const waiting of batch) {
        callbacks.push(await runJob(waiting, statements, frame, stalls));
        if (clock() - startedAt >= limits.batchMsMax) break;
      }
      if (!isUndone) step('COMMIT');
    } catch (error) {
      rollBack(writer);
      rejectAll(batch, toStoreError(error));
      return { callbacks: [], remaining: [], locked: false };
    } finally {
      stalls.end();
    }
    return { callbacks, remaining: batch.slice(callbacks.length), locked: false };
  };
}

/** On a lock, refuses the jobs enqueued before `timedOutBeforeMs`. On other errors, rejects all. */
function handleFailedBegin(
  batch: readonly WaitingJob[],
  failure: Error,
  timedOutBeforeMs: number,
): CommitResult {
  if (!(failure instanceof StoreBusyError)) {
    rejectAll(batch, failure);
    return { callbacks: [], remaining: [], locked: false };
  }
  const remaining = batch.filter((waiting) => waiting.enqueuedAtMs > timedOutBeforeMs);
  rejectAll(
    batch.filter((waiting) => waiting.enqueuedAtMs <= timedOutBeforeMs),
    failure,
  );
  return { callbacks: [], remaining, locked: true };
}

/** SQLite rolls back by itself after some errors. */
function rollBack(writer: Database.Database): void {
  try {
    if (writer.inTransaction) writer.exec('ROLLBACK');
  } catch {
    // The next BEGIN reports the error.
  }
}

/** Runs one job and returns what settles it after the commit. Throws errors of the database itself. */
async function runJob(
  waiting: WaitingJob,
  statements: (sql: string) => Database.Statement,
  { release, undo, enter }: Frame,
  stalls: StallGuard,
): Promise<() => void> {
  const guard = createJobGuard(isDatabaseError);
  enter();
  try {
    const value = await stalls.race(waiting.job(createGuardedQueries(statements, guard)));
    guard.end();
    if (guard.failure() !== null) throw guard.failure();
    release();
    return () => waiting.resolve(value as never);
  } catch (error) {
    guard.end();
    if (guard.databaseError() !== null) throw guard.databaseError();
    undo();
    return () => waiting.reject(error);
  }
}

interface Frame {
  readonly enter: () => void;
  readonly release: () => void;
  readonly undo: () => void;
}

function savepoint(step: (sql: string) => void): Frame {
  return {
    enter: () => step('SAVEPOINT job'),
    release: () => step('RELEASE job'),
    undo() {
      step('ROLLBACK TO job');
      step('RELEASE job');
    },
  };
}

// No savepoint for one job: under one SQLite copies each page first, a fifth of the time to store an event of 2 KB.
function wholeTransaction(undo: () => void): Frame {
  return { enter: () => {}, release: () => {}, undo };
}

export function rejectAll(batch: readonly WaitingJob[], reason: Error): void {
  for (const waiting of batch) waiting.reject(reason);
}

interface StallGuard {
  /** Settles as the job does, or rejects if the event loop turns before. */
  race<T>(job: Promise<T>): Promise<T>;
  end(): void;
}

/** A batch must run within one turn of the event loop: a job that awaits anything but queries is failed. */
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
