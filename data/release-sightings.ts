// A release that an event names: its last event noted.
import { otherName } from '../src/core/bounds.ts';
import type { Query } from './db.ts';

/**
 * Notes that a release was seen in an event. `version` is sanitised and was admitted (`NameRoom.admit`). False when it
 * is not there: it was deleted since it was remembered.
 */
export async function touchRelease(
  tx: Query,
  projectId: number,
  version: string,
  nowMs: number,
): Promise<boolean> {
  const seen = await tx.run(
    `UPDATE releases SET last_event_at_ms = $3, first_event_at_ms = COALESCE(first_event_at_ms, $3)
     WHERE project_id = $1 AND version = $2`,
    [projectId, version, nowMs],
  );
  if (seen.changes > 0 || version !== otherName) return seen.changes > 0;
  // The place of all that have none: kept free, and so taken without asking.
  await tx.run(
    `INSERT INTO releases (project_id, version, created_at_ms, first_event_at_ms, last_event_at_ms)
     VALUES ($1, $2, $3, $3, $3)
     ON CONFLICT (project_id, version) DO UPDATE SET last_event_at_ms = excluded.last_event_at_ms`,
    [projectId, version, nowMs],
  );
  return true;
}
