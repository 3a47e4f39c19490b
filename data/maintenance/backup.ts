// Backs up a SQLite file that a server may be writing: a checked copy with a manifest, both or neither.

import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { BackupManifest } from '../../schemas/backup-manifest.ts';
import { type CheckedFile, runCopyThread } from './copy-thread.ts';
import {
  assertDiskSpace,
  MaintenanceError,
  moveIntoPlace,
  removeTemporaryFiles,
  temporaryPathOf,
  writeSynced,
} from './files.ts';

/** At most this much delays a commit: 10 ms on a disk that writes 800 MB/s. */
const stepBytes = 8 * 1024 * 1024;
/** Poll interval of the file length; a disk writes one step in about this time. */
const pollMs = 5;

/** Of each of two buffers: one is read while the other is hashed. */
const blockBytes = 1024 * 1024;

export interface BackupJob {
  readonly source: string;
  readonly target: string;
  readonly madeAt: string;
  readonly programVersion: string;
  /** Called four times a second, and at the end. */
  readonly onProgress?: (progress: { writtenBytes: number; expectedBytes: number }) => void;
  /** Called with the temporary file's name before it is written, and with null when it is gone. */
  readonly onPart?: (part: string | null) => void;
}

const progressMs = 250;

export function manifestPath(backup: string): string {
  return `${backup}.json`;
}

/** @throws {MaintenanceError} if the name is taken, space is missing or the copy is damaged; leaves nothing. */
export async function backUp(job: BackupJob): Promise<BackupManifest> {
  const { source, target } = job;
  if (existsSync(target)) throw new MaintenanceError(`${target} is there already: name a new file.`);
  if (!existsSync(source)) throw new MaintenanceError(`There is no database at ${source}.`);
  if (!existsSync(dirname(target))) throw new MaintenanceError(`There is no folder ${dirname(target)}.`);
  const expectedBytes = bytesInUse(source);
  await assertDiskSpace(target, expectedBytes);
  const part = temporaryPathOf(target);
  const manifestPart = `${part}.json`;
  job.onPart?.(part);
  const progressTimer = setInterval(() => reportProgress(job, part, expectedBytes), progressMs);
  try {
    // Created here, so that its mode is 0600 from the start.
    writeFileSync(part, '', { flag: 'wx', mode: 0o600 });
    const { checked, sha256 } = await copyChecked(source, part);
    assertIntact(checked);
    const manifest = manifestOf(job, checked, { bytes: statSync(part).size, sha256 });
    writeSynced(manifestPart, `${JSON.stringify(manifest, null, 2)}\n`);
    // Manifest first: a backup with its final name always has one.
    renameSync(manifestPart, manifestPath(target));
    moveIntoPlace(part, target);
    job.onProgress?.({ writtenBytes: manifest.bytes, expectedBytes: manifest.bytes });
    return manifest;
  } finally {
    clearInterval(progressTimer);
    removeTemporaryFiles(part);
    rmSync(manifestPart, { force: true });
    job.onPart?.(null);
  }
}

async function copyChecked(source: string, part: string): Promise<{ checked: CheckedFile; sha256: string }> {
  const flush = syncInSteps(part);
  try {
    let sha256 = '';
    const checked = await runCopyThread({ source, copy: part, counts: true }, async () => {
      await flush.end();
      sha256 = await sha256OfFile(part);
    });
    return { checked, sha256 };
  } finally {
    // If copying failed, flushing still waits for more data; the copy's error is the one to throw.
    await flush.end().catch(() => {});
  }
}

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
    throw new MaintenanceError(
      `${source} cannot be read: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

function reportProgress(job: BackupJob, part: string, expectedBytes: number): void {
  const writtenBytes = statSync(part, { throwIfNoEntry: false })?.size ?? 0;
  job.onProgress?.({ writtenBytes: Math.min(writtenBytes, expectedBytes), expectedBytes });
}

function assertIntact({ faults, schema }: CheckedFile): void {
  if (faults.length > 0) {
    throw new MaintenanceError(
      `The database is damaged, and no backup was made of it: ${faults.join('; ')}.`,
    );
  }
  if (schema.applied.length === 0) {
    throw new MaintenanceError('That is no database of this program: it has no schema_migrations.');
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

/** SHA-256 of a file in hex. Half again as fast as a stream: the next block is read while one is hashed. */
export async function sha256OfFile(path: string): Promise<string> {
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

export type SyncableFile = Pick<FileHandle, 'stat' | 'datasync' | 'sync' | 'close'>;

/** Syncs a growing file in steps while someone else writes it. */
export function syncInSteps(
  path: string,
  openFile: (path: string) => Promise<SyncableFile> = (name) => open(name, 'r+'),
) {
  let isWritten = false;
  const steps = async (file: SyncableFile): Promise<void> => {
    let flushedBytes = 0;
    while (!isWritten) {
      const { size } = await file.stat();
      if (size - flushedBytes < stepBytes) {
        await sleep(pollMs);
        continue;
      }
      await file.datasync();
      flushedBytes = size;
    }
  };
  const all = (async () => {
    const file = await openFile(path);
    try {
      // A failed sync is reported only once, later ones succeed: any failure ends it all.
      await steps(file);
      await file.sync();
    } finally {
      await file.close();
    }
  })();
  // Reported by `end`, which may be called much later.
  all.catch(() => {});
  return {
    /** Resolves when everything written is on disk; rejects if any sync failed. May be called again. */
    end() {
      isWritten = true;
      return all;
    },
  };
}
