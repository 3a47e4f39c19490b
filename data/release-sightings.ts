// A release that an event names: made on its first event, and its last event noted.
import { versionSortKey } from '../src/core/release-version.ts';
import type { Query } from './db.ts';

/** Makes the release that an event names, or notes that it was seen again. `version` is already sanitised. */
export async function touchRelease(
  tx: Query,
  projectId: number,
  version: string,
  nowMs: number,
): Promise<void> {
  const seen = await tx.run(
    `UPDATE releases SET last_event_at_ms = $3, first_event_at_ms = COALESCE(first_event_at_ms, $3)
     WHERE project_id = $1 AND version = $2`,
    [projectId, version, nowMs],
  );
  if (seen.changes > 0) return;
  await tx.run(
    `INSERT INTO releases (project_id, version, version_sort, created_at_ms, first_event_at_ms, last_event_at_ms)
     VALUES ($1, $2, $3, $4, $4, $4)
     ON CONFLICT (project_id, version) DO UPDATE SET last_event_at_ms = excluded.last_event_at_ms,
       first_event_at_ms = COALESCE(releases.first_event_at_ms, excluded.first_event_at_ms)`,
    [projectId, version, versionSortKey(version), nowMs],
  );
}
