// One writer and one reader. better-sqlite3 blocks the event loop: batches are short, lock waits outside it.

import { statSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../../src/core/errors.ts';
import type { Meter } from '../../src/core/ports/metrics.ts';
import type { Db } from '../db.ts';
import { type CommitResult, createCommitter, rejectAll } from './sqlite-commit.ts';
import {
  checkpointWal,
  checkpointWalFully,
  openConnections,
  type SqliteConnections,
  type SyncFile,
  type WalSync,
} from './sqlite-connections.ts';
import { createQueries, toStoreError } from './sqlite-queries.ts';
import {
  createWriteQueue,
  type WaitingJob,
  type WriteQueue,
  type WriteQueueLimits,
  writeQueueLimits,
} from './write-queue.ts';

/** A replaced file is noticed within two seconds. */
const defaultFileCheckMs = 1_000;

const suffixes = ['', '-wal', '-shm'] as const;

export interface SqliteOptions {
  readonly limits?: Partial<WriteQueueLimits>;
  readonly random?: () => number;
  readonly clock?: () => number;
  readonly onlyOurs?: boolean;
  /** Do not wait for the disk on commit: for files that need not survive a crash. */
  readonly isUnsynced?: boolean | undefined;
  readonly meter?: Meter | undefined;
  /** Replaces `fdatasync` in tests. */
  readonly syncFile?: SyncFile | undefined;
  readonly fileCheckMs?: number | undefined;
}

/** Opens or creates `file`; `:memory:` is a temporary file. @throws when SQLite is older than 3.51.3. */
export function openSqlite(file: string, options: SqliteOptions = {}): Db {
  const limits = { ...writeQueueLimits, ...options.limits };
  const { onlyOurs = false, isUnsynced = file === ':memory:', syncFile } = options;
  const connections = openConnections(file, { onlyOurs, isUnsynced, syncFile });
  const queue = createWriteQueue(limits);
  const reading = createQueries(connections.reader);
  const watch = file === ':memory:' ? null : watchFile(connections.writer.name, options.fileCheckMs);
  const clock = options.clock ?? (() => performance.now());
  const commit = createCommitter(connections.writer, limits, clock);
  const recoverSync = createSyncRecovery(connections);
  const random = options.random ?? Math.random;
  let draining: Promise<void> | null = null;
  let closing: Promise<void> | null = null;
  const commitNextBatch = createCommitRound(queue, commit, {
    ...options,
    log: connections.log,
    recoverSync,
    clock,
    random,
  });
  async function drain(): Promise<void> {
    while (queue.length > 0) await commitNextBatch();
    // Synchronous with the check of the queue: a job added later must start a new loop.
    draining = null;
  }
  const write: Db['write'] = (job, bytes = 0) =>
    new Promise((resolve, reject) => {
      const fileError = watch?.error() ?? null;
      if (fileError !== null) return reject(fileError);
      queue.add({ job, bytes, enqueuedAtMs: clock(), resolve, reject });
      draining ??= drain();
    });
  function unlessFileGone<T>(read: () => Promise<T>): Promise<T> {
    const fileError = watch?.error() ?? null;
    return fileError === null ? read() : Promise.reject(fileError);
  }
  return {
    dbms: 'sqlite',
    all: (sql, values) => unlessFileGone(() => reading.all(sql, values)),
    get: (sql, values) => unlessFileGone(() => reading.get(sql, values)),
    run: (sql, values) => write((tx) => tx.run(sql, values)),
    write,
    freeBytes: () => freeBytesOf(connections.writer.name),
    waiting: () => ({ jobs: queue.length, bytes: queue.bytes }),
    fileBytes: async () => ({
      main: await sizeOf(connections.writer.name),
      wal: await sizeOf(`${connections.writer.name}-wal`),
    }),
    async checkpointLog() {
      // After a turn of the event loop no transaction is open: a batch runs within one turn.
      await nextTurn();
      if (connections.writer.open && !connections.writer.inTransaction) checkpointWal(connections.writer);
    },
    close() {
      closing ??= (async () => {
        watch?.close();
        queue.close();
        await draining;
        connections.close();
      })();
      return closing;
    },
  };
}

async function freeBytesOf(file: string): Promise<number | null> {
  const disk = await statfs(dirname(file)).catch(() => null);
  return disk === null ? null : disk.bavail * disk.bsize;
}

function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Checks every `everyMs` that `path` and its WAL files are still the opened ones. */
function watchFile(path: string, everyMs = defaultFileCheckMs) {
  const files = suffixes.map((suffix) => watchOne(`${path}${suffix}`));
  let isChecking = false;
  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    for (const file of files) await file.check();
    isChecking = false;
  }
  const timer = setInterval(() => void check(), everyMs).unref();
  return {
    /** Set while the path names another file or none; else null. */
    error() {
      const index = files.findIndex((file) => file.problem() !== null);
      const problem = files[index]?.problem();
      if (problem == null) return null;
      const name =
        suffixes[index] === '' ? 'The database file' : `The file ${suffixes[index]} of the database`;
      return new StoreUnavailableError(
        `${name} is no longer the one that was opened: ${problem}. Put it back, or restart the server.`,
      );
    },
    close: () => clearInterval(timer),
  };
}

/** For a file that does not exist yet, the first one found counts as the opened one. */
function watchOne(path: string) {
  let opened = statSync(path, { bigint: true, throwIfNoEntry: false });
  let problem: string | null = null;
  return {
    problem: () => problem,
    async check(): Promise<void> {
      try {
        const found = await stat(path, { bigint: true });
        opened ??= found;
        const isOurs = found.ino === opened.ino && found.dev === opened.dev;
        problem = isOurs ? null : 'another file stands in its place';
      } catch (error) {
        // A failed stat for another reason does not mean that the file is gone.
        const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (isGone && opened !== undefined) problem = 'it was removed';
      }
    },
  };
}

interface CommitRoundOptions {
  readonly meter?: Meter | undefined;
  readonly log: WalSync;
  readonly recoverSync: () => Error | null;
  readonly clock: () => number;
  readonly random: () => number;
}

// Yields to the event loop before each batch, so that requests are read. Jobs resolve once they are on disk.
function createCommitRound(
  queue: WriteQueue,
  commit: ReturnType<typeof createCommitter>,
  { meter, log, recoverSync, clock, random }: CommitRoundOptions,
): () => Promise<void> {
  async function commitIfSynced(batch: readonly WaitingJob[]): Promise<CommitResult> {
    const syncError = recoverSync();
    if (syncError === null) return commit(batch);
    rejectAll(batch, syncError);
    return { callbacks: [], remaining: [], locked: false };
  }
  return async () => {
    await nextTurn();
    const beganAtMs = clock();
    const batch = queue.takeBatch();
    const { callbacks, remaining, locked } = await commitIfSynced(batch);
    queue.putBack(remaining);
    if (callbacks.length > 0) {
      try {
        await log.synced();
        meter?.observe('commitSeconds', [], (clock() - beganAtMs) / 1000);
        for (const callback of callbacks) callback();
      } catch (error) {
        rejectAll(batch.slice(0, callbacks.length), error as Error);
      }
    }
    if (locked) await sleep(10 + random() * 40);
  };
}

// After a failed sync frames may be lost, and SQLite reads no further: first a full checkpoint must succeed.
function createSyncRecovery({ writer, log }: Pick<SqliteConnections, 'writer' | 'log'>): () => Error | null {
  return () => {
    if (!log.hasFailed()) return null;
    try {
      checkpointWalFully(writer);
    } catch (error) {
      return toStoreError(error);
    }
    log.clearFailure();
    return null;
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
