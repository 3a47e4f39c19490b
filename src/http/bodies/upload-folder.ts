import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Deps } from '../../core/deps.ts';
import { createUnavailableError } from '../../core/errors.ts';
import { minuteMs } from '../../core/parsing/durations.ts';
import { freeBuffer } from './free-buffer.ts';
import { uploadFolderPrefix } from './upload-sweep.ts';

export class TooManyBytes extends Error {}

export interface UploadFolder {
  readonly path: string;
  /** Throws TooManyBytes past `bytesMax`, and what the stream throws. The name is never the client's. */
  write(stream: Readable, bytesMax: number): Promise<{ path: string; size: number }>;
  remove(path: string): Promise<void>;
  dispose(): Promise<void>;
}

/** Removes the folder after the job. Throws 503, with the reason in the log, on disk errors. */
export async function withUploadFolder<T>(
  deps: Pick<Deps, 'log' | 'now'>,
  job: (folder: UploadFolder) => Promise<T>,
): Promise<T> {
  const refused = (error: unknown): Error => {
    logRefusedUpload(deps, error);
    return createUnavailableError();
  };
  const folder = await openUploadFolder().catch((error: unknown) => {
    throw refused(error);
  });
  try {
    return await job(folder);
  } catch (error) {
    throw isDiskFault(error) ? refused(error) : error;
  } finally {
    // The result counts even if the folder cannot be removed; the next sweep tries again.
    await folder.dispose().catch(() => {});
  }
}

const diskFaults: ReadonlySet<string | undefined> = new Set(
  'ENOSPC EDQUOT EROFS EIO EMFILE ENFILE'.split(' '),
);

function isDiskFault(error: unknown): boolean {
  return error instanceof Error && diskFaults.has((error as NodeJS.ErrnoException).code);
}

async function openUploadFolder(): Promise<UploadFolder> {
  const folder = await mkdtemp(join(tmpdir(), uploadFolderPrefix()));
  let files = 0;
  return {
    path: folder,
    async write(stream, bytesMax) {
      files += 1;
      const path = join(folder, `file-${files}`);
      await using file = await open(path, 'wx', 0o600);
      let size = 0;
      for await (const piece of stream as AsyncIterable<Buffer>) {
        size += piece.length;
        if (size > bytesMax) throw new TooManyBytes();
        await file.writeFile(piece);
        freeBuffer(piece);
      }
      return { path, size };
    },
    remove: (path) => rm(path, { force: true }),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Not empty, because a full disk still accepts empty files. */
const probe = Buffer.alloc(4096);

/** Tries what an upload does in the folder. Returns the reason why uploads fail, or null. Never rejects. */
export async function checkTemporaryFolder(parent = tmpdir()): Promise<string | null> {
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(parent, uploadFolderPrefix()));
    await writeFile(join(folder, 'file'), probe);
    return null;
  } catch (error) {
    return sentenceOf(error, parent);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

const logTimes = new WeakMap<Deps['log'], Map<string, { atMs: number; unlogged: number }>>();

/** At most one line a minute per error code; `refused` counts the uploads since the last line. */
export function logRefusedUpload(deps: Pick<Deps, 'log' | 'now'>, error: unknown): void {
  const logged = logTimes.get(deps.log) ?? new Map<string, { atMs: number; unlogged: number }>();
  logTimes.set(deps.log, logged);
  const code = codeOf(error);
  const last = logged.get(code);
  const nowMs = deps.now();
  // The clock may be set back.
  if (last !== undefined && Math.abs(nowMs - last.atMs) < minuteMs) {
    last.unlogged += 1;
    return;
  }
  logged.set(code, { atMs: nowMs, unlogged: 0 });
  deps.log.error({ code, folder: tmpdir(), refused: 1 + (last?.unlogged ?? 0) }, sentenceOf(error, tmpdir()));
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'Free space on its disk, or set TMPDIR to a folder on another disk',
  EDQUOT: 'Free space in the quota of this user, or set TMPDIR to a folder on another disk',
  EMFILE: 'Raise the limit of open files (ulimit -n, LimitNOFILE)',
  ENFILE: 'Raise the limit of open files of the system (fs.file-max)',
};

function sentenceOf(error: unknown, folder: string): string {
  const code = codeOf(error);
  const remedy = remedies[code] ?? 'Set TMPDIR to an existing folder that this user can write to';
  return `uploads are refused with 503, because the temporary folder ${folder} cannot be used (${code}). ${remedy}.`;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'unknown';
}
