// What a database is: the version of its library, and how much room its files take and the disk has.
import type { StoreFigures } from '../src/core/store/store.ts';
import type { Db } from './db.ts';

const sqliteVersion = 'SELECT sqlite_version() AS version';

/** Reads the figures of an open database; the version of its library, which stays as it is, once. */
export function figuresReader(db: Db): () => Promise<StoreFigures> {
  let version: Promise<string | null> | null = null;
  return () => {
    version ??= versionOf(db).catch((error: unknown) => {
      version = null;
      throw error;
    });
    return figuresOf(db, version);
  };
}

async function versionOf(db: Db): Promise<string | null> {
  if (db.dbms !== 'sqlite') return null;
  return (await db.get<{ version: string }>(sqliteVersion))?.version ?? null;
}

async function figuresOf(db: Db, version: Promise<string | null>): Promise<StoreFigures> {
  const [free, files] = await Promise.all([db.freeBytes?.() ?? null, db.fileBytes?.() ?? null]);
  return {
    sqliteVersion: await version,
    freeBytes: free,
    mainBytes: files?.main ?? null,
    walBytes: files?.wal ?? null,
  };
}
