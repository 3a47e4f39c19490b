// The keys of an issue: which there are, and what stored events say of each. Queries only.
import type { Grouping } from '../../src/core/store/events.ts';
import { type IssueKey, type IssueKeys, keyEventsMax, keysMax } from '../../src/core/store/issue-pages.ts';
import type { Query } from '../db.ts';
import { type BodyRow, bodyColumns, groupingOf } from '../event-bodies.ts';
import { listOf } from '../value-lists.ts';

/** Issues of one group whose keys are shown. */
const membersMax = 500;

interface MemberRow {
  readonly id: number;
  readonly title: string;
  readonly own_events_count: number;
}

interface HashRow {
  readonly hash: string;
  readonly algorithm: string;
  readonly issue_id: number;
  readonly created_at_ms: number;
}

interface EventRow extends BodyRow {
  readonly id: number;
  readonly issue_id: number;
  readonly event_id: string;
  readonly received_at_ms: number;
  readonly title: string;
}

/** What one look found; `groupings` holds how the newest event of each key was grouped. */
export interface FoundKeys extends IssueKeys {
  readonly groupings: ReadonlyMap<string, Grouping>;
}

/** The keys of an issue and of all that was merged into it. */
export async function readKeys(tx: Query, projectId: number, issueId: number): Promise<FoundKeys> {
  const members = await tx.all<MemberRow>(
    `SELECT id, title, own_events_count FROM issues
     WHERE project_id = $1 AND (id = $2 OR merged_into = $2) ORDER BY id LIMIT $3`,
    [projectId, issueId, membersMax],
  );
  const list = listOf(
    members.map(({ id }) => id),
    3,
  );
  if (members.length === 0) return { keys: [], looked: 0, merged: [], groupings: new Map() };
  const hashes = await tx.all<HashRow>(
    `SELECT hash, algorithm, issue_id, created_at_ms FROM issue_hashes
     WHERE project_id = $1 AND issue_id IN (${list.marks}) ORDER BY id LIMIT $2`,
    [projectId, keysMax, ...list.values],
  );
  const events = await tx.all<EventRow>(
    `SELECT events.id, issue_id, event_id, received_at_ms, title, ${bodyColumns} FROM events
       JOIN event_bodies ON event_bodies.event_row = events.id
     WHERE events.project_id = $1 AND issue_id IN (${list.marks})
     ORDER BY received_at_ms DESC, events.id DESC LIMIT $2`,
    [projectId, keyEventsMax, ...list.values],
  );
  const newest = new Map<string, { readonly event: EventRow; readonly grouping: Grouping; count: number }>();
  // What was merged in under one key goes as it is, whatever maps have made of its events since.
  const only = new Map<number, string>();
  for (const [id, own] of Map.groupBy(hashes, (row) => row.issue_id)) {
    if (id !== issueId && own.length === 1) only.set(id, own[0]?.hash ?? '');
  }
  for (const event of events) {
    const grouping = groupingOf(event);
    // Damaged: by its key nobody can tell it apart any more.
    if (grouping === null) continue;
    const place = placeOf(event.issue_id, only.get(event.issue_id) ?? grouping.hash);
    const known = newest.get(place);
    if (known === undefined) newest.set(place, { event, grouping, count: 1 });
    else known.count += 1;
  }
  const titles = new Map(members.map(({ id, title }) => [id, title]));
  return {
    keys: hashes.map((row) => keyOf(row, newest.get(placeOf(row.issue_id, row.hash)), titles)),
    looked: events.length,
    merged: members
      .filter(({ id }) => id !== issueId)
      .map(({ id, own_events_count: own }) => ({ issueId: id, events: own })),
    groupings: new Map([...newest.values()].map(({ grouping }) => [grouping.hash, grouping])),
  };
}

function placeOf(issueId: number, hash: string): string {
  return `${issueId} ${hash}`;
}

function keyOf(
  { hash, algorithm, issue_id: issueId, created_at_ms: sinceMs }: HashRow,
  found: { readonly event: EventRow; readonly count: number } | undefined,
  titles: ReadonlyMap<number, string>,
): IssueKey {
  const about = { hash, algorithm, issueId, sinceMs };
  if (found === undefined) return { ...about, title: titles.get(issueId) ?? '', events: 0, newest: null };
  const { id: row, event_id: eventId, received_at_ms: receivedAtMs, title } = found.event;
  return { ...about, title, events: found.count, newest: { row, eventId, receivedAtMs } };
}
