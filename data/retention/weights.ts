// What events hold, as a quota of bytes counts it: their bodies and attachments as they are stored, and a
// flat amount for what stands in rows and indexes. Queries only.
import { setImmediate } from 'node:timers/promises';
import type { ProjectWeight } from '../../src/core/store/storage/retention.ts';
import type { Db, Query } from '../db.ts';
import { listOf } from '../value-lists.ts';

/**
 * Columns and indexes take 600 of it. The rest is what pages leave empty when most of their rows went, and
 * what is counted beside: so that a SQLite file stays within the quotas of its projects (D-173).
 */
const rowBytes = 1800;

const pageRows = 1_000;

/** What each of these events holds, at most 1,000 of them. */
export async function weighRows(
  query: Pick<Query, 'all'>,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const weights = new Map(ids.map((id) => [id, rowBytes]));
  if (ids.length === 0) return weights;
  const list = listOf(ids, 1);
  const rows = await query.all<{ event_row: number; bytes: number }>(
    `SELECT event_row, LENGTH(body) AS bytes FROM event_bodies WHERE event_row IN (${list.marks})
     UNION ALL SELECT event_row, SUM(LENGTH(bytes)) AS bytes FROM event_attachments
       WHERE event_row IN (${list.marks}) GROUP BY event_row`,
    list.values,
  );
  for (const { event_row: row, bytes } of rows) weights.set(row, (weights.get(row) ?? 0) + Number(bytes));
  return weights;
}

/** The same of every project, in pages beside whoever is served. */
export async function weighEvents(db: Db, isOver: () => boolean): Promise<ProjectWeight[]> {
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

/** A length is read without reading what is that long. */
const weighed = [
  { table: 'event_bodies', key: 'event_row', size: 'LENGTH(body)', flat: rowBytes },
  { table: 'event_attachments', key: 'id', size: 'LENGTH(bytes)', flat: 0 },
] as const;
