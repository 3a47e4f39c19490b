// Temporary SQLite databases, copied from one that is migrated once per process: migrating is slow.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** One in a folder of its own; where `env` names a file, that file, migrated if there is none. */
export async function throwAwayDatabase(env: Record<string, string> = {}): Promise<ThrowAwayDatabase> {
  const named = env['DATABASE_URL'];
  if (named !== undefined) {
    const file = /^sqlite:(\/.*)/.exec(named)?.[1];
    if (file !== undefined && !existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      await writeMigratedFile(file);
    }
    return { env: {}, remove() {} };
  }
  const folder = temporaryFolder();
  const path = join(folder.path, 'notifier.db');
  await writeMigratedFile(path);
  return { env: { DATABASE_URL: `sqlite:${path}` }, remove: folder.remove };
}
