// What many events change in the figures of their issues: summed up first, and written once for each key. The
// order of tables is that of an event by itself, and in each table that of the keys.

import { hourOf } from '../../../src/core/reading/spans.ts';
import { compareKeys } from '../../compare-keys.ts';
import type { RowStatement, SqlValue, Transaction } from '../../db.ts';
import {
  addToPlace,
  type CountedPlace,
  countPlace,
  type FiledEvent,
  type IssueRooms,
  placeOf,
  placeValues,
} from '../counting.ts';
import { levelCounts, moreOfLevels } from '../told/levels.ts';
import { refreshSearchTags, writeLastSearchHead } from '../told/search-row.ts';
import { searchTextOf } from '../told/stored-tags.ts';
import { type CountedTags, countTagsOfMany, type Written } from '../told/tags.ts';
import { addFigures } from './figures.ts';
import type { FoundIssue, IssueEvents } from './found.ts';
import { addUsers } from './users.ts';

/** An event that is filed, and the issue it was found to belong to. */
export interface SummedEvent {
  readonly event: FiledEvent;
  readonly issue: FoundIssue;
}

/**
 * Counts events, told in the order in which they came.
 * @throws {IssueMoved} when an issue is no longer what was found.
 */
export async function countEvents(
  tx: Transaction,
  filed: readonly SummedEvent[],
  placesMax: number,
  rooms: IssueRooms,
  written: Written,
): Promise<void> {
  const issues = byIssue(filed);
  const newUsers = await addUsers(tx, issues);
  await addHours(tx, issues);
  await addFigures(tx, issues, newUsers);
  // Under the locks that the figures took: of two batches at once only one has the last place of an issue.
  await addPlaces(tx, filed, placesMax);
  const widened = await countTagsOfMany(tx, rooms.tags, issues.map(tagsOf), written);
  for (const each of issues) await writeLastSearchHead(tx, rooms.search, headsOf(each), written);
  for (const { projectId, issueId } of widened) await refreshSearchTags(tx, projectId, issueId);
}

function byIssue(filed: readonly SummedEvent[]): IssueEvents[] {
  const issues = new Map<number, { issue: FoundIssue; events: FiledEvent[] }>();
  for (const { event, issue } of filed) {
    const known = issues.get(issue.id);
    if (known === undefined) issues.set(issue.id, { issue, events: [event] });
    else known.events.push(event);
  }
  return [...issues.values()].sort((left, right) => left.issue.id - right.issue.id);
}

const addToHour: RowStatement = {
  sql: `INSERT INTO issue_hours (project_id, issue_id, hour_ms, events, fatal, warning, info, debug)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (project_id, issue_id, hour_ms) DO UPDATE SET
      events = issue_hours.events + excluded.events${moreOfLevels}`,
  types: new Array<'bigint'>(8).fill('bigint'),
};

async function addHours(tx: Transaction, issues: readonly IssueEvents[]): Promise<void> {
  const rows: SqlValue[][] = [];
  for (const { issue, events } of issues) {
    for (const [hour, members] of Map.groupBy(events, (event) => hourOf(event.receivedAtMs))) {
      rows.push([issue.projectId, issue.id, hour, members.length, ...levelCounts(members)]);
    }
  }
  await tx.allMany(
    addToHour,
    rows.sort((left, right) => compareKeys(left, right, 3)),
  );
}

async function addPlaces(tx: Transaction, filed: readonly SummedEvent[], placesMax: number): Promise<void> {
  const places = new Map<string, CountedPlace>();
  for (const { event, issue } of filed) {
    const place = placeOf(event, issue.id);
    if (place === null) continue;
    const key = `${issue.id}\n${place.release}\n${place.environment}`;
    const before = places.get(key) ?? { ...place, events: 0 };
    const firstMs = Math.min(before.firstMs, place.firstMs);
    const lastMs = Math.max(before.lastMs, place.lastMs);
    places.set(key, { ...place, events: before.events + 1, firstMs, lastMs });
  }
  const inOrder = [...places.values()];
  const sorted = inOrder.toSorted((left, right) => compareKeys(placeValues(left), placeValues(right), 4));
  const missed = new Set((await tx.updateMany(addToPlace, sorted.map(placeValues))).map((at) => sorted[at]));
  // Whoever comes first takes the last place.
  for (const place of inOrder) if (missed.has(place)) await countPlace(tx, place, placesMax);
}

/** The tags of events of one issue, in the order in which they first came. */
function tagsOf({ issue, events }: IssueEvents): CountedTags {
  const pairs = new Map<string, CountedTags['pairs'][number]>();
  for (const { level, tags = [], receivedAtMs: atMs } of events) {
    for (const pair of [['level', level] as const, ...tags]) {
      const key = `${pair[0]}\n${pair[1]}`;
      const before = pairs.get(key);
      pairs.set(key, {
        pair,
        events: (before?.events ?? 0) + 1,
        firstMs: Math.min(before?.firstMs ?? atMs, atMs),
        lastMs: Math.max(before?.lastMs ?? atMs, atMs),
      });
    }
  }
  return { projectId: issue.projectId, issueId: issue.id, pairs: [...pairs.values()] };
}

/** What an issue was called after each of its events: the newest by its time names it. */
function headsOf({ issue, events }: IssueEvents) {
  const { id: issueId, projectId, isOverflow } = issue;
  let { title, culprit, ownLastMs } = issue;
  return events.map((event) => {
    const { receivedAtMs: atMs, payload } = event;
    if (!isOverflow && ownLastMs <= atMs) ({ title, culprit } = event);
    ownLastMs = Math.max(ownLastMs, atMs);
    // The overflow issue has a name of its own, and events of many kinds.
    const text = () => (isOverflow ? '' : searchTextOf(payload));
    return { projectId, issueId, title, culprit, atMs, text };
  });
}
