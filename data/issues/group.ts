import type { Query } from '../db.ts';

// Each half uses its own index; with OR SQLite would read all issues of the project.

/** Ids of an issue and of those merged into it; `project` and `issue` are parameters. */
export function groupOf(project: string, issue: string): string {
  return `SELECT id FROM issues WHERE id = ${issue} AND project_id = ${project}
    UNION ALL SELECT id FROM issues WHERE merged_into = ${issue} AND project_id = ${project}`;
}

export function groupsOf(placeholders: string): string {
  return `SELECT id, project_id, COALESCE(merged_into, id) AS head_id FROM issues WHERE id IN (${placeholders})
    UNION ALL SELECT id, project_id, merged_into AS head_id FROM issues
    WHERE merged_into IN (${placeholders}) AND id NOT IN (${placeholders})`;
}

export async function headOf(tx: Query, projectId: number, issueId: number): Promise<number> {
  const row = await tx.get<{ head_id: number }>(
    'SELECT COALESCE(merged_into, id) AS head_id FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  return row?.head_id ?? issueId;
}
