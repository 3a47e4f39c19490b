// Events and issues from before their tags were counted and their texts searched: read in slices beside
// whoever is served, the newest first. A slice is one transaction: ended, the work goes on where it was.

import type { Level } from '../../../schemas/event.ts';
import { hourOf } from '../../../src/core/reading/spans.ts';
import type { ToldOfEvent } from '../../../src/core/store/events.ts';
import type { Db, Query, Transaction } from '../../db.ts';
import { levelCounts } from './levels.ts';
import { refreshSearchTags, setSearchHead } from './search-row.ts';
import { pairsOf, readTold } from './stored-tags.ts';
import { countTags, tagRoom } from './tags.ts';

/** Few: on SQLite nobody is answered while a slice is read. */
const sliceRows = 50;

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

/**
 * Holds the place where a name's slices are, and answers it; whoever has it keeps others out until the
 * commit. Null where all of it is done.
 */
async function takePlace(tx: Query, name: 'issues' | 'events'): Promise<number | null> {
  const row = await tx.get<{ next_row: number }>(
    'UPDATE uncounted SET next_row = next_row WHERE name = $1 RETURNING next_row',
    [name],
  );
  return row?.next_row ?? null;
}

/** Goes on below the last of the rows, which go down; the end is where there is none. */
async function leavePlace(
  tx: Query,
  name: 'issues' | 'events',
  rows: ReadonlyArray<{ readonly id: number }>,
): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) await tx.run('DELETE FROM uncounted WHERE name = $1', [name]);
  else await tx.run('UPDATE uncounted SET next_row = $2 WHERE name = $1', [name, last.id - 1]);
}

/** Issues by their titles first: those are soon done, and events come one by one. */
async function nameSlice(tx: Query): Promise<boolean> {
  const place = await takePlace(tx, 'issues');
  if (place === null) return false;
  const rows = await tx.all<{
    id: number;
    project_id: number;
    title: string;
    culprit: string;
    known: number;
  }>(
    `SELECT id, issues.project_id, title, culprit, CASE WHEN issue_id IS NULL THEN 0 ELSE 1 END AS known
     FROM issues LEFT JOIN issue_search ON issue_id = id WHERE id <= $1 ORDER BY id DESC LIMIT $2`,
    [place, sliceRows],
  );
  for (const { id, project_id: projectId, title, culprit, known } of rows.toReversed()) {
    if (known === 1) continue;
    await setSearchHead(tx, { projectId, issueId: id, title, culprit, text: () => '' });
  }
  await leavePlace(tx, 'issues', rows);
  return true;
}

interface UncountedRow {
  readonly id: number;
  readonly project_id: number;
  readonly issue_id: number;
  readonly received_at_ms: number;
  readonly level: Level;
  readonly known: number;
}

async function eventSlice(tx: Transaction): Promise<boolean> {
  const place = await takePlace(tx, 'events');
  if (place === null) return false;
  const all = await tx.all<UncountedRow>(
    `SELECT events.id, events.project_id, issue_id, received_at_ms, events.level,
       CASE WHEN issues.id IS NULL THEN 0 ELSE 1 END AS known
     FROM events LEFT JOIN issues ON issues.id = events.issue_id
     WHERE events.id <= $1 ORDER BY events.id DESC LIMIT $2`,
    [place, sliceRows],
  );
  await leavePlace(tx, 'events', all);
  // An issue that is being deleted may be gone before its last event.
  const rows = all.filter(({ known }) => known === 1).toReversed();
  if (rows.length === 0) return all.length > 0;
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
  tx: Transaction,
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

/** Adds to the levels of what was accepted in an hour, where that was counted without them. */
async function addAcceptedLevels(
  tx: Query,
  projectId: number,
  hourMs: number,
  levels: readonly Level[],
): Promise<void> {
  const columns = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
  const counts = columns.map((column) => levels.filter((level) => level === column).length);
  await tx.run(
    `UPDATE outcomes SET ${columns.map((column, at) => `${column} = ${column} + $${at + 3}`).join(', ')}
     WHERE project_id = $1 AND hour_ms = $2 AND outcome = 'accepted' AND reason = '' AND category = 'error'`,
    [projectId, hourMs, ...counts],
  );
}
