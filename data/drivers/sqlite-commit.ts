// One batch of writes on one SQLite connection: begun, run job by job, committed; what fails alone is undone
// alone. Nobody is answered here.
import type Database from 'better-sqlite3';
import { StoreBusy } from '../../src/core/errors.ts';
import { jobGuard } from './job-guard.ts';
import { guardedQueries, isFault, namedFailure, statementCache } from './sqlite-queries.ts';
import type { WaitingJob, WriteQueueLimits } from './write-queue.ts';

export interface Committed {
  /** What to say to those that were run, in their order, once what was committed is on the disk. */
  readonly answers: ReadonlyArray<() => void>;
  /** Jobs that were not run: they wait on, after a pause when another process holds the lock. */
  readonly left: readonly WaitingJob[];
  readonly locked: boolean;
}

/** Commits batches on one connection. */
export function committerOf(
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

export function rejectAll(batch: readonly WaitingJob[], reason: Error): void {
  for (const waiting of batch) waiting.reject(reason);
}

interface StallGuard {
  /** The job's own end, or a rejection if the process turns before. */
  race<T>(job: Promise<T>): Promise<T>;
  end(): void;
}

/**
 * A batch runs without the process turning once. If it turns, a job awaits what is not a query: that job is
 * ended.
 */
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
