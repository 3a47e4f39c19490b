import { ProjectDeletedError } from '../../src/core/errors.ts';
import { issueUsersMax } from '../../src/core/issues/state-transitions.ts';
import { startOfHour } from '../../src/core/parsing/durations.ts';
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import type { Query, Transaction } from '../db.ts';
import { toValueList } from '../value-lists.ts';
import { addedToHour, eventCounts, hours as issueHours, users as issueUsers } from './counter-rows.ts';
import { lockIssue, recount } from './merge-issues.ts';
import { addReleaseCounters, type MovedEvent, removeReleaseCounters } from './release-counters.ts';
import { refreshSearchTags, setSearchHead } from './tags/search-row.ts';
import { pairsOf, readTagsAndText, type TaggedEvent } from './tags/stored-tags.ts';
import { type CountedTags, countTags, createTagCache, removeTags } from './tags/tags.ts';

/** Events read from one end of an issue. A tag that none of them has keeps the time of the last one. */
const readMax = 200;

export const movedEventsMax = 100;

export interface EventMove {
  readonly projectId: number;
  readonly fromId: number;
  readonly toId: number;
  readonly rows: readonly number[];
  readonly placesMax: number;
}

/** Moves in one project wait for each other here. @throws {ProjectDeletedError} when the project is being deleted. */
export async function lockBothIssues(tx: Query, projectId: number): Promise<void> {
  const { changes } = await tx.run(
    'UPDATE projects SET grouping_version = grouping_version WHERE id = $1 AND deleted_at_ms IS NULL',
    [projectId],
  );
  if (changes === 0) throw new ProjectDeletedError('The project was deleted meanwhile.');
}

/** Returns the moved events; those that changed meanwhile are skipped. Rows are locked in the order of counting an
 * event (users, hours, issue, release counters, head), and by id, so that neither deadlocks with it. */
export async function moveEvents(tx: Transaction, move: EventMove): Promise<readonly MovedEvent[]> {
  const { projectId, fromId, toId } = move;
  const events = await takeEvents(tx, move);
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const tagsAndTexts = await readTagsAndText(tx, projectId, ids);
  const newUsers = await addUsers(tx, projectId, toId, events);
  const sides = [
    { id: fromId, events: -events.length, users: 0 },
    { id: toId, events: events.length, users: newUsers },
  ].sort((left, right) => left.id - right.id);
  for (const { id, events: sign } of sides) {
    await countHours(tx, projectId, id, sign > 0 ? 1 : -1, events);
  }
  const changed = new Set<number>();
  let isFilled = false;
  for (const side of sides) {
    const counted = await countOwn(tx, projectId, side, events);
    changed.add(side.id).add(counted.merged_into ?? side.id);
    if (side.id === toId) isFilled = counted.own_events_count === events.length;
  }
  for (const side of sides) {
    if (side.id === fromId) await removeReleaseCounters(tx, projectId, fromId, events);
    else await addReleaseCounters(tx, projectId, toId, events, move.placesMax);
  }
  const pairs = pairsOf(events, tagsAndTexts);
  for (const { id: issueId } of sides) {
    if (issueId === fromId) await removeEventTags(tx, { projectId, issueId, pairs });
    // With an empty cache: this transaction may fail.
    else await countTags(tx, createTagCache(), { projectId, issueId, pairs });
  }
  for (const { id } of sides) await showNewest(tx, projectId, id, id === toId && isFilled ? 'all' : events);
  for (const { id } of sides) await reindexSearch(tx, projectId, id);
  for (const id of [...changed].sort((left, right) => left - right)) await recount(tx, projectId, id);
  return events;
}

/** By row id alone: with the index of issues, SQLite would read all events of the issue for each slice. */
function takeEvents(tx: Query, { projectId, fromId, toId, rows }: EventMove): Promise<MovedEvent[]> {
  const list = toValueList(rows, 4);
  return tx.all<MovedEvent>(
    `UPDATE events SET issue_id = $3 WHERE project_id + 0 = $1 AND issue_id + 0 = $2 AND id IN (${list.placeholders})
     RETURNING id, received_at_ms, level, release, environment, user_hash`,
    [projectId, fromId, toId, ...list.values],
  );
}

/** Answers how many users are new; past the limit none is stored. */
async function addUsers(tx: Query, projectId: number, issueId: number, events: readonly MovedEvent[]) {
  const users = [...new Set(events.flatMap((event) => event.user_hash ?? []))].sort();
  if (users.length === 0) return 0;
  const known = await tx.get<{ own_users_count: number }>(
    'SELECT own_users_count FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  const cache = issueUsersMax - (known?.own_users_count ?? 0);
  let added = 0;
  for (const user of users) {
    if (added >= cache) break;
    const row = { projectId, issueId, userHash: user };
    added += await issueUsers.insert(tx, row, { onConflict: 'DO NOTHING' });
  }
  return added;
}

async function countHours(
  tx: Query,
  projectId: number,
  issueId: number,
  sign: 1 | -1,
  events: readonly MovedEvent[],
): Promise<void> {
  const hours = Map.groupBy(events, (event) => startOfHour(event.received_at_ms));
  for (const [hour, members] of [...hours].sort(([left], [right]) => left - right)) {
    const row = { projectId, issueId, hourMs: hour, ...eventCounts(members, sign) };
    await issueHours.insert(tx, row, { onConflict: addedToHour });
    if (sign > 0) continue;
    await tx.run(
      'DELETE FROM issue_hours WHERE project_id = $1 AND issue_id = $2 AND hour_ms = $3 AND events <= 0',
      [projectId, issueId, hour],
    );
  }
}

interface CountedIssueRow {
  readonly merged_into: number | null;
  readonly own_events_count: number;
}

/** Counts at the issue itself, with its row locked. */
async function countOwn(
  tx: Query,
  projectId: number,
  side: { readonly id: number; readonly events: number; readonly users: number },
  events: readonly MovedEvent[],
): Promise<CountedIssueRow> {
  const times = events.map((event) => event.received_at_ms);
  const [first, last] = side.events > 0 ? [Math.min(...times), Math.max(...times)] : [null, null];
  const row = await tx.get<CountedIssueRow>(
    `UPDATE issues SET own_events_count = own_events_count + $3, own_users_count = own_users_count + $4,
       own_first_seen_ms = CASE WHEN own_first_seen_ms > CAST($5 AS BIGINT) THEN $5 ELSE own_first_seen_ms END,
       own_last_seen_ms = CASE WHEN own_last_seen_ms < CAST($6 AS BIGINT) THEN $6 ELSE own_last_seen_ms END
     WHERE project_id = $1 AND id = $2 RETURNING merged_into, own_events_count`,
    [projectId, side.id, side.events, side.users, first, last],
  );
  if (row === undefined) throw new Error('The issue whose events move was not found.');
  return row;
}

/** Rebuilds what the issue shows from its events alone: it was made for moved events, or was empty. */
export async function showAsFilled(tx: Query, projectId: number, issueId: number): Promise<void> {
  await lockIssue(tx, projectId, issueId);
  await showNewest(tx, projectId, issueId, 'all');
  await reindexSearch(tx, projectId, issueId);
  const row = await tx.get<{ merged_into: number | null }>(
    'SELECT merged_into FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  for (const id of new Set([issueId, row?.merged_into ?? issueId])) await recount(tx, projectId, id);
}

interface NewestEvent {
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly platform: string;
  readonly received_at_ms: number;
}

// An empty issue keeps what it showed until events come; what removed older events showed stays too.
async function showNewest(
  tx: Query,
  projectId: number,
  issueId: number,
  moved: readonly MovedEvent[] | 'all',
): Promise<void> {
  const ofIssue = 'FROM events WHERE project_id = $1 AND issue_id = $2';
  const newest = await tx.get<NewestEvent>(
    `SELECT title, culprit, level, platform, received_at_ms ${ofIssue} ORDER BY received_at_ms DESC, id DESC LIMIT 1`,
    [projectId, issueId],
  );
  const oldest = await tx.get<{ received_at_ms: number; release: string | null }>(
    `SELECT received_at_ms, release ${ofIssue} ORDER BY received_at_ms, id LIMIT 1`,
    [projectId, issueId],
  );
  if (newest === undefined || oldest === undefined) return;
  const isOfRelease = moved === 'all' || moved.some((event) => event.release !== null);
  const released = isOfRelease
    ? await tx.get<{ release: string }>(
        `SELECT release ${ofIssue} AND release IS NOT NULL ORDER BY received_at_ms DESC, id DESC LIMIT 1`,
        [projectId, issueId],
      )
    : undefined;
  const firstMoved =
    moved === 'all' ? Number.MIN_SAFE_INTEGER : Math.min(...moved.map((event) => event.received_at_ms));
  await tx.run(
    `UPDATE issues SET level = $5, platform = $6, own_last_seen_ms = $7,
       title = CASE WHEN is_overflow = 0 THEN $3 ELSE title END,
       culprit = CASE WHEN is_overflow = 0 THEN $4 ELSE culprit END,
       search_text = CASE WHEN is_overflow = 0 THEN $13 ELSE search_text END,
       first_release = CASE WHEN own_first_seen_ms >= CAST($8 AS BIGINT) THEN $9 ELSE first_release END,
       own_first_seen_ms = CASE WHEN own_first_seen_ms >= CAST($8 AS BIGINT) THEN $10 ELSE own_first_seen_ms END,
       last_release = CASE WHEN $11 = 1 THEN $12 ELSE last_release END
     WHERE project_id = $1 AND id = $2`,
    [
      projectId,
      issueId,
      newest.title,
      newest.culprit,
      newest.level,
      newest.platform,
      newest.received_at_ms,
      firstMoved,
      oldest.release,
      oldest.received_at_ms,
      Number(isOfRelease),
      released?.release ?? null,
      foldSearchTexts([newest.title, newest.culprit]),
    ],
  );
}

async function reindexSearch(tx: Query, projectId: number, issueId: number): Promise<void> {
  const issue = await tx.get<{ title: string; culprit: string; is_overflow: number }>(
    'SELECT title, culprit, is_overflow FROM issues WHERE project_id = $1 AND id = $2',
    [projectId, issueId],
  );
  if (issue === undefined) return;
  const newest = await tx.get<{ id: number }>(
    `SELECT id FROM events WHERE project_id = $1 AND issue_id = $2 ORDER BY received_at_ms DESC, id DESC LIMIT 1`,
    [projectId, issueId],
  );
  const isSearchable = newest !== undefined && issue.is_overflow === 0;
  const newestText = isSearchable
    ? (await readTagsAndText(tx, projectId, [newest.id])).get(newest.id)
    : undefined;
  const { title, culprit } = issue;
  await setSearchHead(tx, { projectId, issueId, title, culprit, text: () => newestText?.text ?? '' });
  await refreshSearchTags(tx, projectId, issueId);
}

interface TagRow {
  readonly tag: string;
  readonly value: string;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
}

async function removeEventTags(tx: Query, counted: CountedTags): Promise<void> {
  const { projectId, issueId } = counted;
  const removed = new Map((await removeTags(tx, counted)).map((each) => [each.pair.join('\n'), each]));
  if (removed.size === 0) return;
  const rows = await tx.all<TagRow>(
    `SELECT tag, value, first_seen_ms, last_seen_ms FROM issue_tags WHERE project_id = $1 AND issue_id = $2
     ORDER BY tag, value`,
    [projectId, issueId],
  );
  const removedOf = ({ tag, value }: TagRow) => removed.get(`${tag}\n${value}`);
  const first = rows.filter((row) => (removedOf(row)?.firstMs ?? Infinity) <= row.first_seen_ms);
  const last = rows.filter((row) => (removedOf(row)?.lastMs ?? -Infinity) >= row.last_seen_ms);
  await narrowSeenRange(tx, counted, first, 'first');
  await narrowSeenRange(tx, counted, last, 'last');
}

async function narrowSeenRange(
  tx: Query,
  { projectId, issueId }: CountedTags,
  rows: readonly TagRow[],
  end: 'first' | 'last',
): Promise<void> {
  if (rows.length === 0) return;
  const order = end === 'first' ? 'ASC' : 'DESC';
  const events = await tx.all<TaggedEvent>(
    `SELECT id, received_at_ms, level FROM events WHERE project_id = $1 AND issue_id = $2
     ORDER BY received_at_ms ${order}, id ${order} LIMIT $3`,
    [projectId, issueId, readMax],
  );
  const farthest = events.at(-1);
  if (farthest === undefined) return;
  const ids = events.map(({ id }) => id);
  const tagsAndTexts = await readTagsAndText(tx, projectId, ids);
  const seen = new Map(pairsOf(events, tagsAndTexts).map((each) => [each.pair.join('\n'), each]));
  for (const { tag, value } of rows) {
    const found = seen.get(`${tag}\n${value}`);
    const atMs = end === 'first' ? found?.firstMs : found?.lastMs;
    await tx.run(
      `UPDATE issue_tags SET ${end}_seen_ms = $5
       WHERE project_id = $1 AND issue_id = $2 AND tag = $3 AND value = $4`,
      [projectId, issueId, tag, value, atMs ?? farthest.received_at_ms],
    );
  }
}
