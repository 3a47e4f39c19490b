import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { level } from './test-level.ts';

/**
 * Searches PATH and Debian's folders for servers; null if not found. Throws in a test of `npm test`, which has
 * the same tests whatever is installed.
 */
export function programPath(program: string): string | null {
  if (level === 'short' && process.env['JEST_WORKER_ID'] !== undefined) {
    throw new Error(`a test of npm test depends on whether ${program} is installed`);
  }
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

/** Only if PATH has /usr/bin, so that tests can simulate a bare system by PATH. */
function foldersOffPath(path: readonly string[]): string[] {
  if (!path.includes('/usr/bin')) return [];
  const postgres = '/usr/lib/postgresql';
  const versions = existsSync(postgres) ? readdirSync(postgres) : [];
  return ['/usr/sbin', '/usr/local/sbin', ...versions.map((version) => join(postgres, version, 'bin'))];
}
