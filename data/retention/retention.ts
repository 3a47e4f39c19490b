// Removing the oldest events of an issue, slice by slice, with all that belongs to them. Counters are left as
// they are: what happened stays known when how it happened is gone. Queries only; what may go is the rules'.
import type {
  EvictionStep,
  EvictionWalk,
  KeptIssue,
  RetentionStore,
} from '../../src/core/store/storage/retention.ts';
import type { Db, Query } from '../db.ts';
import { lockMovers } from '../issues/moving.ts';
import { listOf } from '../value-lists.ts';
import { vacuumStep } from './vacuum.ts';
import { fromTheStart, keepersAreThere, moveOn, type Page, readPage, roomOf } from './walk.ts';
import { weighEvents, weighRows } from './weights.ts';

/**
 * What belongs to an event and goes with it: `project_id` and `event_row` name it. Without its place in the
 * journal of a regroup nothing is left that a later event of the same row number could be taken for.
 */
export const goingWithEvents = [
  'event_attachments',
  'event_bodies',
  'late_groupings',
  'awaited_maps',
] as const;

/** Bytes that one transaction frees, beyond its first event: pages that are let go are written too. */
const sliceBytesMax = 1024 * 1024;

/** Any number, the same in every process that removes events. */
const runnerLock = 7_205_759_404;

/** The queries of `RetentionStore`. */
export function retentionStore(db: Db): RetentionStore {
  return {
    listKeptIssues: (afterId, limit) =>
      db.all<KeptIssue>(
        `SELECT id, project_id AS "projectId", own_events_count - evicted_events AS stored,
           own_first_seen_ms AS "firstSeenMs", own_last_seen_ms AS "lastSeenMs" FROM issues
         WHERE id > $1 AND own_events_count > evicted_events ORDER BY id LIMIT $2`,
        [afterId, limit],
      ),
    beginRemoval: () => db.write((tx) => beginRemoval(db.dbms, tx)),
    lookAtOldest: (walk, rowsMax) => look(db, walk, rowsMax),
    removeOldest: (walk, rowsMax, eventsMax) => remove(db, walk, rowsMax, eventsMax),
    weighEvents: (isOver) => weighEvents(db, isOver),
    vacuumStep: () => vacuumStep(db),
  };
}

async function look(db: Db, walk: EvictionWalk, rowsMax: number): Promise<EvictionStep> {
  const startedMs = performance.now();
  const page = await readPage(db, walk, rowsMax);
  moveOn(walk, page);
  const victims = page.rows.filter(({ goes }) => goes);
  const tookMs = performance.now() - startedMs;
  const done = page.isLast;
  const rows = page.rows.length;
  return { events: victims.length, bytes: 0, rows, done, elsewhere: false, tookMs, waitedMs: 0 };
}

async function remove(db: Db, walk: EvictionWalk, rowsMax: number, eventsMax: number): Promise<EvictionStep> {
  const askedMs = performance.now();
  const { page, startedMs, ...step } = await db.write(async (tx) => {
    const startedMs = performance.now();
    return { ...(await removeSlice(db.dbms, tx, walk, rowsMax, eventsMax)), startedMs };
  });
  // Nobody is served during the commit either.
  const tookMs = performance.now() - startedMs;
  // Only what was committed moves the walk on.
  if (page !== null) moveOn(walk, page);
  return { ...step, rows: page?.rows.length ?? 0, tookMs, waitedMs: startedMs - askedMs };
}

type Removed = Omit<EvictionStep, 'rows' | 'tookMs' | 'waitedMs'> & { readonly page: Page | null };

async function removeSlice(
  dbms: Db['dbms'],
  tx: Query,
  walk: EvictionWalk,
  rowsMax: number,
  eventsMax: number,
): Promise<Removed> {
  const nothing = { events: 0, bytes: 0, page: null };
  if (!(await hasTurn(dbms, tx, walk))) return { ...nothing, done: true, elsewhere: true };
  await lockMovers(tx, walk.projectId);
  const stored = await lockIssue(tx, walk);
  if (stored === null) return { ...nothing, done: true, elsewhere: false };
  if (!(await keepersAreThere(tx, walk))) {
    fromTheStart(walk);
    return { ...nothing, done: false, elsewhere: false };
  }
  const page = await readPage(tx, walk, rowsMax);
  const chosen = await withinRoom(tx, page, Math.min(eventsMax, roomOf(walk, stored)));
  const ids = chosen.rows.filter(({ goes }) => goes).map(({ id }) => id);
  if (ids.length > 0) await removeEvents(tx, walk, ids);
  const done = chosen.isLast || (ids.length === 0 && chosen.rows.length < page.rows.length);
  return { events: ids.length, bytes: chosen.bytes, page: chosen, done, elsewhere: false };
}

/** Waits for the slice that another process is at; SQLite has one writer anyway. */
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

/**
 * One remover at a time where several processes share a database: two that each remove what is over the quota
 * would remove it twice.
 */
async function hasTurn(dbms: Db['dbms'], tx: Query, { runner }: EvictionWalk): Promise<boolean> {
  await lockRemovers(dbms, tx);
  const newest = await tx.get<{ value: string }>("SELECT value FROM meta WHERE name = 'retention_runner'");
  return Number(newest?.value) === runner;
}

/**
 * Locks the issue before any event of it: an event that is being filed does so too, and neither waits for the
 * other in a circle. Answers how many events of it are stored.
 */
async function lockIssue(tx: Query, { projectId, issueId }: EvictionWalk): Promise<number | null> {
  const row = await tx.get<{ stored: number }>(
    `UPDATE issues SET evicted_events = evicted_events WHERE project_id = $1 AND id = $2
     RETURNING own_events_count - evicted_events AS stored`,
    [projectId, issueId],
  );
  return row === undefined ? null : Number(row.stored);
}

/** The beginning of a page that one transaction may remove. */
async function withinRoom(tx: Query, page: Page, eventsMax: number): Promise<Page & { bytes: number }> {
  const going = page.rows.filter(({ goes }) => goes).map(({ id }) => id);
  const weights = await weighRows(tx, going);
  let [events, bytes] = [0, 0];
  const cut = page.rows.findIndex(({ id, goes }) => {
    if (!goes) return false;
    const weight = weights.get(id) ?? 0;
    if (events >= eventsMax || (events > 0 && bytes + weight > sliceBytesMax)) return true;
    events += 1;
    bytes += weight;
    return false;
  });
  if (cut === -1) return { ...page, bytes };
  return { rows: page.rows.slice(0, cut), isLast: false, bytes };
}

async function removeEvents(
  tx: Query,
  { projectId, issueId }: EvictionWalk,
  ids: readonly number[],
): Promise<void> {
  const list = listOf(ids, 2);
  const values = [projectId, ...list.values];
  for (const table of goingWithEvents) {
    await tx.run(`DELETE FROM ${table} WHERE project_id = $1 AND event_row IN (${list.marks})`, values);
  }
  // By the row alone: SQLite would take the index of the project and read all of its events.
  const { changes } = await tx.run(
    `DELETE FROM events WHERE id IN (${list.marks}) AND project_id + 0 = $1`,
    values,
  );
  await tx.run('UPDATE issues SET evicted_events = evicted_events + $3 WHERE project_id = $1 AND id = $2', [
    projectId,
    issueId,
    changes,
  ]);
}
