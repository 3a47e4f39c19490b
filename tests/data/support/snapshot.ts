// Every row of every table that a project has, as text, to be held against what it is later.
import type { Db } from '../../../data/db.ts';
import { ownedTables } from '../../../data/projects/deletion.ts';

/** Table by table, in the order of the rows' own texts. Counters that number rows are no part of it. */
export async function snapshotOf(db: Db, projectId: number): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  const take = async (table: string, sql: string): Promise<void> => {
    const rows = await db.all<object>(sql, [projectId]);
    all[table] = rows.map(textOf).sort();
  };
  await take('projects', 'SELECT * FROM projects WHERE id = $1');
  for (const { table, childTables: parts = [] } of ownedTables) {
    // Made of the others, and written anew.
    if (table === 'issue_search') continue;
    await take(table, `SELECT * FROM ${table} WHERE project_id = $1`);
    for (const part of parts) {
      await take(
        part.table,
        `SELECT * FROM ${part.table} WHERE ${part.parentColumn} IN (SELECT id FROM ${table} WHERE project_id = $1)`,
      );
    }
  }
  return all;
}

function textOf(row: object): string {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ]);
  return JSON.stringify(columns);
}
