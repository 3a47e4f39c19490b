import type { ReadOnlyDb } from './database-facts.ts';

const statements = {
  events: 'SELECT id, event_id AS name FROM events',
  // Releases known only from events are recreated by importing those; exported, they would count as created.
  releases:
    "SELECT id, '' AS name FROM (SELECT id, project_id FROM releases WHERE registered_at_ms IS NOT NULL) AS told",
  deploys: "SELECT id, '' AS name FROM deploys",
  feedback: "SELECT id, '' AS name FROM feedback",
  test_runs: "SELECT id, '' AS name FROM test_runs",
  // Merged issues are exported with the issue that they were merged into.
  issues: `SELECT id, ${firstEventOf('heads.id')} AS name
    FROM (SELECT id, project_id FROM issues WHERE merged_into IS NULL) AS heads`,
  merges: `SELECT id, ${firstEventOf('into_issue_id')} AS name
    FROM (SELECT id, project_id, into_issue_id FROM issue_merges WHERE undone_at_ms IS NULL) AS held`,
  comments: `SELECT id, ${firstEventOf('issue_id')} AS name FROM issue_comments`,
} as const;

/** The first stored event identifies an issue in another installation; '' where none is stored. */
function firstEventOf(issue: string): string {
  return `COALESCE((SELECT event_id FROM events WHERE events.project_id = $1 AND events.issue_id = ${issue}
    ORDER BY received_at_ms, events.id LIMIT 1), '')`;
}

const portion = 500;

/** `name`: an event's own id, or the id of the first event of an issue or of a comment's issue. */
export interface RowId {
  readonly id: number;
  readonly name: string;
}

/** In order of insertion; rows inserted meanwhile are included. */
export async function* iterateRowIds(
  db: ReadOnlyDb,
  kind: keyof typeof statements,
  projectId: number,
): AsyncGenerator<RowId> {
  let after = 0;
  for (;;) {
    const rows = await db.all<RowId>(
      `${statements[kind]} WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [projectId, after, portion],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < portion) return;
    after = last.id;
  }
}
