// Folders of uploads that a process left behind which was killed: told from those of a living one by their
// names.
import { hash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs } from '../../core/reading/spans.ts';

const common = 'notifier-upload-';

/** No upload takes this long: a folder in which nothing moved for an hour is nobody's, whoever made it. */
const forgottenMs = hourMs;

/**
 * How the names of this process's upload folders begin: the machine (or container), the process and when it
 * began, so that a number that is given anew is not mistaken for the process that had it before.
 */
export function uploadFolderPrefix(): string {
  return `${common}${place()}-${process.pid}-${startOf(process.pid) ?? 0}-`;
}

/**
 * Removes the upload folders of ended processes from `folder` (the system's temporary one): at once where the
 * process can be looked for, otherwise when nothing in them moved for an hour. Those of living processes, and
 * what belongs to other users, stay. Answers how many went. Never rejects.
 */
export async function sweepUploadFolders(nowMs: number, folder = tmpdir()): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names) {
    if (!name.startsWith(common)) continue;
    const path = join(folder, name);
    if (await isOver(name, path, nowMs)) removed += Number(await removeFolder(path));
  }
  return removed;
}

async function isOver(name: string, path: string, nowMs: number): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  const isOurs = found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
  if (!isOurs) return false;
  const owner = /^([0-9a-f]{8})-(\d{1,10})-(\d{1,20})-[^-]+$/.exec(name.slice(common.length));
  if (owner?.[1] === place()) return !isLiving(Number(owner[2]), Number(owner[3]));
  return nowMs - (await lastMoved(path, found.mtimeMs)) > forgottenMs;
}

/** The last change of a folder or of a file in it, in milliseconds since 1970. */
async function lastMoved(path: string, folderMovedMs: number): Promise<number> {
  const names = await readdir(path).catch(() => []);
  const moved = names.map((name) =>
    lstat(join(path, name))
      .then((found) => found.mtimeMs)
      .catch(() => 0),
  );
  return Math.max(folderMovedMs, ...(await Promise.all(moved)));
}

async function removeFolder(path: string): Promise<boolean> {
  return rm(path, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
}

/** The machine and, where there are such, the space of process numbers: a container has its own. */
function place(): string {
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Another system than Linux: one space of numbers for all.
  }
  return hash('sha256', `${hostname()} ${space}`).slice(0, 8);
}

function isLiving(pid: number, startedAt: number): boolean {
  if (hasProcesses()) return startOf(pid) === startedAt;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hasProcesses(): boolean {
  return lstatSync('/proc/self/stat', { throwIfNoEntry: false }) !== undefined;
}

/** When a process began, in ticks since the system did (field 22 of its `stat`); null where there is none. */
function startOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is a name in parentheses, which may hold blanks and parentheses itself.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    return Number.isSafeInteger(ticks) ? ticks : null;
  } catch {
    return null;
  }
}
