// Disk space held beside a SQLite file: freed on a full disk, so that retention can write, then taken again.
import { randomFillSync } from 'node:crypto';
import { existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isPostgresUrl, sqlitePath } from '../../data/open-store.ts';
import type { Config } from '../core/config/config.ts';
import { type Env, readTextSetting } from '../core/config/parse-values.ts';
import type { Log } from '../core/ports/log.ts';

export type ReserveFile = NonNullable<ReturnType<typeof reserveFromConfig>>;

/** The file takes 1/heldShare of DISK_RESERVE_MB. */
const heldShare = 4;
/** SQLite's WAL grows to 4 MiB before a checkpoint, and a batch of retention comes on top. */
const heldBytesMin = 8 * 1024 * 1024;
const lookMs = 2_000;
/** `onLow` is called again after this many checks on a low disk: a minute. */
const lowChecks = 30;
const pieceBytes = 1024 * 1024;

/** Null on PostgreSQL, for `:memory:`, with OVERLOAD=off, and with DISK_RESERVE_MB=0. */
export function reserveFromConfig({ databaseUrl, overload }: Pick<Config, 'databaseUrl' | 'overload'>) {
  const lowBytes = overload.diskReserveBytes;
  if (isPostgresUrl(databaseUrl)) return null;
  const file = sqlitePath(databaseUrl);
  if (file === ':memory:' || !overload.enabled || lowBytes === 0) return null;
  return {
    path: `${file}-reserve`,
    bytes: Math.max(heldBytesMin, Math.ceil(lowBytes / heldShare)),
    /** With less free space, events are refused (DISK_RESERVE_MB). */
    lowBytes,
  };
}

/** Deletes the reserve if the disk is full, before a start or `notifier prune` writes. */
export async function releaseReserveIfFull(reserve: ReserveFile | null): Promise<boolean> {
  if (reserve === null || !isHeld(reserve)) return false;
  const free = await measureFreeBytes(reserve);
  if (free === null || free >= reserve.bytes) return false;
  rmSync(reserve.path, { force: true });
  return true;
}

interface ReserveOptions {
  readonly log: Log;
  /** Called when the disk is low, every minute while it is, and when the reserve was deleted. */
  readonly onLow: () => void;
  readonly freeBytes?: () => Promise<number | null>;
}

export function startReserve(reserve: ReserveFile | null, options: ReserveOptions) {
  const ended = new AbortController();
  const checkOnce = reserve === null ? async () => {} : createCheck(reserve, options);
  let lastCheck = Promise.resolve();
  const check = (): Promise<void> => {
    lastCheck = lastCheck.then(checkOnce);
    return lastCheck;
  };
  if (reserve === null) return { check, stop: check };
  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      await check();
      await pause(lookMs, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  }
  const running = run();
  return {
    check,
    stop() {
      ended.abort();
      return running;
    },
  };
}

function createCheck(reserve: ReserveFile, { log, onLow, freeBytes }: ReserveOptions): () => Promise<void> {
  const { path, bytes, lowBytes } = reserve;
  let low = 0;
  let hasFailed = false;
  return async () => {
    const free = await (freeBytes?.() ?? measureFreeBytes(reserve));
    if (free === null) return;
    if (free < bytes && isHeld(reserve)) {
      rmSync(path, { force: true });
      log.warn(
        { bytes, free },
        'the disk is full: the disk reserve is released so that retention can free space',
      );
      onLow();
    } else if (free < lowBytes && low % lowChecks === 0) {
      onLow();
    } else if (free >= lowBytes + bytes && !isHeld(reserve)) {
      const problem = await take(reserve);
      if (problem !== null && !hasFailed) {
        log.warn({ path, error: problem }, 'the disk reserve cannot be created');
      }
      hasFailed = problem !== null;
    }
    low = free < lowBytes ? low + 1 : 0;
  };
}

/** A partly written file does not count. */
function isHeld({ path, bytes }: ReserveFile): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === bytes;
}

/** Random bytes, so that no file system compresses them. */
async function take({ path, bytes }: ReserveFile): Promise<string | null> {
  try {
    const file = await open(path, 'w', 0o600);
    try {
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (let written = 0; written < bytes; written += pieceBytes) {
        await file.writeFile(randomFillSync(piece).subarray(0, bytes - written));
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

async function measureFreeBytes({ path }: ReserveFile): Promise<number | null> {
  const disk = await statfs(dirname(path)).catch(() => null);
  return disk === null ? null : disk.bavail * disk.bsize;
}

/** Limits the default of RETENTION_BYTES_PER_PROJECT to a quarter of the SQLite file's disk. */
export function limitQuotaToDisk(config: Config, env: Env, diskBytes = sizeOfDisk): Config {
  const { databaseUrl, retention } = config;
  if (readTextSetting(env, 'RETENTION_BYTES_PER_PROJECT') !== undefined || isPostgresUrl(databaseUrl))
    return config;
  const file = sqlitePath(databaseUrl);
  const disk = file === ':memory:' ? null : diskBytes(file);
  if (disk === null) return config;
  return { ...config, retention: { ...retention, bytes: Math.min(retention.bytes, Math.floor(disk / 4)) } };
}

function sizeOfDisk(file: string): number | null {
  let folder = dirname(resolve(file));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    const { blocks, bsize } = statfsSync(folder);
    return blocks * bsize;
  } catch {
    return null;
  }
}
