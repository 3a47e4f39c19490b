// Where a program of the system is. Also for commands that run outside the test runner.
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The full path of a program on PATH, or in the folders that Debian keeps off it; null where there is none.
 */
export function programPath(program: string): string | null {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  for (const folder of [...path, ...foldersOffPath(path)]) {
    const full = join(folder, program);
    if (isRunnable(full)) return full;
  }
  return null;
}

function isRunnable(full: string): boolean {
  try {
    accessSync(full, constants.X_OK);
    return statSync(full).isFile();
  } catch {
    return false;
  }
}

/**
 * Servers are not on everybody's PATH, and those of PostgreSQL on nobody's: a folder for each version. A PATH
 * that leaves the system's own folder out leaves these out as well, so that a bare machine can be had by PATH
 * alone.
 */
function foldersOffPath(path: readonly string[]): string[] {
  if (!path.includes('/usr/bin')) return [];
  const postgres = '/usr/lib/postgresql';
  const versions = existsSync(postgres) ? readdirSync(postgres) : [];
  return ['/usr/sbin', '/usr/local/sbin', ...versions.map((version) => join(postgres, version, 'bin'))];
}
