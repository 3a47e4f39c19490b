// Databases of SQLite without rows that every migration has run on. Migrating takes longer than most tests,
// so it is done once in a process, and each who wants one has a copy.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** Kept by the process: what lies below `tests/` is loaded anew for each test file. */
const kept = globalThis as { notifierMigrated?: Promise<Buffer> };

/** Writes one to `path`, whose folder is there. */
export async function writeMigratedFile(path: string): Promise<void> {
  kept.notifierMigrated ??= migrated();
  writeFileSync(path, await kept.notifierMigrated, { mode: 0o600 });
}

async function migrated(): Promise<Buffer> {
  const { openStore } = await import('../../data/open-store.ts');
  const { silentLog } = await import('../../src/program/log.ts');
  const folder = temporaryFolder();
  try {
    const path = join(folder.path, 'notifier.db');
    await (await openStore(`sqlite:${path}`, { now: () => 0, log: silentLog })).close();
    return readFileSync(path);
  } finally {
    folder.remove();
  }
}

interface ThrowAwayDatabase {
  readonly env: Record<string, string>;
  remove(): void;
}

/**
 * The address of one for a program whose environment names none. Where memory has no room for a file, and in
 * the long form, it is the program's own (D-04), which waits for no disk.
 */
export async function throwAwayDatabase(env: Record<string, string> = {}): Promise<ThrowAwayDatabase> {
  if (env['DATABASE_URL'] !== undefined) return { env: {}, remove() {} };
  const folder = temporaryFolder();
  if (!folder.isInMemory) {
    folder.remove();
    return { env: { DATABASE_URL: 'sqlite::memory:' }, remove() {} };
  }
  const path = join(folder.path, 'notifier.db');
  await writeMigratedFile(path);
  return { env: { DATABASE_URL: `sqlite:${path}` }, remove: folder.remove };
}
