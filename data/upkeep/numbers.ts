// The numbers of what a project has, a portion at a time: so that whoever takes all of it away holds little.
import type { Reading } from './facts.ts';

/** What can be walked through, each in a table with `id` and `project_id`. */
const statements = {
  events: 'SELECT id, event_id AS name FROM events',
  // What only events have named comes back with them; told of, it would pass for a release that was created.
  releases:
    "SELECT id, '' AS name FROM (SELECT id, project_id FROM releases WHERE registered_at_ms IS NOT NULL) AS told",
  deploys: "SELECT id, '' AS name FROM deploys",
  feedback: "SELECT id, '' AS name FROM feedback",
  test_runs: "SELECT id, '' AS name FROM test_runs",
  // What was merged into another is told of by that one.
  issues: `SELECT id, ${firstEventOf('heads.id')} AS name
    FROM (SELECT id, project_id FROM issues WHERE merged_into IS NULL) AS heads`,
  merges: `SELECT id, ${firstEventOf('into_issue_id')} AS name
    FROM (SELECT id, project_id, into_issue_id FROM issue_merges WHERE undone_at_ms IS NULL) AS held`,
  comments: `SELECT id, ${firstEventOf('issue_id')} AS name FROM issue_comments`,
} as const;

/** By which an issue is known elsewhere; empty where none of its own is stored. */
function firstEventOf(issue: string): string {
  return `COALESCE((SELECT event_id FROM events WHERE events.project_id = $1 AND events.issue_id = ${issue}
    ORDER BY received_at_ms, events.id LIMIT 1), '')`;
}

const portion = 500;

/** The number of one; of an event its id, of an issue and of a comment on it the id of its first event. */
export interface Numbered {
  readonly id: number;
  readonly name: string;
}

/** Those of a project in the order in which they came; those that come meanwhile are met as well. */
export async function* numbersOf(
  db: Reading,
  kind: keyof typeof statements,
  projectId: number,
): AsyncGenerator<Numbered> {
  let after = 0;
  for (;;) {
    const rows = await db.all<Numbered>(
      `${statements[kind]} WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [projectId, after, portion],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < portion) return;
    after = last.id;
  }
}
