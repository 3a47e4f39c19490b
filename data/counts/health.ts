// Whether the store can be written, for /readyz. The probe inserts: overwriting a row would work on a full disk.
import { randomBytes } from 'node:crypto';
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';
import type { Meter } from '../../src/core/ports/metrics.ts';
import type { StoreHealth } from '../../src/core/store/store.ts';
import type { Db } from '../db.ts';

/** More pages than an ordinary event needs. */
const probeBytes = 64 * 1024;
/** The size of the largest event: after a failed write so much must fit again. */
const largestBytes = 1024 * 1024;
const write = `INSERT INTO meta (name, value) VALUES ('probe', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

export interface WatchedDb {
  readonly db: Db;
  /** Commits a probe of 64 KiB (1 MiB after a failed write), reads it back and deletes it. Never throws. */
  health(nowMs: number): Promise<StoreHealth>;
}

export function watchDb(db: Db, meter?: Meter): WatchedDb {
  let hasFailed = false;
  const noticeFailure = <T>(writing: Promise<T>): Promise<T> =>
    writing.catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) {
        hasFailed = true;
        meter?.count('storeErrors', [codeOf(error)]);
      }
      if (error instanceof StoreBusyError) meter?.count('storeBusy', []);
      throw error;
    });
  const watchedDb: Db = {
    ...db,
    run: (sql, values) => noticeFailure(db.run(sql, values)),
    write: (job, bytes) => noticeFailure(db.write(job, bytes)),
  };
  return {
    db: watchedDb,
    async health(nowMs) {
      const reason = await probe(watchedDb, hasFailed ? largestBytes : probeBytes, nowMs);
      if (reason === null) hasFailed = false;
      return { writable: reason === null, reason };
    },
  };
}

function codeOf({ cause }: Error): string {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'unknown';
}

async function probe(db: Db, bytes: number, nowMs: number): Promise<string | null> {
  try {
    const freeBytes = (await db.freeBytes?.()) ?? largestBytes;
    if (freeBytes < largestBytes) return `The disk is full: ${freeBytes} bytes are left.`;
    // No database can compress it.
    await db.run(write, [randomBytes((bytes / 4) * 3).toString('base64')]);
    await db.get("SELECT value FROM meta WHERE name = 'probe'");
    await db.run(write, [`probed at ${nowMs}`]);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
