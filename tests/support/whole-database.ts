// All that a database of SQLite holds, table by table: for tests of what must change nothing.
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';

/**
 * A digest of the rows of each table by its name, those of full-text indexes included. Two that are equal
 * hold the same rows in the same order.
 */
export function wholeDatabase(path: string): Record<string, string> {
  const database = new Database(path, { readonly: true });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all() as string[];
    return Object.fromEntries(tables.map((table) => [table, digestOf(database, table)]));
  } finally {
    database.close();
  }
}

function digestOf(database: Database.Database, table: string): string {
  const hash = createHash('sha256');
  const rows = database.prepare(`SELECT * FROM "${table}"`).raw(true).safeIntegers(true);
  for (const row of rows.iterate() as Iterable<unknown[]>) {
    for (const value of row) {
      const bytes = Buffer.isBuffer(value) ? value : Buffer.from(`${typeof value} ${String(value)}`);
      hash.update(`${bytes.length}:`).update(bytes);
    }
  }
  return hash.digest('hex');
}
