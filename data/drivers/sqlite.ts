// SQLite by better-sqlite3: one connection that writes, one that reads, and group commit between them. The
// driver is synchronous: what it runs blocks the process, so batches are short and locks are waited for
// outside it.

import { statSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/core/errors.ts';
import type { Meter } from '../../src/core/ports/measures.ts';
import type { Db } from '../db.ts';
import type { LogSync, SyncFile } from './log-sync.ts';
import { type Committed, committerOf, rejectAll } from './sqlite-commit.ts';
import { foldLog, foldWholeLog, openConnections, type SqliteConnections } from './sqlite-connections.ts';
import { namedFailure, queriesOf } from './sqlite-queries.ts';
import {
  createWriteQueue,
  type WaitingJob,
  type WriteQueue,
  type WriteQueueLimits,
  writeQueueLimits,
} from './write-queue.ts';

interface FileWatch {
  /** From when the path was seen to name another file, or none, until it names ours again; else null. */
  fault(): StoreUnavailable | null;
  close(): void;
}

/** With the look itself this is noticed within two seconds. */
const usualEveryMs = 1_000;

/** The file itself, what was written and not moved into it yet, and who reads of that how far. */
const suffixes = ['', '-wal', '-shm'] as const;

export interface SqliteOptions {
  readonly limits?: Partial<WriteQueueLimits>;
  /** 0 to below 1, for the jitter of waits. */
  readonly random?: () => number;
  /** Milliseconds that only go forward. */
  readonly clock?: () => number;
  /** Whether a file that holds the tables of another program is refused, untouched. */
  readonly onlyOurs?: boolean;
  /** Whether commits do not wait for the disk: of a file that is made anew when the machine stops. */
  readonly isUnsynced?: boolean | undefined;
  /** Told how long each transaction took. */
  readonly meter?: Meter | undefined;
  /** How the disk is asked for its word; absent: as Node does it. */
  readonly syncFile?: SyncFile | undefined;
  /** How often it is looked whether the file is still there; a second unless said. */
  readonly fileLookMs?: number | undefined;
}

/**
 * Opens `file` (made with its folder when absent; `:memory:` is a throw-away file, D-04).
 * @throws when the library is older than 3.51.3 or a setting does not hold when read back.
 */
export function openSqlite(file: string, options: SqliteOptions = {}): Db {
  const limits = { ...writeQueueLimits, ...options.limits };
  const { onlyOurs = false, isUnsynced = file === ':memory:', syncFile } = options;
  const connections = openConnections(file, { onlyOurs, isUnsynced, syncFile });
  const queue = createWriteQueue(limits);
  const reading = queriesOf(connections.reader);
  const watch = file === ':memory:' ? null : watchFile(connections.writer.name, options.fileLookMs);
  const clock = options.clock ?? (() => performance.now());
  const commit = committerOf(connections.writer, limits, clock);
  const restoreTrust = trustIn(connections);
  const random = options.random ?? Math.random;
  let working: Promise<void> | null = null;
  let closing: Promise<void> | null = null;
  const round = roundOf(queue, commit, { ...options, log: connections.log, restoreTrust, clock, random });
  async function work(): Promise<void> {
    while (queue.length > 0) await round();
    // In the same step as the look at the queue: a job added a moment later must find nobody at work.
    working = null;
  }
  const write: Db['write'] = (job, bytes = 0) =>
    new Promise((resolve, reject) => {
      const fault = watch?.fault() ?? null;
      if (fault !== null) return reject(fault);
      queue.add({ job, bytes, enqueuedAtMs: clock(), resolve, reject });
      working ??= work();
    });
  function unlessGone<T>(read: () => Promise<T>): Promise<T> {
    const fault = watch?.fault() ?? null;
    return fault === null ? read() : Promise.reject(fault);
  }
  return {
    dbms: 'sqlite',
    all: (sql, values) => unlessGone(() => reading.all(sql, values)),
    get: (sql, values) => unlessGone(() => reading.get(sql, values)),
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
        watch?.close();
        queue.close();
        await working;
        connections.close();
      })();
      return closing;
    },
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

/** Looks at `path`, which is open, and at the files beside it, every `everyMs`. */
function watchFile(path: string, everyMs = usualEveryMs): FileWatch {
  const files = suffixes.map((suffix) => watchOne(`${path}${suffix}`));
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    for (const file of files) await file.look();
    isLooking = false;
  }
  const timer = setInterval(() => void look(), everyMs).unref();
  return {
    fault() {
      const at = files.findIndex((file) => file.fault() !== null);
      const fault = files[at]?.fault();
      if (fault == null) return null;
      const name = suffixes[at] === '' ? 'The database file' : `The file ${suffixes[at]} of the database`;
      return new StoreUnavailable(
        `${name} is no longer the one that was opened: ${fault}. Put it back, or restart the server.`,
      );
    },
    close: () => clearInterval(timer),
  };
}

/** One file; what is made later is known from the first look that finds it. */
function watchOne(path: string) {
  let opened = statSync(path, { bigint: true, throwIfNoEntry: false });
  let fault: string | null = null;
  return {
    fault: () => fault,
    async look(): Promise<void> {
      try {
        const found = await stat(path, { bigint: true });
        opened ??= found;
        const isOurs = found.ino === opened.ino && found.dev === opened.dev;
        fault = isOurs ? null : 'another file stands in its place';
      } catch (error) {
        // What cannot be looked at may be there all the same.
        const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (isGone && opened !== undefined) fault = 'it was removed';
      }
    },
  };
}

interface RoundParts {
  readonly meter?: Meter | undefined;
  readonly log: LogSync;
  readonly restoreTrust: () => Error | null;
  readonly clock: () => number;
  readonly random: () => number;
}

/**
 * One batch of the queue: committed, and answered when it is on the disk. Between two of them the process
 * turns, so that requests are read and gather; while the disk is waited for this thread goes on.
 */
function roundOf(
  queue: WriteQueue,
  commit: ReturnType<typeof committerOf>,
  { meter, log, restoreTrust, clock, random }: RoundParts,
): () => Promise<void> {
  async function commitInTrust(batch: readonly WaitingJob[]): Promise<Committed> {
    const doubt = restoreTrust();
    if (doubt === null) return commit(batch);
    rejectAll(batch, doubt);
    return { answers: [], left: [], locked: false };
  }
  return async () => {
    await nextTurn();
    const beganAtMs = clock();
    const batch = queue.takeBatch();
    const { answers, left, locked } = await commitInTrust(batch);
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

/**
 * Once the disk has refused its word nothing is written behind what may be lost, for the log is read only as
 * far as it is whole: first all of it has to be in the file. Answers why that cannot be done now, else null.
 */
function trustIn({ writer, log }: Pick<SqliteConnections, 'writer' | 'log'>): () => Error | null {
  return () => {
    if (!log.isInDoubt()) return null;
    try {
      foldWholeLog(writer);
    } catch (error) {
      return namedFailure(error);
    }
    log.trust();
    return null;
  };
}

/** Resolves when the process has turned once. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
