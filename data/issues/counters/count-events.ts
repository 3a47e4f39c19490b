// Counters are summed first and written once a key, tables and keys in one order.

import { startOfHour } from '../../../src/core/parsing/durations.ts';
import type { NewEvent } from '../../../src/core/store/events.ts';
import { overLimitName } from '../../../src/core/store/projects.ts';
import type { Query, RowStatement, SqlValue, Transaction } from '../../db.ts';
import { compareKeys } from '../../value-lists.ts';
import { addedToHour, addedToIssueRelease, eventCounts, hours, issueReleases } from '../counter-rows.ts';
import { showAsFilled } from '../move-events.ts';
import { refreshSearchTags, type SearchRowCache, writeLastSearchHead } from '../tags/search-row.ts';
import { tagsAndTextOf } from '../tags/stored-tags.ts';
import { type AfterWrite, countTagsOfMany, sumPairs, type TagCache } from '../tags/tags.ts';
import type { FiledEvent, FoundIssue, IssueEvents } from './find-issues.ts';
import { addIssueCounts, type CountedIssue } from './issue-rows.ts';
import { addUsers } from './users.ts';

type ReleaseCounter = NonNullable<ReturnType<typeof toReleaseCounter>>;

const addToReleaseCounter: RowStatement = {
  sql: `UPDATE issue_releases SET events = events + $5,
      first_seen_ms = CASE WHEN first_seen_ms > $6 THEN $6 ELSE first_seen_ms END,
      last_seen_ms = CASE WHEN last_seen_ms < $7 THEN $7 ELSE last_seen_ms END
    WHERE project_id = $1 AND release = $2 AND environment = $3 AND issue_id = $4`,
  types: ['bigint', 'text', 'text', 'bigint', 'bigint', 'bigint', 'bigint'],
};

/** Caches, so that an event that says nothing new writes little. */
export interface IssueCaches {
  readonly tags: TagCache;
  readonly search: SearchRowCache;
}

export interface CountedEvent {
  readonly event: FiledEvent;
  readonly issue: FoundIssue;
}

/** Takes events in order of arrival; returns the issue rows after them. @throws {ChangedMeanwhile} */
export async function countEvents(
  tx: Transaction,
  matched: readonly CountedEvent[],
  placesMax: number,
  caches: IssueCaches,
  written: AfterWrite,
  isNew = false,
): Promise<ReadonlyMap<number, CountedIssue>> {
  const issues = byIssue(matched);
  const newUsers = await addUsers(tx, issues);
  await addHours(tx, issues);
  const rows = await addIssueCounts(tx, issues, newUsers);
  // The issue rows are locked here: of two batches only one adds the last counter.
  await addReleaseCounters(tx, matched, placesMax);
  const tags = issues.map(({ issue: { projectId, id: issueId }, events }) => {
    return { projectId, issueId, pairs: sumPairs(events) };
  });
  const widened = await countTagsOfMany(tx, caches.tags, tags, written);
  for (const each of issues) await writeLastSearchHead(tx, caches.search, headsOf(each), written);
  for (const { projectId, issueId } of widened) await refreshSearchTags(tx, projectId, issueId);
  for (const { issue, events } of issues) {
    // All its events were moved away before: what it showed is replaced.
    const isFilledAnew = !isNew && rows.get(issue.id)?.own_events_count === events.length;
    if (isFilledAnew) await showAsFilled(tx, issue.projectId, issue.id);
  }
  return rows;
}

function byIssue(matched: readonly CountedEvent[]): IssueEvents[] {
  const issues = new Map<number, { issue: FoundIssue; events: FiledEvent[] }>();
  for (const { event, issue } of matched) {
    const known = issues.get(issue.id);
    if (known === undefined) issues.set(issue.id, { issue, events: [event] });
    else known.events.push(event);
  }
  return [...issues.values()].sort((left, right) => left.issue.id - right.issue.id);
}

const addToHour = hours.insertStatement(`ON CONFLICT ${addedToHour}`);

async function addHours(tx: Transaction, issues: readonly IssueEvents[]): Promise<void> {
  const rows: SqlValue[][] = [];
  for (const { issue, events } of issues) {
    for (const [hourMs, members] of Map.groupBy(events, (event) => startOfHour(event.receivedAtMs))) {
      const { projectId, id: issueId } = issue;
      rows.push(hours.valuesOf({ projectId, issueId, hourMs, ...eventCounts(members) }));
    }
  }
  await tx.allMany(
    addToHour,
    rows.sort((left, right) => compareKeys(left, right, 3)),
  );
}

/** Title and culprit after each event: the newest event by its time names the issue. */
function headsOf({ issue, events }: IssueEvents) {
  const { id: issueId, projectId, isOverflow } = issue;
  let { title, culprit, ownLastMs } = issue;
  return events.map((event) => {
    const { receivedAtMs: atMs, payload } = event;
    if (!isOverflow && ownLastMs <= atMs) ({ title, culprit } = event);
    ownLastMs = Math.max(ownLastMs, atMs);
    // The overflow issue has its own title and events of many kinds.
    const text = () => (isOverflow ? '' : tagsAndTextOf(payload).text);
    return { projectId, issueId, title, culprit, atMs, text };
  });
}

function toReleaseCounter(event: NewEvent, issueId: number) {
  const { projectId, release, environment, receivedAtMs: atMs } = event;
  if (release === null && environment === null) return null;
  const seen = { events: 1, firstMs: atMs, lastMs: atMs };
  return { projectId, release: release ?? '', environment: environment ?? '', issueId, ...seen };
}

function counterValues(counter: ReleaseCounter): SqlValue[] {
  const { projectId, release, environment, issueId, events, firstMs, lastMs } = counter;
  return [projectId, release, environment, issueId, events, firstMs, lastMs];
}

async function upsertReleaseCounter(tx: Query, counter: ReleaseCounter, placesMax: number): Promise<void> {
  const { projectId, issueId } = counter;
  const counted = await tx.run(addToReleaseCounter.sql, counterValues(counter));
  if (counted.changes > 0) return;
  const known = await tx.get<{ places: number }>(
    `SELECT COUNT(*) AS places FROM (
       SELECT 1 FROM issue_releases WHERE project_id = $1 AND issue_id = $2 LIMIT $3) AS known`,
    [projectId, issueId, placesMax],
  );
  const isFull = (known?.places ?? 0) >= placesMax;
  const { firstMs: firstSeenMs, lastMs: lastSeenMs } = counter;
  const row = { ...counter, firstSeenMs, lastSeenMs, ...(isFull && { release: overLimitName }) };
  await issueReleases.insert(tx, row, { onConflict: addedToIssueRelease });
}

async function addReleaseCounters(
  tx: Transaction,
  matched: ReadonlyArray<{ readonly event: NewEvent; readonly issue: { readonly id: number } }>,
  placesMax: number,
): Promise<void> {
  const countersByKey = new Map<string, ReleaseCounter>();
  for (const { event, issue } of matched) {
    const counter = toReleaseCounter(event, issue.id);
    if (counter === null) continue;
    const key = `${issue.id}\n${counter.release}\n${counter.environment}`;
    const before = countersByKey.get(key) ?? { ...counter, events: 0 };
    const firstMs = Math.min(before.firstMs, counter.firstMs);
    const lastMs = Math.max(before.lastMs, counter.lastMs);
    countersByKey.set(key, { ...counter, events: before.events + 1, firstMs, lastMs });
  }
  const counters = [...countersByKey.values()];
  const sorted = counters.toSorted((left, right) =>
    compareKeys(counterValues(left), counterValues(right), 4),
  );
  const missed = new Set(
    (await tx.updateMany(addToReleaseCounter, sorted.map(counterValues))).map((at) => sorted[at]),
  );
  // In the given order: the first new counter takes the last free row.
  for (const counter of counters) if (missed.has(counter)) await upsertReleaseCounter(tx, counter, placesMax);
}
