// The files and the disk of an installation, looked at for `doctor`.
import { readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { secretNames } from '../../core/config/settings.ts';
import type { DiskFacts, FileFacts, PathFacts } from '../../core/doctor/facts.ts';

/** What lies at and beside the file of a database, and the disk below it. */
export function lookAtFiles(file: string): FileFacts {
  const folder = dirname(file);
  const present = (path: string): PathFacts[] => {
    const facts = factsOf(path);
    return facts === null ? [] : [facts];
  };
  const name = basename(file);
  return {
    file: factsOf(file),
    beside: [`${file}-wal`, `${file}-shm`].flatMap(present),
    folder: factsOf(folder),
    leftovers: namesIn(folder)
      .filter((each) => each.startsWith(`${name}.before-`) || isPart(each))
      .filter((each) => !/-(wal|shm)$/.test(each))
      .map((each) => join(folder, each))
      .flatMap(present),
    disk: diskOf(folder),
  };
}

/** What a backup or a restore that was killed leaves: `NAME.PROCESS.RANDOM.part`. */
function isPart(name: string): boolean {
  return /\.\d+\.[0-9a-f]{8}\.part$/.test(name);
}

/** Files that hold secrets: those that settings name, and `.env` where it has one. */
export function lookAtSecrets(env: Readonly<Record<string, string | undefined>>): PathFacts[] {
  const named = secretNames.map((name) => env[`${name}_FILE`]).filter((path) => path !== undefined);
  if (holdsSecret('.env')) named.push(resolve('.env'));
  return named.flatMap((path) => factsOf(path) ?? []).filter(({ mode }) => isRegular(mode));
}

function holdsSecret(path: string): boolean {
  try {
    const said = readFileSync(path, 'utf8');
    return /^\s*(?:NOTIFIER_SECRET_KEY|NOTIFIER_ADMIN_TOKEN|REDIS_URL|DATABASE_URL=["']?postgres)/m.test(
      said,
    );
  } catch {
    return false;
  }
}

const fileTypeBits = 0o170000;
const regularFile = 0o100000;

/** Not what a shell's <(…) makes. */
function isRegular(mode: number): boolean {
  return (mode & fileTypeBits) === regularFile;
}

function factsOf(path: string): PathFacts | null {
  try {
    const { size, mode, uid, mtimeMs } = statSync(path);
    return { path, bytes: size, mode, uid, modifiedAtMs: mtimeMs };
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function diskOf(folder: string): DiskFacts | null {
  try {
    const { bavail, blocks, bsize, files, ffree, type } = statfsSync(folder);
    return {
      path: folder,
      freeBytes: bavail * bsize,
      allBytes: blocks * bsize,
      freeFilesShare: files === 0 ? null : ffree / files,
      type,
    };
  } catch {
    return null;
  }
}
