// Restores a backup where there is no database: copies, hashes and checks it under a temporary name first.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { type BackupManifest, backupManifest } from '../../schemas/backup-manifest.ts';
import { createFolder } from '../drivers/sqlite-file.ts';
import { findSchemaProblem } from '../migrate.ts';
import { manifestPath } from './backup.ts';
import { type CheckedFile, runCopyThread } from './copy-thread.ts';
import {
  assertDiskSpace,
  MaintenanceError,
  moveIntoPlace,
  removeTemporaryFiles,
  syncPath,
  temporaryPathOf,
} from './files.ts';

export interface RestoreJob {
  readonly backup: string;
  readonly target: string;
  /** Accept a backup without a manifest, such as a copy from before a migration. */
  readonly withoutManifest: boolean;
  readonly onProgress?: (progress: { writtenBytes: number; expectedBytes: number }) => void;
  readonly onPart?: (part: string | null) => void;
}

export type Restored = Awaited<ReturnType<typeof restore>>;

const manifestBytesMax = 4 * 1024 * 1024;

/** @throws {MaintenanceError} if the target has data or the backup is damaged, altered or newer. */
export async function restore(job: RestoreJob) {
  const { backup, target } = job;
  const manifest = job.withoutManifest ? null : readManifest(backup);
  const bytes = inspectBackup(backup, manifest);
  assertEmpty(target);
  createFolder(dirname(target));
  await assertDiskSpace(target, bytes);
  const part = temporaryPathOf(target);
  job.onPart?.(part);
  try {
    const sha256 = await copyHashing(job, part, bytes);
    if (manifest !== null && sha256 !== manifest.sha256) {
      throw new MaintenanceError(
        `${backup} is not the file that ${manifestPath(backup)} speaks of: its sha256 is ${sha256}.`,
      );
    }
    const checked = await runCopyThread({ source: null, copy: part, counts: true }, async () => {});
    assertRestorable(backup, checked, manifest);
    // Opening a copy from before a migration, which is in WAL mode, leaves WAL files.
    dropLogs(part);
    syncPath(part);
    assertEmpty(target);
    if (existsSync(target)) {
      renameSync(part, target);
      syncPath(dirname(target));
    } else {
      moveIntoPlace(part, target);
    }
    return { manifest, bytes, counts: checked.counts, missing: checked.schema.missing };
  } finally {
    removeTemporaryFiles(part);
    job.onPart?.(null);
  }
}

function readManifest(backup: string): BackupManifest {
  const path = manifestPath(backup);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new MaintenanceError(
      `There is no ${path}, so nothing says whether the backup is whole: put it beside the backup, or say --without-manifest.`,
    );
  }
  if (found.size > manifestBytesMax) throw new MaintenanceError(`${path} is no manifest of a backup.`);
  try {
    return backupManifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new MaintenanceError(`${path} is no manifest of a backup, or one of a newer program.`);
  }
}

function inspectBackup(backup: string, manifest: BackupManifest | null): number {
  const found = statSync(backup, { throwIfNoEntry: false });
  if (found === undefined) throw new MaintenanceError(`There is no ${backup}.`);
  if (!found.isFile()) throw new MaintenanceError(`${backup} is no regular file.`);
  if (sizeOf(`${backup}-wal`) > 0) {
    throw new MaintenanceError(
      `${backup}-wal holds what ${backup} does not: that is a database in use, or a copy of one, and no backup.`,
    );
  }
  if (manifest !== null && found.size !== manifest.bytes) {
    throw new MaintenanceError(
      `${backup} has ${found.size} bytes, and its manifest says ${manifest.bytes}: it is not whole.`,
    );
  }
  return found.size;
}

/** The target may be missing, empty or without tables, and have no log, which SQLite would replay. */
function assertEmpty(target: string): void {
  for (const tail of ['-wal', '-journal']) {
    if (sizeOf(`${target}${tail}`) > 0) {
      throw new MaintenanceError(
        `${target}${tail} is the log of a database: what is in it would be lost. Move it away with its database.`,
      );
    }
  }
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && found.size === 0)) return;
  if (!found.isFile()) throw new MaintenanceError(`${target} is no regular file.`);
  if (tablesIn(target) > 0) {
    throw new MaintenanceError(
      `${target} is not empty: name a new file in DATABASE_URL, or move the old one away with its -wal and -shm.`,
    );
  }
}

function tablesIn(file: string): number {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      return Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
    } finally {
      db.close();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new MaintenanceError(`${file} holds something that cannot be read (${message}): move it away.`);
  }
}

async function copyHashing(job: RestoreJob, part: string, expectedBytes: number): Promise<string> {
  const hash = createHash('sha256');
  let writtenBytes = 0;
  const hashingStream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      writtenBytes += chunk.length;
      job.onProgress?.({ writtenBytes, expectedBytes });
      done(null, chunk);
    },
  });
  await pipeline(
    createReadStream(job.backup, { highWaterMark: 1024 * 1024 }),
    hashingStream,
    createWriteStream(part, { flags: 'wx', mode: 0o600 }),
  );
  return hash.digest('hex');
}

function assertRestorable(
  backup: string,
  { faults, schema, counts }: CheckedFile,
  manifest: BackupManifest | null,
): void {
  if (faults.length > 0) throw new MaintenanceError(`${backup} is damaged: ${faults.join('; ')}.`);
  if (schema.applied.length === 0) throw new MaintenanceError(`${backup} is no database of this program.`);
  const problem = findSchemaProblem(schema, backup);
  if (problem !== null) throw new MaintenanceError(`${problem} Restore it with the version that made it.`);
  for (const [name, count] of Object.entries(manifest?.counts ?? {})) {
    if (counts[name] === undefined || counts[name] === count) continue;
    throw new MaintenanceError(`${backup} holds ${counts[name]} ${name}, and its manifest says ${count}.`);
  }
}

function dropLogs(part: string): void {
  for (const tail of ['-wal', '-shm']) rmSync(`${part}${tail}`, { force: true });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
