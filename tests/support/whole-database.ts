// Compares the whole content of SQLite databases.
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';

export interface WholeDatabase {
  /** Digest of each table's rows in order, full-text tables included. */
  digests(): Record<string, string>;
  close(): void;
}

export function openWholeDatabase(path: string): WholeDatabase {
  const database = new Database(path, { readonly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all() as string[];
  const rowsOf = tables.map(
    (table) => [table, database.prepare(`SELECT * FROM "${table}"`).raw(true).safeIntegers(true)] as const,
  );
  let [version, digests]: [unknown, Record<string, string>] = [null, {}];
  return {
    digests() {
      // Changes with each commit of another connection.
      const now = database.pragma('data_version', { simple: true });
      if (now !== version) {
        digests = Object.fromEntries(rowsOf.map(([table, rows]) => [table, digestOf(rows)]));
        version = now;
      }
      return digests;
    },
    close: () => void database.close(),
  };
}

function digestOf(rows: Database.Statement): string {
  const hash = createHash('sha256');
  for (const row of rows.iterate() as Iterable<unknown[]>) {
    for (const value of row) {
      const bytes = Buffer.isBuffer(value) ? value : `${typeof value} ${String(value)}`;
      hash.update(`${bytes.length}:`).update(bytes);
    }
  }
  return hash.digest('hex');
}
