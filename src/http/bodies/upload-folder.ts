import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Deps } from '../../core/deps.ts';
import { createUnavailableError } from '../../core/errors.ts';
import { freeBuffer } from './free-buffer.ts';
import { logRefusedUpload } from './temporary-folder.ts';
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
