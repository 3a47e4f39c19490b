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
