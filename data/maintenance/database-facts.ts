import type { Query } from '../db.ts';
import { compareSchema, findSchemaProblem, programMigrations, type SchemaState } from '../migrate.ts';

export interface ReadOnlyDb extends Pick<Query, 'all' | 'get'> {
  readonly dbms: 'sqlite' | 'postgres';
}

const counted = {
  projects: 'projects',
  keys: 'project_keys',
  domains: 'domains',
  issues: 'issues',
  events: 'events',
  attachments: 'event_attachments',
  feedback: 'feedback',
  releases: 'releases',
  deploys: 'deploys',
  test_runs: 'test_runs',
  artifacts: 'artifacts',
  members: 'members',
  audit_entries: 'audit_entries',
} as const;

/** Counts rows; tables missing in an older schema are left out. */
export async function countEntities(db: ReadOnlyDb): Promise<Record<string, number>> {
  const tables = await tablesOf(db);
  const counts: Record<string, number> = {};
  for (const [name, table] of Object.entries(counted)) {
    if (!tables.has(table)) continue;
    const row = await db.get<{ number: number | string }>(`SELECT count(*) AS number FROM ${table}`);
    counts[name] = Number(row?.number ?? 0);
  }
  return counts;
}

async function tablesOf(db: ReadOnlyDb): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ name: string }>(
    db.dbms === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
      : 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  return new Set(rows.map((row) => row.name));
}

/** Compares the schema with our migrations; `why` says why this program cannot use it. */
export async function readSchema(db: ReadOnlyDb): Promise<SchemaState & { readonly why: string | null }> {
  const tables = await tablesOf(db);
  const rows = tables.has('schema_migrations')
    ? await db.all<{ id: string; checksum: string; applied_at: number | string }>(
        'SELECT id, checksum, applied_at FROM schema_migrations ORDER BY id',
      )
    : [];
  const state = compareSchema(rows, programMigrations());
  return { ...state, why: findSchemaProblem(state, 'The database') };
}
