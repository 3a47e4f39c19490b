// Removes the oldest events of an issue in slices; counters stay. What may be removed is decided in core.

import { setImmediate } from 'node:timers/promises';
import type {
  EvictionCursor,
  EvictionStep,
  ProjectStorageSize,
  RetainedIssue,
  RetentionStore,
  VacuumStep,
} from '../../src/core/store/retention.ts';
import type { Db, Query, StoreMethod } from '../db.ts';
import { lockBothIssues } from '../issues/move-events.ts';
import { countRows } from '../paging.ts';
import { toValueList } from '../value-lists.ts';

/** Below this number the rows are read; above it the issue's counter is enough. */
const exactNewestMax = 100;

const keptEventsPerQuery = 1_000;

// Columns and indexes take 600 bytes; the rest covers free pages and counters, so that files stay within quotas.
const rowBytes = 1800;

const pageRows = 1_000;

/** At most 1,000 events. */
async function weighRows(query: Pick<Query, 'all'>, ids: readonly number[]): Promise<Map<number, number>> {
  const weights = new Map(ids.map((id) => [id, rowBytes]));
  if (ids.length === 0) return weights;
  const list = toValueList(ids, 1);
  const rows = await query.all<{ event_row: number; bytes: number }>(
    `SELECT event_row, LENGTH(body) AS bytes FROM event_bodies WHERE event_row IN (${list.placeholders})
     UNION ALL SELECT event_row, SUM(LENGTH(bytes)) AS bytes FROM event_attachments
       WHERE event_row IN (${list.placeholders}) GROUP BY event_row`,
    list.values,
  );
  for (const { event_row: row, bytes } of rows) weights.set(row, (weights.get(row) ?? 0) + Number(bytes));
  return weights;
}

async function sumEventBytes(db: Db, isOver: () => boolean): Promise<ProjectStorageSize[]> {
  const sums = new Map<number, number>();
  for (const { table, key, size, flat } of weighed) {
    for (let after = 0; !isOver(); await setImmediate()) {
      const rows = await db.all<{ project_id: number; bytes: number; rows: number; last: number }>(
        `SELECT project_id, SUM(bytes) AS bytes, COUNT(*) AS rows, MAX(place) AS last FROM
           (SELECT project_id, ${size} AS bytes, ${key} AS place FROM ${table}
            WHERE ${key} > $1 ORDER BY ${key} LIMIT $2) AS page GROUP BY project_id`,
        [after, pageRows],
      );
      for (const row of rows) {
        const bytes = Number(row.bytes) + flat * Number(row.rows);
        sums.set(row.project_id, (sums.get(row.project_id) ?? 0) + bytes);
        after = Math.max(after, row.last);
      }
      if (rows.length === 0) break;
    }
  }
  return [...sums].map(([projectId, bytes]) => ({ projectId, bytes }));
}

/** LENGTH does not read the bytes themselves. */
const weighed = [
  { table: 'event_bodies', key: 'event_row', size: 'LENGTH(body)', flat: rowBytes },
  { table: 'event_attachments', key: 'id', size: 'LENGTH(bytes)', flat: 0 },
] as const;

/** Free pages that are kept: shrinking and growing with every event gains nothing. */
const sparePages = 256;
/** In one transaction. */
const stepPages = 200;
const stepMsMax = 10;

/** `auto_vacuum = INCREMENTAL`, set when a file is created. */
const incremental = 2;

/** Tables by `project_id` and `event_row`. Row ids may be reused, so nothing may be left. */
export const tablesOfEvents = [
  'event_attachments',
  'event_bodies',
  'pending_regroupings',
  'pending_symbolications',
] as const;

/** Bytes freed in one transaction beyond the first event: freed pages are written too. */
const sliceBytesMax = 1024 * 1024;

/** Any number, the same in every process that removes events. */
const runnerLock = 7_205_759_404;

export function retentionStore(db: Db): RetentionStore {
  return {
    listRetainedIssues: (afterId, limit) =>
      db.all<RetainedIssue>(
        `SELECT id, project_id AS "projectId", own_events_count - evicted_events AS stored,
           own_first_seen_ms AS "firstSeenMs", own_last_seen_ms AS "lastSeenMs" FROM issues
         WHERE id > $1 AND own_events_count > evicted_events ORDER BY id LIMIT $2`,
        [afterId, limit],
      ),
    beginRemoval: () => db.write((tx) => beginRemoval(db.dbms, tx)),
    previewOldest: (cursor, rowsMax) => previewOldest(db, cursor, rowsMax),
    removeOldest: (cursor, rowsMax, eventsMax) => removeOldest(db, cursor, rowsMax, eventsMax),
    sumEventBytes: (isOver) => sumEventBytes(db, isOver),
    vacuumStep: () => vacuumStep(db),
  };
}

async function previewOldest(db: Db, cursor: EvictionCursor, rowsMax: number): Promise<EvictionStep> {
  const startedMs = performance.now();
  const page = await readPage(db, cursor, rowsMax);
  advanceCursor(cursor, page);
  const evicted = page.rows.filter(({ isEvicted }) => isEvicted);
  const tookMs = performance.now() - startedMs;
  const done = page.isLast;
  const rows = page.rows.length;
  return { events: evicted.length, bytes: 0, rows, done, elsewhere: false, tookMs, waitedMs: 0 };
}

const removeOldest: StoreMethod<'removeOldest', Db> = async (db, cursor, rowsMax, eventsMax) => {
  const requestedMs = performance.now();
  const { page, startedMs, ...step } = await db.write(async (tx) => {
    const startedMs = performance.now();
    return { ...(await removeSlice(db.dbms, tx, cursor, rowsMax, eventsMax)), startedMs };
  });
  // The commit blocks the process too.
  const tookMs = performance.now() - startedMs;
  // Only after the commit.
  if (page !== null) advanceCursor(cursor, page);
  return { ...step, rows: page?.rows.length ?? 0, tookMs, waitedMs: startedMs - requestedMs };
};

type RemovalStep = Omit<EvictionStep, 'rows' | 'tookMs' | 'waitedMs'> & { readonly page: Page | null };

async function removeSlice(
  dbms: Db['dbms'],
  tx: Query,
  cursor: EvictionCursor,
  rowsMax: number,
  eventsMax: number,
): Promise<RemovalStep> {
  const noEvents = { events: 0, bytes: 0, page: null };
  if (!(await isCurrentRunner(dbms, tx, cursor))) return { ...noEvents, done: true, elsewhere: true };
  await lockBothIssues(tx, cursor.projectId);
  const stored = await lockIssue(tx, cursor);
  if (stored === null) return { ...noEvents, done: true, elsewhere: false };
  if (!(await keptEventsExist(tx, cursor))) {
    resetCursor(cursor);
    return { ...noEvents, done: false, elsewhere: false };
  }
  const page = await readPage(tx, cursor, rowsMax);
  const chosen = await limitPage(tx, page, Math.min(eventsMax, evictableCount(cursor, stored)));
  const ids = chosen.rows.filter(({ isEvicted }) => isEvicted).map(({ id }) => id);
  if (ids.length > 0) await removeEvents(tx, cursor, ids);
  const done = chosen.isLast || (ids.length === 0 && chosen.rows.length < page.rows.length);
  return { events: ids.length, bytes: chosen.bytes, page: chosen, done, elsewhere: false };
}

/** SQLite has one writer anyway. */
async function lockRemovers(dbms: Db['dbms'], tx: Query): Promise<void> {
  if (dbms === 'postgres') await tx.all('SELECT pg_advisory_xact_lock($1)', [runnerLock]);
}

async function beginRemoval(dbms: Db['dbms'], tx: Query): Promise<number> {
  await lockRemovers(dbms, tx);
  const row = await tx.get<{ value: string }>(
    `INSERT INTO meta (name, value) VALUES ('retention_runner', '1')
     ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT) RETURNING value`,
  );
  return Number(row?.value);
}

/** One process at a time: two would each remove what is over the quota. */
async function isCurrentRunner(dbms: Db['dbms'], tx: Query, { runner }: EvictionCursor): Promise<boolean> {
  await lockRemovers(dbms, tx);
  const newest = await tx.get<{ value: string }>("SELECT value FROM meta WHERE name = 'retention_runner'");
  return Number(newest?.value) === runner;
}

/** Locks the issue before its events, in the order of storing one. Answers how many events are stored. */
async function lockIssue(tx: Query, { projectId, issueId }: EvictionCursor): Promise<number | null> {
  const row = await tx.get<{ stored: number }>(
    `UPDATE issues SET evicted_events = evicted_events WHERE project_id = $1 AND id = $2
     RETURNING own_events_count - evicted_events AS stored`,
    [projectId, issueId],
  );
  return row === undefined ? null : Number(row.stored);
}

async function limitPage(tx: Query, page: Page, eventsMax: number): Promise<Page & { bytes: number }> {
  const evictedIds = page.rows.filter(({ isEvicted }) => isEvicted).map(({ id }) => id);
  const weights = await weighRows(tx, evictedIds);
  let [events, bytes] = [0, 0];
  const cut = page.rows.findIndex(({ id, isEvicted }) => {
    if (!isEvicted) return false;
    const weight = weights.get(id) ?? 0;
    if (events >= eventsMax || (events > 0 && bytes + weight > sliceBytesMax)) return true;
    events += 1;
    bytes += weight;
    return false;
  });
  if (cut === -1) return { ...page, bytes };
  return { rows: page.rows.slice(0, cut), isLast: false, bytes };
}

async function removeEvents(tx: Query, { projectId, issueId }: EvictionCursor, ids: readonly number[]) {
  const list = toValueList(ids, 2);
  const values = [projectId, ...list.values];
  for (const table of tablesOfEvents) {
    await tx.run(
      `DELETE FROM ${table} WHERE project_id = $1 AND event_row IN (${list.placeholders})`,
      values,
    );
  }
  // By row id alone: with the index of the project SQLite would read all its events.
  const { changes } = await tx.run(
    `DELETE FROM events WHERE id IN (${list.placeholders}) AND project_id + 0 = $1`,
    values,
  );
  await tx.run('UPDATE issues SET evicted_events = evicted_events + $3 WHERE project_id = $1 AND id = $2', [
    projectId,
    issueId,
    changes,
  ]);
}

async function vacuumStep(db: Db): Promise<VacuumStep> {
  // PostgreSQL does it by itself.
  if (db.dbms === 'postgres') return { mode: 'not needed', pages: 0, done: true };
  const step = await db.write<VacuumStep>(async (tx) => {
    const mode = await tx.get<{ auto_vacuum: number }>('PRAGMA auto_vacuum');
    if (mode?.auto_vacuum !== incremental) return { mode: 'none', pages: 0, done: true };
    const free = (await tx.get<{ freelist_count: number }>('PRAGMA freelist_count'))?.freelist_count ?? 0;
    const pagesMax = Math.min(stepPages, free - sparePages);
    const startedMs = performance.now();
    let pages = 0;
    // One page each: run to its end, the statement would block the process.
    for (; pages < pagesMax && performance.now() - startedMs < stepMsMax; pages += 1) {
      await tx.run('PRAGMA incremental_vacuum(1)');
    }
    return { mode: 'steps', pages, done: pages >= free - sparePages };
  });
  // The file shrinks only at a checkpoint.
  if (step.done && step.pages > 0) await db.checkpointLog?.();
  return step;
}

interface PageRow {
  readonly id: number;
  readonly received_at_ms: number;
  readonly release: string | null;
  readonly event_id: string;
  readonly isEvicted: boolean;
}

interface Page {
  readonly rows: readonly PageRow[];
  readonly isLast: boolean;
}

async function readPage(
  query: Pick<Query, 'all' | 'get'>,
  cursor: EvictionCursor,
  rowsMax: number,
): Promise<Page> {
  const end = await endOf(query, cursor);
  if (end === null) return { rows: [], isLast: true };
  const { projectId, issueId, after } = cursor;
  const rows = await query.all<Omit<PageRow, 'isEvicted'>>(
    `SELECT id, received_at_ms, release, event_id FROM events
     WHERE project_id = $1 AND issue_id = $2 AND (received_at_ms, id) > ($3, $4) AND (received_at_ms, id) < ($5, $6)
     ORDER BY received_at_ms, id LIMIT $7`,
    [projectId, issueId, after?.atMs ?? Number.MIN_SAFE_INTEGER, after?.row ?? 0, end.atMs, end.row, rowsMax],
  );
  const named = cursor.protectedEvents.releases
    ? await namedByReports(query, projectId, rows)
    : new Set<string>();
  const seenReleases = new Set(cursor.keptByRelease.keys());
  const marked = rows.map((row, index) => {
    const isFirst = after === null && index === 0 && cursor.protectedEvents.first;
    const isNewRelease =
      cursor.protectedEvents.releases && row.release !== null && !seenReleases.has(row.release);
    if ((isFirst || isNewRelease) && row.release !== null) seenReleases.add(row.release);
    return { ...row, isEvicted: !isFirst && !isNewRelease && !named.has(row.event_id) };
  });
  return { rows: marked, isLast: rows.length < rowsMax };
}

/** The first event that must stay: the oldest promised one, or one that is too young. */
async function endOf(
  query: Pick<Query, 'get'>,
  { projectId, issueId, protectedEvents, beforeMs }: EvictionCursor,
): Promise<{ atMs: number; row: number } | null> {
  const cutoff = { atMs: beforeMs ?? Number.MAX_SAFE_INTEGER, row: 0 };
  const newest = Math.min(protectedEvents.newest, exactNewestMax);
  if (newest === 0) return cutoff;
  const row = await query.get<{ received_at_ms: number; id: number }>(
    `SELECT received_at_ms, id FROM events WHERE project_id = $1 AND issue_id = $2
     ORDER BY received_at_ms DESC, id DESC LIMIT 1 OFFSET $3`,
    [projectId, issueId, newest - 1],
  );
  if (row === undefined) return null;
  return row.received_at_ms < cutoff.atMs ? { atMs: row.received_at_ms, row: row.id } : cutoff;
}

async function namedByReports(
  query: Pick<Query, 'all'>,
  projectId: number,
  rows: ReadonlyArray<Pick<PageRow, 'event_id'>>,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const list = toValueList(
    rows.map((row) => row.event_id),
    2,
  );
  const named = await query.all<{ event_id: string }>(
    `SELECT event_id FROM feedback WHERE project_id = $1 AND event_id IN (${list.placeholders})`,
    [projectId, ...list.values],
  );
  return new Set(named.map((row) => row.event_id));
}

/** How many events may go by the issue's counter. */
function evictableCount({ protectedEvents, passed }: EvictionCursor, stored: number): number {
  if (protectedEvents.newest <= exactNewestMax) return Number.MAX_SAFE_INTEGER;
  return Math.max(0, stored - protectedEvents.newest - passed);
}

/** Whether the events kept for the first occurrence and for each release are still in the issue. */
async function keptEventsExist(tx: Query, { projectId, issueId, keptByRelease }: EvictionCursor) {
  const rows = [...new Set(keptByRelease.values())];
  for (let at = 0; at < rows.length; at += keptEventsPerQuery) {
    const batch = rows.slice(at, at + keptEventsPerQuery);
    const list = toValueList(batch, 3);
    const kept = `FROM events WHERE id IN (${list.placeholders}) AND project_id + 0 = $1 AND issue_id + 0 = $2`;
    if ((await countRows(tx, kept, [projectId, issueId, ...list.values])) !== batch.length) return false;
  }
  return true;
}

function resetCursor(cursor: EvictionCursor): void {
  cursor.after = null;
  cursor.passed = 0;
  cursor.keptByRelease.clear();
}

function advanceCursor(cursor: EvictionCursor, { rows }: Page): void {
  const [first] = rows;
  if (cursor.after === null && first?.isEvicted === false && cursor.protectedEvents.first)
    cursor.keptByRelease.set('', first.id);
  for (const { id, release, isEvicted } of rows) {
    if (isEvicted) continue;
    cursor.passed += 1;
    if (release !== null && !cursor.keptByRelease.has(release)) cursor.keptByRelease.set(release, id);
  }
  const last = rows.at(-1);
  if (last !== undefined) cursor.after = { atMs: last.received_at_ms, row: last.id };
}
