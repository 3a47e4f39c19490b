// SQLite by better-sqlite3: one connection that writes, one that reads, and group commit between them. The
// driver is synchronous: what it runs blocks the process, so batches are short and locks are waited for
// outside it.
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Meter } from '../../src/core/ports/measures.ts';
import type { Db } from '../db.ts';
import { watchFile } from './file-watch.ts';
import type { SyncFile } from './log-sync.ts';
import { committerOf } from './sqlite-commit.ts';
import { foldLog, openConnections } from './sqlite-connections.ts';
import { queriesOf } from './sqlite-queries.ts';
import { nextTurn, roundOf, trustIn } from './sqlite-round.ts';
import { createWriteQueue, type WriteQueueLimits, writeQueueLimits } from './write-queue.ts';

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
