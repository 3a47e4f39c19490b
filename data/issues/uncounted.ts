// Events and issues from before their tags were counted and their texts searched: read in slices beside whoever
// is served, the newest first. A slice is one transaction: ended, the work goes on where it was.

import type { Level } from '../../schemas/event.ts';
import { hourOf } from '../../src/core/reading/spans.ts';
import type { ToldOfEvent } from '../../src/core/store/events.ts';
import { addAcceptedLevels } from '../counts/outcomes.ts';
import type { Db, Query } from '../db.ts';
import { levelCounts } from './levels.ts';
import { refreshSearchTags, setSearchHead } from './search-row.ts';
import { pairsOf, readTold } from './stored-tags.ts';
import { countTags, tagRoom } from './tags.ts';

const sliceRows = 200;

/**
 * Rows of events up to which nothing is counted yet; 0 where all is. Whoever changes what is counted holds it
 * to the end of the transaction: a slice reads where events are, and counts them there.
 */
export async function lockUncounted(tx: Query): Promise<number> {
  const row = await tx.get<{ next_row: number }>(
    "UPDATE uncounted SET next_row = next_row WHERE name = 'events' RETURNING next_row",
  );
  return row?.next_row ?? 0;
}

/** Since when events are counted by their tags; null where all that is stored is. */
export async function countedSince(query: Pick<Query, 'get'>): Promise<number | null> {
  const row = await query.get<{ since_ms: number }>("SELECT since_ms FROM uncounted WHERE name = 'events'");
  return row?.since_ms ?? null;
}

/** Counts one more slice of what was stored before; false when there is none left. */
export async function countStoredSlice(db: Db): Promise<boolean> {
  if (await db.write((tx) => nameSlice(tx))) return true;
  return db.write((tx) => eventSlice(tx));
}

/** The next rows, newest first; whoever takes them keeps others from them until the commit. */
async function takeSlice(tx: Query, name: 'issues' | 'events'): Promise<{ from: number; to: number } | null> {
  const row = await tx.get<{ next_row: number }>(
    'UPDATE uncounted SET next_row = next_row - $2 WHERE name = $1 RETURNING next_row',
    [name, sliceRows],
  );
  if (row === undefined) return null;
  if (row.next_row <= 0) await tx.run('DELETE FROM uncounted WHERE name = $1', [name]);
  return { from: Math.max(0, row.next_row), to: row.next_row + sliceRows };
}

/** Issues by their titles first: those are soon done, and events come one by one. */
async function nameSlice(tx: Query): Promise<boolean> {
  const slice = await takeSlice(tx, 'issues');
  if (slice === null) return false;
  const rows = await tx.all<{ id: number; project_id: number; title: string; culprit: string }>(
    `SELECT id, project_id, title, culprit FROM issues WHERE id > $1 AND id <= $2
       AND id NOT IN (SELECT issue_id FROM issue_search WHERE issue_id > $1 AND issue_id <= $2) ORDER BY id`,
    [slice.from, slice.to],
  );
  for (const { id, project_id: projectId, title, culprit } of rows) {
    await setSearchHead(tx, { projectId, issueId: id, title, culprit, text: () => '' });
  }
  return true;
}

interface UncountedRow {
  readonly id: number;
  readonly project_id: number;
  readonly issue_id: number;
  readonly received_at_ms: number;
  readonly level: Level;
}

async function eventSlice(tx: Query): Promise<boolean> {
  const slice = await takeSlice(tx, 'events');
  if (slice === null) return false;
  const rows = await tx.all<UncountedRow>(
    `SELECT id, project_id, issue_id, received_at_ms, level FROM events
     WHERE id > $1 AND id <= $2 AND EXISTS (SELECT 1 FROM issues WHERE issues.id = events.issue_id) ORDER BY id`,
    [slice.from, slice.to],
  );
  if (rows.length === 0) return true;
  const told = await readTold(
    tx,
    null,
    rows.map(({ id }) => id),
  );
  const issues = [...Map.groupBy(rows, (row) => row.issue_id)].sort(([left], [right]) => left - right);
  for (const [issueId, events] of issues) await countIssueSlice(tx, issueId, events, told);
  for (const [projectId, events] of Map.groupBy(rows, (row) => row.project_id)) {
    for (const [hour, members] of byHour(events)) {
      await addAcceptedLevels(
        tx,
        projectId,
        hour,
        members.map(({ level }) => level),
      );
    }
  }
  const since = Math.min(...rows.map((row) => row.received_at_ms));
  await tx.run("UPDATE uncounted SET since_ms = $1 WHERE name = 'events' AND since_ms > $1", [since]);
  return true;
}

async function countIssueSlice(
  tx: Query,
  issueId: number,
  events: readonly UncountedRow[],
  told: ReadonlyMap<number, ToldOfEvent>,
): Promise<void> {
  const projectId = events[0]?.project_id ?? 0;
  for (const [hour, members] of byHour(events)) {
    await tx.run(
      `UPDATE issue_hours SET fatal = fatal + $4, warning = warning + $5, info = info + $6, debug = debug + $7
       WHERE project_id = $1 AND issue_id = $2 AND hour_ms = $3`,
      [projectId, issueId, hour, ...levelCounts(members)],
    );
  }
  const pairs = pairsOf(events, told);
  const isNew = await countTags(tx, tagRoom(), { projectId, issueId, pairs });
  const newest = events.at(-1);
  const search = await tx.get<{ told: number; title: string; culprit: string }>(
    `SELECT COALESCE(told, 0) AS told, title, culprit FROM issues LEFT JOIN issue_search ON issue_id = id WHERE id = $1`,
    [issueId],
  );
  // Slices go back in time: the first one that holds an event of the issue holds its newest.
  if (search !== undefined && search.told === 0) {
    const text = () => (newest === undefined ? '' : (told.get(newest.id)?.text ?? ''));
    await setSearchHead(tx, { projectId, issueId, title: search.title, culprit: search.culprit, text });
  }
  if (isNew || search?.told === 0) await refreshSearchTags(tx, projectId, issueId);
}

function byHour(events: readonly UncountedRow[]): Array<[number, UncountedRow[]]> {
  const hours = Map.groupBy(events, (event) => hourOf(event.received_at_ms));
  return [...hours].sort(([left], [right]) => left - right);
}
