// Reads by row id.
import { startOfHour } from '../../src/core/parsing/durations.ts';
import type { LiveEvent, LiveFilter, LiveStore } from '../../src/core/store/page-queries.ts';
import { type Db, type SqlValue, storePart } from '../db.ts';
import { type EventPosition, listNewestPositions, newestPosition } from '../events/newest.ts';
import { toValueList } from '../value-lists.ts';

const columns = `events.id AS row, events.project_id AS "projectId",
  COALESCE(own.merged_into, own.id) AS "issueId", events.event_id AS "eventId",
  events.received_at_ms AS "receivedAtMs", events.level, events.title, events.culprit`;
const tables = 'events JOIN issues own ON own.id = events.issue_id';

export function liveReads(db: Db): LiveStore {
  return { rowsInOrder: db.dbms === 'sqlite', ...liveQueries(db) };
}

const liveQueries = storePart({
  /** Inserts hold this lock from before the id is drawn until the commit. */
  async eventWriters(db) {
    if (db.dbms === 'sqlite') return [];
    const rows = await db.all<{ writer: string }>(
      `SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
       WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND relation = CAST('events' AS regclass)
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows.map(({ writer }) => writer);
  },
  async newestEventRow(db) {
    return Number(
      (await db.get<{ newest: number | null }>('SELECT MAX(id) AS newest FROM events'))?.newest ?? 0,
    );
  },
  listEventsFrom(db, row, limit) {
    return db.all<LiveEvent>(
      `SELECT ${columns} FROM ${tables} WHERE events.id >= $1 ORDER BY events.id LIMIT $2`,
      [row, limit],
    );
  },
  listEventsBetween: (db, afterRow, upToRow, filter, limit) =>
    listEventsBetween(db, [afterRow, upToRow], filter, limit),
  async listProjectEvents(db, projectId, upToRow, limit) {
    const upTo = upToRow === null ? newestPosition : await positionOfRow(db, upToRow);
    const positions = await listNewestPositions(db, projectId, upTo, limit);
    if (positions.length === 0) return [];
    const ids = positions.map(({ id }) => id);
    const { placeholders, values } = toValueList(ids, 1);
    return db.all<LiveEvent>(
      `SELECT ${columns} FROM ${tables} WHERE events.id IN (${placeholders})
       ORDER BY events.received_at_ms DESC, events.id DESC`,
      values,
    );
  },
  async sumOutcomes(db, projectIds, fromMs, toMs) {
    if (projectIds.length === 0) return [];
    const { placeholders, values } = toValueList(projectIds, 4);
    return db.all(
      `SELECT project_id AS "projectId", outcome, reason, CAST(SUM(quantity) AS BIGINT) AS quantity FROM outcomes
       WHERE category = $1 AND hour_ms >= $2 AND hour_ms < $3 AND project_id IN (${placeholders})
       GROUP BY project_id, outcome, reason ORDER BY project_id, outcome, reason`,
      ['error', startOfHour(fromMs), toMs, ...values],
    );
  },
});

async function listEventsBetween(
  db: Db,
  bounds: readonly [number, number],
  { projectIds, level }: LiveFilter,
  limit: number,
): Promise<LiveEvent[]> {
  const values: SqlValue[] = [...bounds];
  const conditions = ['events.id > $1', 'events.id <= $2'];
  if (projectIds?.length === 0) return [];
  if (projectIds !== null) {
    const list = toValueList(projectIds, 3);
    values.push(...list.values);
    conditions.push(`events.project_id IN (${list.placeholders})`);
  }
  if (level !== null) conditions.push(`events.level = $${values.push(level)}`);
  return db.all<LiveEvent>(
    `SELECT ${columns} FROM ${tables} WHERE ${conditions.join(' AND ')}
     ORDER BY events.id DESC LIMIT $${values.push(limit)}`,
    values,
  );
}

/** Where the row was removed, the one before it says when that was. */
async function positionOfRow(db: Db, row: number): Promise<EventPosition> {
  const found = await db.get<{ received_at_ms: number }>(
    'SELECT received_at_ms FROM events WHERE id <= $1 ORDER BY id DESC LIMIT 1',
    [row],
  );
  return { id: row, received_at_ms: found?.received_at_ms ?? 0 };
}
