// Where a program of the system is. Also for commands that run outside the test runner.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The full path of a program on PATH (or in /usr/sbin), or null. */
export function programPath(program: string): string | null {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const folders = [...path, '/usr/sbin', '/usr/local/sbin', ...postgresFolders()];
  for (const folder of folders) {
    const full = join(folder, program);
    try {
      accessSync(full, constants.X_OK);
      return full;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** Debian keeps the programs of a PostgreSQL server off PATH, a folder for each version. */
function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  return readdirSync(root).map((version) => join(root, version, 'bin'));
}
