// What a column holds, as the rules know it, and the condition for the rows of one owner.
import type { SqlValue } from './db.ts';

/** SQL for "of this owner", as the first parameter; of the workspace itself where it is null. */
export function ofOwner(projectId: number | null): { readonly sql: string; readonly values: SqlValue[] } {
  return projectId === null
    ? { sql: 'project_id IS NULL', values: [] }
    : { sql: 'project_id = $1', values: [projectId] };
}

/** A number of a column that may hold none. */
export function numberOrNull(value: number | null): number | null {
  return value === null ? null : Number(value);
}
