// What is said when the folder for temporary files cannot be used: at the start, and in the log while uploads
// are refused. Folders of uploads themselves are in upload-folder.ts.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deps } from '../../core/deps.ts';
import { minuteMs } from '../../core/reading/spans.ts';
import { uploadFolderPrefix } from './upload-sweep.ts';

/** As much as must fit: a disk that is full takes empty files still. */
const probe = Buffer.alloc(4096);

/**
 * Tries a folder (the system's for temporary files) as an upload would use it, and leaves nothing there.
 * Answers why no upload can be taken, in a sentence; null where one can. Never rejects.
 */
export async function temporaryFolderFault(parent = tmpdir()): Promise<string | null> {
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

/** When each reason was last told to a log, in milliseconds since 1970, and how many were not told since. */
const toldTo = new WeakMap<Deps['log'], Map<string, { atMs: number; untold: number }>>();

/**
 * Writes why an upload was refused: a line a minute for each reason, however many uploads come. `refused`
 * says how many were since the last line.
 */
export function tellRefusedUpload(deps: Pick<Deps, 'log' | 'now'>, error: unknown): void {
  const told = toldTo.get(deps.log) ?? new Map<string, { atMs: number; untold: number }>();
  toldTo.set(deps.log, told);
  const code = codeOf(error);
  const last = told.get(code);
  const nowMs = deps.now();
  // A clock that is set back keeps no line for longer.
  if (last !== undefined && Math.abs(nowMs - last.atMs) < minuteMs) {
    last.untold += 1;
    return;
  }
  told.set(code, { atMs: nowMs, untold: 0 });
  deps.log.error({ code, folder: tmpdir(), refused: 1 + (last?.untold ?? 0) }, sentenceOf(error, tmpdir()));
}

/** What to do, by the code of the system's error. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room on its disk, or set TMPDIR to a folder on another one',
  EDQUOT: 'Make room in the quota of this user, or set TMPDIR to a folder on another disk',
  EMFILE: 'Raise the limit of open files (ulimit -n, LimitNOFILE)',
  ENFILE: 'Raise the limit of open files of the system (fs.file-max)',
};

function sentenceOf(error: unknown, folder: string): string {
  const code = codeOf(error);
  const remedy = remedies[code] ?? 'Set TMPDIR to a folder that is there and that this user can write';
  return `uploads are answered 503: the folder for temporary files, ${folder}, cannot be used (${code}). ${remedy}.`;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'unknown';
}
