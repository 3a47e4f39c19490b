import { hash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs } from '../../core/parsing/durations.ts';

const common = 'notifier-upload-';

const forgottenMs = hourMs;

/** Machine (or container), process id and start time, so that a reused process id is recognized. */
export function uploadFolderPrefix(): string {
  return `${common}${hostHash()}-${process.pid}-${startOf(process.pid) ?? 0}-`;
}

/** Removes folders of ended processes, or after an hour without changes if that is unknown. Folders of other users
 * stay. Returns the number removed; never rejects. */
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
  if (owner?.[1] === hostHash()) return !isLiving(Number(owner[2]), Number(owner[3]));
  return nowMs - (await lastChangedMs(path, found.mtimeMs)) > forgottenMs;
}

async function lastChangedMs(path: string, folderMovedMs: number): Promise<number> {
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

/** Host name and PID namespace, since containers have their own. */
function hostHash(): string {
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: one PID namespace.
  }
  return hash('sha256', `${hostname()} ${space}`).slice(0, 8);
}

function isLiving(pid: number, startedAt: number): boolean {
  if (hasProcesses()) return startOf(pid) === startedAt;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hasProcesses(): boolean {
  return lstatSync('/proc/self/stat', { throwIfNoEntry: false }) !== undefined;
}

/** Start time in clock ticks since boot (field 22 of /proc/PID/stat); null if there is no such process. */
function startOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is in parentheses and may hold blanks and parentheses.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    return Number.isSafeInteger(ticks) ? ticks : null;
  } catch {
    return null;
  }
}
