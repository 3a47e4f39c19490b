// Temporary SQLite databases, copied from one that is migrated once per process: migrating is slow.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** Per process: modules below tests/ are loaded per test file. */
const kept = globalThis as { notifierMigrated?: Promise<Buffer> };

export async function writeMigratedFile(path: string): Promise<void> {
  kept.notifierMigrated ??= migrated();
  writeFileSync(path, await kept.notifierMigrated, { mode: 0o600 });
}

async function migrated(): Promise<Buffer> {
  const { openStore } = await import('../../data/open-store.ts');
  const { silentLog } = await import('../../src/app/log.ts');
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

/** Empty if `env` has a DATABASE_URL; `:memory:` in the long form or without space on tmpfs. */
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
