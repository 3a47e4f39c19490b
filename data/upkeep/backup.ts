// A backup of a SQLite file that a server may be writing: a copy that is whole by itself, checked, with a
// manifest beside it. Both are there under their names, or neither is.

import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { BackupManifest } from '../../schemas/backup-manifest.ts';
import { assertRoom, dropPart, partOf, placeNew, UpkeepRefusal, writeSynced } from './files.ts';
import { type CheckedFile, runThread } from './thread.ts';

/** What a commit waits behind, at most: 10 ms of a disk that takes 800 MB a second. */
const stepBytes = 8 * 1024 * 1024;
/** Between two looks at how long the file is: a disk takes a step in about this. */
const lookMs = 5;

/** Of each of two blocks: one is read while the other is hashed. */
const blockBytes = 1024 * 1024;

export interface BackupJob {
  /** The database file. */
  readonly source: string;
  /** Where the backup is to stand. */
  readonly target: string;
  readonly madeAt: string;
  readonly programVersion: string;
  /** Called four times a second, and at the end. */
  readonly onProgress?: (progress: { writtenBytes: number; expectedBytes: number }) => void;
  /** Told the temporary name before anything is written, and null when it is gone. */
  readonly onPart?: (part: string | null) => void;
}

const progressMs = 250;

/** The manifest of a backup stands beside it. */
export function manifestPath(backup: string): string {
  return `${backup}.json`;
}

/**
 * Makes a backup and answers its manifest.
 * @throws {UpkeepRefusal} where the name is taken, room is missing, or the copy is not whole; then nothing is
 *   left behind.
 */
export async function backUp(job: BackupJob): Promise<BackupManifest> {
  const { source, target } = job;
  if (existsSync(target)) throw new UpkeepRefusal(`${target} is there already: name a new file.`);
  if (!existsSync(source)) throw new UpkeepRefusal(`There is no database at ${source}.`);
  if (!existsSync(dirname(target))) throw new UpkeepRefusal(`There is no folder ${dirname(target)}.`);
  const expectedBytes = bytesInUse(source);
  await assertRoom(target, expectedBytes);
  const part = partOf(target);
  const manifestPart = `${part}.json`;
  job.onPart?.(part);
  const look = setInterval(() => tellProgress(job, part, expectedBytes), progressMs);
  try {
    // Made by us, so that it is its owner's alone from the first byte on.
    writeFileSync(part, '', { flag: 'wx', mode: 0o600 });
    const { checked, sha256 } = await copyChecked(source, part);
    assertWhole(checked);
    const manifest = manifestOf(job, checked, { bytes: statSync(part).size, sha256 });
    writeSynced(manifestPart, `${JSON.stringify(manifest, null, 2)}\n`);
    // First the manifest: a backup that is there under its name has one.
    renameSync(manifestPart, manifestPath(target));
    placeNew(part, target);
    job.onProgress?.({ writtenBytes: manifest.bytes, expectedBytes: manifest.bytes });
    return manifest;
  } finally {
    clearInterval(look);
    dropPart(part);
    rmSync(manifestPart, { force: true });
    job.onPart?.(null);
  }
}

/** Copies, and has the copy on the disk, hashed and checked; the last two go side by side. */
async function copyChecked(source: string, part: string): Promise<{ checked: CheckedFile; sha256: string }> {
  const flush = flushInSteps(part);
  try {
    let sha256 = '';
    const checked = await runThread({ source, copy: part, counts: true }, async () => {
      await flush.end();
      sha256 = await sha256Of(part);
    });
    return { checked, sha256 };
  } finally {
    // Where the copy failed it still waits for more; its own failure was told above.
    await flush.end().catch(() => {});
  }
}

/** What a copy without free pages takes, about. */
function bytesInUse(source: string): number {
  try {
    const db = new Database(source, { readonly: true, fileMustExist: true });
    try {
      const number = (name: string): number => Number(db.pragma(name, { simple: true }));
      return (number('page_count') - number('freelist_count')) * number('page_size');
    } finally {
      db.close();
    }
  } catch (error) {
    throw new UpkeepRefusal(`${source} cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

function tellProgress(job: BackupJob, part: string, expectedBytes: number): void {
  const writtenBytes = statSync(part, { throwIfNoEntry: false })?.size ?? 0;
  job.onProgress?.({ writtenBytes: Math.min(writtenBytes, expectedBytes), expectedBytes });
}

function assertWhole({ faults, schema }: CheckedFile): void {
  if (faults.length > 0) {
    throw new UpkeepRefusal(`The database is damaged, and no backup was made of it: ${faults.join('; ')}.`);
  }
  if (schema.applied.length === 0) {
    throw new UpkeepRefusal('That is no database of this program: it has no schema_migrations.');
  }
}

function manifestOf(
  job: BackupJob,
  { sqliteVersion, schema, counts }: CheckedFile,
  { bytes, sha256 }: { bytes: number; sha256: string },
): BackupManifest {
  return {
    notifier_backup: 1,
    file: basename(job.target),
    bytes,
    sha256,
    made_at: job.madeAt,
    program_version: job.programVersion,
    sqlite_version: sqliteVersion,
    schema: schema.applied.map(({ id }) => id),
    counts,
  };
}

/**
 * Reads a file once and answers its sha256 in hexadecimal. A stream takes half as long again: it reads each
 * block into memory of its own, and reads nothing while a block is hashed.
 */
export async function sha256Of(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    let [filled, free] = [Buffer.allocUnsafeSlow(blockBytes), Buffer.allocUnsafeSlow(blockBytes)];
    let reading = file.read(filled);
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return hash.digest('hex');
      reading = file.read(free);
      hash.update(filled.subarray(0, bytesRead));
      [filled, free] = [free, filled];
    }
  } finally {
    await file.close();
  }
}

/** What of an open file is needed here. */
export type Flushable = Pick<FileHandle, 'stat' | 'datasync' | 'sync' | 'close'>;

interface SteadyFlush {
  /**
   * To be called when nothing more is written: resolves when all of it is on the disk. Rejects where the disk
   * did not take any part of it, now or before; called again it answers the same.
   */
  end(): Promise<void>;
}

/** Has what somebody else writes to the end of a file on the disk in steps, from now on. */
export function flushInSteps(
  path: string,
  openFile: (path: string) => Promise<Flushable> = (name) => open(name, 'r+'),
): SteadyFlush {
  let isWritten = false;
  const steps = async (file: Flushable): Promise<void> => {
    let flushedBytes = 0;
    while (!isWritten) {
      const { size } = await file.stat();
      if (size - flushedBytes < stepBytes) {
        await sleep(lookMs);
        continue;
      }
      await file.datasync();
      flushedBytes = size;
    }
  };
  const all = (async () => {
    const file = await openFile(path);
    try {
      // A system says once that something did not reach the disk, and the next call succeeds: what a step was
      // told ends all of it.
      await steps(file);
      await file.sync();
    } finally {
      await file.close();
    }
  })();
  // Told to whoever calls `end`, which may be much later.
  all.catch(() => {});
  return {
    end() {
      isWritten = true;
      return all;
    },
  };
}
