// No index is by project and time: the newest events are gathered from issues, those seen last first.
import { createYielder } from '../../src/core/parsing/yield-to-event-loop.ts';
import type { Db } from '../db.ts';
import { toValueList } from '../value-lists.ts';

export interface EventPosition {
  readonly id: number;
  readonly received_at_ms: number;
}

interface IssuePart {
  readonly id: number;
  readonly stored: number;
  readonly own_last_seen_ms: number;
}

const headsOfSlice = 100;
const issuesOfBatch = 100;
/** Events of a batch are sorted; an issue with more is a batch of its own, read in the order of the index. */
const eventsOfBatch = 1_000;

export const newestPosition: EventPosition = {
  id: Number.MAX_SAFE_INTEGER,
  received_at_ms: Number.MAX_SAFE_INTEGER,
};

/** The newest events of the project from `upTo` on, which is one of them: as many as `limit`, the newest first. */
export async function listNewestPositions(
  db: Db,
  projectId: number,
  upTo: EventPosition,
  limit: number,
): Promise<EventPosition[]> {
  const yieldToEventLoop = createYielder();
  let found: EventPosition[] = [];
  let oldestMs = 0;
  for (let last = { id: newestPosition.id, last_seen_ms: newestPosition.received_at_ms }; ; ) {
    const heads = await db.all<{ id: number; last_seen_ms: number }>(
      `SELECT id, last_seen_ms FROM issues WHERE project_id = $1 AND merged_into IS NULL AND last_seen_ms >= $2
         AND (last_seen_ms, id) < ($3, $4) ORDER BY last_seen_ms DESC, id DESC LIMIT $5`,
      [projectId, oldestMs, last.last_seen_ms, last.id, headsOfSlice],
    );
    for (const batch of toBatches(await listParts(db, projectId, heads, upTo))) {
      const seen = batch.filter((issue) => issue.own_last_seen_ms >= oldestMs);
      if (seen.length === 0) continue;
      const ids = seen.map(({ id }) => id);
      const { placeholders, values } = toValueList(ids, 6);
      const positions = await db.all<EventPosition>(
        `SELECT id, received_at_ms FROM events WHERE project_id = $1 AND issue_id IN (${placeholders})
           AND received_at_ms >= $2 AND (received_at_ms, id) <= ($3, $4)
         ORDER BY received_at_ms DESC, id DESC LIMIT $5`,
        [projectId, oldestMs, upTo.received_at_ms, upTo.id, limit, ...values],
      );
      found = [...found, ...positions].sort(newestFirst).slice(0, limit);
      oldestMs = found[limit - 1]?.received_at_ms ?? 0;
      await yieldToEventLoop();
    }
    const next = heads.at(-1);
    if (next === undefined || heads.length < headsOfSlice) return found;
    last = next;
    await yieldToEventLoop();
  }
}

/** The heads and what was merged into them, as far as events are stored that may be of the list. */
async function listParts(
  db: Db,
  projectId: number,
  heads: ReadonlyArray<{ readonly id: number }>,
  upTo: EventPosition,
): Promise<IssuePart[]> {
  if (heads.length === 0) return [];
  const ids = heads.map(({ id }) => id);
  const { placeholders, values } = toValueList(ids, 3);
  const columns = 'id, own_events_count - evicted_events AS stored, own_last_seen_ms';
  const isStored = '+project_id = $1 AND own_events_count > evicted_events AND own_first_seen_ms <= $2';
  const parts = await db.all<IssuePart>(
    `SELECT ${columns} FROM issues WHERE id IN (${placeholders}) AND ${isStored}
     UNION ALL SELECT ${columns} FROM issues WHERE merged_into IN (${placeholders}) AND ${isStored}`,
    [projectId, upTo.received_at_ms, ...values],
  );
  return parts.sort((one, other) => other.own_last_seen_ms - one.own_last_seen_ms);
}

function toBatches(parts: readonly IssuePart[]): IssuePart[][] {
  const batches: IssuePart[][] = [];
  let stored = 0;
  for (const part of parts) {
    const batch = batches.at(-1);
    stored += part.stored;
    if (batch !== undefined && stored <= eventsOfBatch && batch.length < issuesOfBatch) batch.push(part);
    else {
      batches.push([part]);
      stored = part.stored;
    }
  }
  return batches;
}

function newestFirst(one: EventPosition, other: EventPosition): number {
  return other.received_at_ms - one.received_at_ms || other.id - one.id;
}
