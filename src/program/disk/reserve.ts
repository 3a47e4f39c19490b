// Room that is held for a bad day: a file beside a SQLite database that is given up when its disk is full, so
// that retention can write what it removes to the log, and taken again when there is room.
import { randomFillSync } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isPostgres, sqlitePath } from '../../../data/open-store.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/ports/log.ts';

/** A reserve, whether it is held or not. */
export interface ReserveFile {
  readonly path: string;
  readonly bytes: number;
  /** With less than this on the disk nothing is taken any more (DISK_RESERVE_MB). */
  readonly lowBytes: number;
}

/** What stays free of DISK_RESERVE_MB is for who works; a quarter of it is out of everybody's reach. */
const heldShare = 4;
/** SQLite's log has 4 MiB before it is folded in, and a slice of retention comes on top. */
const heldBytesMin = 8 * 1024 * 1024;
const lookMs = 2_000;
/** Looks at a disk that stays low, between two calls of whoever makes room: a minute. */
const lowLooks = 30;
const pieceBytes = 1024 * 1024;

/** The reserve that the settings ask for; null where there is none: PostgreSQL, no file, no watch. */
export function reserveOf({
  databaseUrl,
  overload,
}: Pick<Config, 'databaseUrl' | 'overload'>): ReserveFile | null {
  const lowBytes = overload.diskReserveBytes;
  if (isPostgres(databaseUrl)) return null;
  const file = sqlitePath(databaseUrl);
  if (file === ':memory:' || !overload.enabled || lowBytes === 0) return null;
  return {
    path: `${file}-reserve`,
    bytes: Math.max(heldBytesMin, Math.ceil(lowBytes / heldShare)),
    lowBytes,
  };
}

/** Gives a reserve up where its disk is full. For whoever is about to write: a start, `notifier prune`. */
export async function giveUpIfFull(reserve: ReserveFile | null): Promise<boolean> {
  if (reserve === null || !isHeld(reserve)) return false;
  const free = await freeBeside(reserve);
  if (free === null || free >= reserve.bytes) return false;
  rmSync(reserve.path, { force: true });
  return true;
}

export interface ReserveParts {
  readonly log: Log;
  /** Called when the disk is low, every minute while it is, and when the reserve was given up for it. */
  readonly onLow: () => void;
  /** What the disk has free; absent: what the system says. */
  readonly freeBytes?: () => Promise<number | null>;
}

export interface Reserve {
  /** Looks at the disk now, and gives up or takes the reserve. */
  look(): Promise<void>;
  /** Ends it; the reserve stays as it is. */
  stop(): Promise<void>;
}

/** Looks now and every two seconds, one look at a time. */
export function startReserve(reserve: ReserveFile | null, parts: ReserveParts): Reserve {
  const ended = new AbortController();
  const lookOnce = reserve === null ? async () => {} : lookerOf(reserve, parts);
  let looking = Promise.resolve();
  const look = (): Promise<void> => {
    looking = looking.then(lookOnce);
    return looking;
  };
  if (reserve === null) return { look, stop: look };
  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      await look();
      await pause(lookMs, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  }
  const running = run();
  return {
    look,
    stop() {
      ended.abort();
      return running;
    },
  };
}

function lookerOf(reserve: ReserveFile, { log, onLow, freeBytes }: ReserveParts): () => Promise<void> {
  const { path, bytes, lowBytes } = reserve;
  /** How many looks the disk was low. */
  let low = 0;
  let hasFailed = false;
  return async () => {
    const free = await (freeBytes?.() ?? freeBeside(reserve));
    if (free === null) return;
    if (free < bytes && isHeld(reserve)) {
      rmSync(path, { force: true });
      log.warn(
        { bytes, free },
        'the disk is full: the disk reserve is released so that retention can free space',
      );
      onLow();
    } else if (free < lowBytes && low % lowLooks === 0) {
      onLow();
    } else if (free >= lowBytes + bytes && !isHeld(reserve)) {
      const fault = await take(reserve);
      if (fault !== null && !hasFailed) {
        log.warn({ path, error: fault }, 'the disk reserve cannot be created');
      }
      hasFailed = fault !== null;
    }
    low = free < lowBytes ? low + 1 : 0;
  };
}

/** One that is cut, because its writer was, is none. */
function isHeld({ path, bytes }: ReserveFile): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === bytes;
}

/** Of bytes that no file system makes smaller, each of which has its place on the disk. */
async function take({ path, bytes }: ReserveFile): Promise<string | null> {
  try {
    const file = await open(path, 'w', 0o600);
    try {
      for (let written = 0; written < bytes; written += pieceBytes) {
        const piece = randomFillSync(Buffer.allocUnsafe(Math.min(pieceBytes, bytes - written)));
        await file.writeFile(piece);
      }
      await file.datasync();
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    return String(error);
  }
}

async function freeBeside({ path }: ReserveFile): Promise<number | null> {
  const disk = await statfs(dirname(path)).catch(() => null);
  return disk === null ? null : disk.bavail * disk.bsize;
}
