import type { SqlValue } from './db.ts';

/** Condition and values for rows of a project, or of the workspace where it is null. */
export function ownerCondition(projectId: number | null): {
  readonly sql: string;
  readonly values: SqlValue[];
} {
  return projectId === null
    ? { sql: 'project_id IS NULL', values: [] }
    : { sql: 'project_id = $1', values: [projectId] };
}
