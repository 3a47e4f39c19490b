import type { SqlValue } from './db.ts';

/** The SQL condition for rows of this project ($1), or of the workspace where `projectId` is null. */
export function ofOwner(projectId: number | null): { readonly sql: string; readonly values: SqlValue[] } {
  return projectId === null
    ? { sql: 'project_id IS NULL', values: [] }
    : { sql: 'project_id = $1', values: [projectId] };
}

export function numberOrNull(value: number | null): number | null {
  return value === null ? null : Number(value);
}
