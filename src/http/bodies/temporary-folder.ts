import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deps } from '../../core/deps.ts';
import { minuteMs } from '../../core/parsing/durations.ts';
import { uploadFolderPrefix } from './upload-sweep.ts';

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

const toldTo = new WeakMap<Deps['log'], Map<string, { atMs: number; untold: number }>>();

/** At most one line a minute per error code; `refused` counts the uploads since the last line. */
export function logRefusedUpload(deps: Pick<Deps, 'log' | 'now'>, error: unknown): void {
  const logged = toldTo.get(deps.log) ?? new Map<string, { atMs: number; untold: number }>();
  toldTo.set(deps.log, logged);
  const code = codeOf(error);
  const last = logged.get(code);
  const nowMs = deps.now();
  // The clock may be set back.
  if (last !== undefined && Math.abs(nowMs - last.atMs) < minuteMs) {
    last.untold += 1;
    return;
  }
  logged.set(code, { atMs: nowMs, untold: 0 });
  deps.log.error({ code, folder: tmpdir(), refused: 1 + (last?.untold ?? 0) }, sentenceOf(error, tmpdir()));
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
