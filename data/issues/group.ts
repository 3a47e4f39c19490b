// The issues that one issue stands for, in SQL. Each half is found by an index of its own: asked for with OR,
// SQLite goes through all issues of the project instead.

/** The ids of an issue and of those merged into it, as a query; `issue` and `project` are parameters. */
export function groupOf(project: string, issue: string): string {
  return `SELECT id FROM issues WHERE id = ${issue} AND project_id = ${project}
    UNION ALL SELECT id FROM issues WHERE merged_into = ${issue} AND project_id = ${project}`;
}

/**
 * The same of many issues, over projects: `id` and `project_id` of each, once, and `head_id`, the issue that
 * stands for it. `marks` are the parameters of a list.
 */
export function groupsOf(marks: string): string {
  return `SELECT id, project_id, COALESCE(merged_into, id) AS head_id FROM issues WHERE id IN (${marks})
    UNION ALL SELECT id, project_id, merged_into AS head_id FROM issues
    WHERE merged_into IN (${marks}) AND id NOT IN (${marks})`;
}
