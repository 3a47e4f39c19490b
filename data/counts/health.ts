// Whether the store can keep what comes: asked by /readyz. The probe needs room, as an event does; a row that
// is only written over would go on fitting into a disk that is full.
import { randomBytes } from 'node:crypto';
import { StoreBusy, StoreUnavailable } from '../../src/core/errors.ts';
import type { Meter } from '../../src/core/ports/measures.ts';
import type { StoreHealth } from '../../src/core/store/store.ts';
import type { Db } from '../db.ts';

/** More pages than an ordinary event takes. */
const probeBytes = 64 * 1024;
/** The largest event (D-18): what must fit again after a write has failed. */
const largestBytes = 1024 * 1024;
/** Base64 of random bytes: nothing that a database could compress. */
const ballast = randomBytes((largestBytes / 4) * 3).toString('base64');

const write = `INSERT INTO meta (name, value) VALUES ('probe', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

export interface WatchedDb {
  /** The same database; whether its writes fail is noticed. */
  readonly db: Db;
  /**
   * Commits a probe, reads it back and gives its room back: 64 KiB, and 1 MiB from a failed write on until
   * that fits. Never throws: what is wrong is told as the reason. Two commits; whoever asks often keeps the
   * answer for a while.
   */
  health(nowMs: number): Promise<StoreHealth>;
}

/** Watches the writes of `db`, and says whether there will be more; what fails is counted. */
export function watchDb(db: Db, meter?: Meter): WatchedDb {
  let hasFailed = false;
  const noticed = <T>(writing: Promise<T>): Promise<T> =>
    writing.catch((error: unknown) => {
      if (error instanceof StoreUnavailable) {
        hasFailed = true;
        meter?.count('storeErrors', [codeOf(error)]);
      }
      if (error instanceof StoreBusy) meter?.count('storeBusy', []);
      throw error;
    });
  const watched: Db = {
    ...db,
    run: (sql, values) => noticed(db.run(sql, values)),
    write: (job, bytes) => noticed(db.write(job, bytes)),
  };
  return {
    db: watched,
    async health(nowMs) {
      const reason = await probe(watched, hasFailed ? largestBytes : probeBytes, nowMs);
      if (reason === null) hasFailed = false;
      return { writable: reason === null, reason };
    },
  };
}

/** The database's own word for what is wrong, such as `SQLITE_FULL`. */
function codeOf({ cause }: Error): string {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'unknown';
}

/** What is wrong, or null. */
async function probe(db: Db, bytes: number, nowMs: number): Promise<string | null> {
  try {
    const freeBytes = (await db.freeBytes?.()) ?? largestBytes;
    if (freeBytes < largestBytes) return `The disk is full: ${freeBytes} bytes are left.`;
    await db.run(write, [ballast.slice(0, bytes)]);
    await db.get("SELECT value FROM meta WHERE name = 'probe'");
    await db.run(write, [`probed at ${nowMs}`]);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
