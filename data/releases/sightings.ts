// A release that an event names: its first and its last event noted.
import type { Query } from '../db.ts';

/**
 * Notes that a release was seen in an event. `version` is sanitised and was admitted (`NameRoom.admit`).
 * False when it is not there: it was deleted since it was remembered, or it is the name of all that have no
 * place.
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
  return seen.changes > 0;
}
