// What one more event changes in the figures of its issue, and of the issue it was merged into.

import { issueUsersMax } from '../../src/core/issues/life.ts';
import { hourOf } from '../../src/core/reading/spans.ts';
import { otherName } from '../../src/core/store/bounds.ts';
import type { NewEvent } from '../../src/core/store/events.ts';
import type { Query, RowStatement, SqlValue } from '../db.ts';
import { groupOf } from './group.ts';
import type { FiledIssue } from './hashes.ts';
import { showAsFilled } from './moving.ts';
import { type StateColumns, stateColumns } from './rows.ts';
import { levelCounts, moreOfLevels } from './told/levels.ts';
import { refreshSearchTags, type SearchRoom, writeSearchHead } from './told/search-row.ts';
import { searchTextOf } from './told/stored-tags.ts';
import { countTags, type TagRoom, type Written } from './told/tags.ts';

/** What is remembered of issues, so that an event that says nothing new writes little. */
export interface IssueRooms {
  readonly tags: TagRoom;
  readonly search: SearchRoom;
}

/**
 * The issue was merged, or a merge of it undone, between finding it and counting the event: the row is locked
 * only by the count. Thrown to undo all that was begun; filed again, the event finds where its issue belongs
 * now.
 */
export class IssueMoved extends Error {}

/** An event with what a search compares: its title and its culprit, as `foldedTexts` has them. */
export type FiledEvent = NewEvent & { readonly folded: string | null };

export interface CountedIssue extends StateColumns {
  readonly merged_into: number | null;
  readonly events_count: number;
  readonly users_count: number;
  readonly first_seen_ms: number;
  readonly own_first_seen_ms: number;
}

interface OwnIssue extends CountedIssue {
  readonly own_events_count: number;
  readonly title: string;
  readonly culprit: string;
  readonly is_overflow: number;
}

/** 1 or 0: whether the event's user is new to the issue, and to all that is merged together with it. */
interface NewUsers {
  readonly inIssue: number;
  readonly inGroup: number;
}

/**
 * Counts an event and answers the row of the issue that stands for it, with the event counted.
 * @throws {IssueMoved} when that is no longer the issue that was found.
 */
export async function countEvent(
  tx: Query,
  event: FiledEvent,
  issue: FiledIssue,
  placesMax: number,
  rooms: IssueRooms,
  written: Written,
): Promise<CountedIssue> {
  const newUsers = await countUser(tx, event, issue);
  await countHour(tx, event, issue.id);
  const own = await countOwn(tx, event, issue, newUsers);
  if ((own.merged_into ?? issue.id) !== issue.headId) throw new IssueMoved();
  // Under the lock that the count took: of two events at once only one has the last place.
  const place = placeOf(event, issue.id);
  if (place !== null) await countPlace(tx, place, placesMax);
  await countTold(tx, event, issue.id, own, rooms, written);
  await noteEarlier(tx, event, issue, issue.id, own);
  let head: CountedIssue = own;
  if (issue.headId !== issue.id) {
    head = await countHead(tx, event, issue.headId, newUsers.inGroup);
    await noteEarlier(tx, event, issue, issue.headId, head);
  }
  // All that it had was moved away: what it showed of them is over.
  if (own.own_events_count === 1 && !issue.isNew) await showAsFilled(tx, event.projectId, issue.id);
  return head;
}

/** Its tags, and by what a search finds the issue. */
async function countTold(
  tx: Query,
  event: FiledEvent,
  issueId: number,
  own: OwnIssue,
  rooms: IssueRooms,
  written: Written,
): Promise<void> {
  const { projectId, receivedAtMs: atMs } = event;
  const { tags = [] } = event;
  const pairs = [['level', event.level] as const, ...tags];
  const counted = pairs.map((pair) => ({ pair, events: 1, firstMs: atMs, lastMs: atMs }));
  const isNew = await countTags(tx, rooms.tags, { projectId, issueId, pairs: counted }, written);
  const { title, culprit } = own;
  // The overflow issue has a name of its own, and events of many kinds.
  const text = () => (own.is_overflow === 1 ? '' : searchTextOf(event.payload));
  await writeSearchHead(tx, rooms.search, { projectId, issueId, title, culprit, text }, atMs, written);
  if (isNew) await refreshSearchTags(tx, projectId, issueId);
}

/**
 * Seldom, an event is filed after a later one. Kept out of the count, whose statement would rewrite an index
 * each time.
 */
async function noteEarlier(
  tx: Query,
  event: NewEvent,
  issue: FiledIssue,
  countedId: number,
  counted: CountedIssue,
): Promise<void> {
  const at = event.receivedAtMs;
  const isOwn = countedId === issue.id;
  if (at >= counted.first_seen_ms && (!isOwn || at >= counted.own_first_seen_ms)) return;
  await tx.run(
    `UPDATE issues SET first_seen_ms = CASE WHEN first_seen_ms > $3 THEN $3 ELSE first_seen_ms END,
       own_first_seen_ms = CASE WHEN own_first_seen_ms > $3 AND $4 = 1 THEN $3 ELSE own_first_seen_ms END
     WHERE project_id = $1 AND id = $2`,
    [event.projectId, countedId, at, Number(isOwn)],
  );
}

/**
 * A user is counted once for an issue, and once for a group of merged ones; past the cap no more users are
 * kept.
 */
export async function countUser(
  tx: Query,
  event: Pick<NewEvent, 'projectId' | 'userHash'>,
  issue: FiledIssue,
): Promise<NewUsers> {
  if (event.userHash === null) return { inIssue: 0, inGroup: 0 };
  const added = await tx.run(
    `INSERT INTO issue_users (project_id, issue_id, user_hash)
     SELECT project_id, id, $3 FROM issues WHERE project_id = $1 AND id = $2 AND own_users_count < $4
     ON CONFLICT (project_id, issue_id, user_hash) DO NOTHING`,
    [event.projectId, issue.id, event.userHash, issueUsersMax],
  );
  if (added.changes === 0) return { inIssue: 0, inGroup: 0 };
  const elsewhere = await tx.get(
    `SELECT 1 AS there FROM issue_users WHERE project_id = $1 AND user_hash = $2 AND issue_id <> $3 AND issue_id IN
       (${groupOf('$1', '$4')}) LIMIT 1`,
    [event.projectId, event.userHash, issue.id, issue.headId],
  );
  return { inIssue: 1, inGroup: elsewhere === undefined ? 1 : 0 };
}

async function countHour(tx: Query, event: NewEvent, issueId: number): Promise<void> {
  await tx.run(
    `INSERT INTO issue_hours (project_id, issue_id, hour_ms, events, fatal, warning, info, debug)
     VALUES ($1, $2, $3, 1, $4, $5, $6, $7)
     ON CONFLICT (project_id, issue_id, hour_ms) DO UPDATE SET events = issue_hours.events + 1${moreOfLevels}`,
    [event.projectId, issueId, hourOf(event.receivedAtMs), ...levelCounts([event])],
  );
}

/** Under which release and environment events of an issue came, how many and when. */
export interface CountedPlace {
  readonly projectId: number;
  readonly release: string;
  readonly environment: string;
  readonly issueId: number;
  readonly events: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export const addToPlace: RowStatement = {
  sql: `UPDATE issue_releases SET events = events + $5,
      first_seen_ms = CASE WHEN first_seen_ms > $6 THEN $6 ELSE first_seen_ms END,
      last_seen_ms = CASE WHEN last_seen_ms < $7 THEN $7 ELSE last_seen_ms END
    WHERE project_id = $1 AND release = $2 AND environment = $3 AND issue_id = $4`,
  types: ['bigint', 'text', 'text', 'bigint', 'bigint', 'bigint', 'bigint'],
};

/** The place of one event; null where it names none. */
export function placeOf(event: NewEvent, issueId: number): CountedPlace | null {
  const { projectId, release, environment, receivedAtMs: atMs } = event;
  if (release === null && environment === null) return null;
  const seen = { events: 1, firstMs: atMs, lastMs: atMs };
  return { projectId, release: release ?? '', environment: environment ?? '', issueId, ...seen };
}

export function placeValues(place: CountedPlace): SqlValue[] {
  const { projectId, release, environment, issueId, events, firstMs, lastMs } = place;
  return [projectId, release, environment, issueId, events, firstMs, lastMs];
}

/**
 * Where the issue was seen. Past so many places a new one counts under the name that all late releases share.
 */
export async function countPlace(tx: Query, place: CountedPlace, placesMax: number): Promise<void> {
  const { projectId, issueId } = place;
  const counted = await tx.run(addToPlace.sql, placeValues(place));
  if (counted.changes > 0) return;
  const places = await tx.get<{ places: number }>(
    `SELECT COUNT(*) AS places FROM (
       SELECT 1 FROM issue_releases WHERE project_id = $1 AND issue_id = $2 LIMIT $3) AS known`,
    [projectId, issueId, placesMax],
  );
  const isFull = (places?.places ?? 0) >= placesMax;
  await tx.run(
    `INSERT INTO issue_releases (project_id, release, environment, issue_id, events, first_seen_ms, last_seen_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (project_id, release, environment, issue_id) DO UPDATE SET
       events = issue_releases.events + $5,
       first_seen_ms = CASE WHEN issue_releases.first_seen_ms > $6 THEN $6 ELSE issue_releases.first_seen_ms END,
       last_seen_ms = CASE WHEN issue_releases.last_seen_ms < $7 THEN $7 ELSE issue_releases.last_seen_ms END`,
    placeValues(isFull ? { ...place, release: otherName } : place),
  );
}

/** The newest event names the issue: received time decides, not the order of arrival in the queue. */
async function countOwn(
  tx: Query,
  event: FiledEvent,
  issue: FiledIssue,
  newUsers: NewUsers,
): Promise<OwnIssue> {
  const row = await tx.get<OwnIssue>(
    `UPDATE issues SET
       events_count = events_count + 1, own_events_count = own_events_count + 1,
       users_count = CASE WHEN users_count + $3 > $10 THEN $10 ELSE users_count + $3 END,
       own_users_count = own_users_count + $11,
       last_seen_ms = CASE WHEN last_seen_ms < $4 THEN $4 ELSE last_seen_ms END,
       title = CASE WHEN is_overflow = 0 AND own_last_seen_ms <= $4 THEN $5 ELSE title END,
       culprit = CASE WHEN is_overflow = 0 AND own_last_seen_ms <= $4 THEN $6 ELSE culprit END,
       folded = CASE WHEN is_overflow = 0 AND own_last_seen_ms <= $4 THEN $12 ELSE folded END,
       level = CASE WHEN own_last_seen_ms <= $4 THEN $7 ELSE level END,
       platform = CASE WHEN own_last_seen_ms <= $4 THEN $8 ELSE platform END,
       last_release = CASE WHEN own_last_seen_ms <= $4 THEN COALESCE($9, last_release) ELSE last_release END,
       own_last_seen_ms = CASE WHEN own_last_seen_ms < $4 THEN $4 ELSE own_last_seen_ms END
     WHERE project_id = $1 AND id = $2
     RETURNING ${stateColumns}, merged_into, events_count, users_count, first_seen_ms, own_first_seen_ms,
       own_events_count, title, culprit, is_overflow`,
    [
      event.projectId,
      issue.id,
      issue.headId === issue.id ? newUsers.inGroup : newUsers.inIssue,
      event.receivedAtMs,
      event.title,
      event.culprit,
      event.level,
      event.platform,
      event.release,
      issueUsersMax,
      newUsers.inIssue,
      event.folded,
    ],
  );
  // It was deleted since: no hash leads to it any more, so the event finds another when it is filed again.
  if (row === undefined) throw new IssueMoved();
  return row;
}

async function countHead(
  tx: Query,
  event: NewEvent,
  headId: number,
  newUsers: number,
): Promise<CountedIssue> {
  const row = await tx.get<CountedIssue>(
    `UPDATE issues SET events_count = events_count + 1,
       users_count = CASE WHEN users_count + $3 > $5 THEN $5 ELSE users_count + $3 END,
       last_seen_ms = CASE WHEN last_seen_ms < $4 THEN $4 ELSE last_seen_ms END
     WHERE project_id = $1 AND id = $2
     RETURNING ${stateColumns}, merged_into, events_count, users_count, first_seen_ms, own_first_seen_ms`,
    [event.projectId, headId, newUsers, event.receivedAtMs, issueUsersMax],
  );
  if (row === undefined) throw new Error('The issue that an issue was merged into is not there.');
  return row;
}
