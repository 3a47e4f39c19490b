import type { Query } from '../db.ts';

const atOnce = 20;

/** Removes the rows of a project from workspace reports, a few reports at once; answers how many. Totals stay. */
export async function forgetProject(tx: Query, projectId: number): Promise<number> {
  // Locks them: deleting another project may rewrite the same reports.
  const rows = await tx.all<{ id: number; body: string }>(
    `UPDATE reports SET body = body WHERE id IN
       (SELECT report_id FROM report_projects WHERE project_id = $1 ORDER BY report_id LIMIT $2)
     RETURNING id, body`,
    [projectId, atOnce],
  );
  for (const { id, body } of rows) {
    const left = JSON.stringify(withoutProject(JSON.parse(body), projectId));
    await tx.run('UPDATE reports SET body = $2 WHERE id = $1', [id, left]);
    await tx.run('DELETE FROM report_projects WHERE project_id = $1 AND report_id = $2', [projectId, id]);
  }
  return rows.length;
}

/** Rows that name the project, in whatever list. */
function withoutProject(body: Record<string, unknown>, projectId: number): Record<string, unknown> {
  const isOther = (row: unknown): boolean => {
    const { project_id: id, project } = row as {
      project_id?: number;
      project?: { project_id?: number } | null;
    };
    return id !== projectId && project?.project_id !== projectId;
  };
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.filter(isOther) : value]),
  );
}
