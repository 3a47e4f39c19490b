// What is known of the kits that send: counted with every event, so that nothing has to be scanned for.
import type { Query } from './db.ts';

export interface SdkSighting {
  readonly projectId: number;
  readonly domain: string | null;
  readonly sdkName: string | null;
  readonly sdkVersion: string | null;
  readonly atMs: number;
}

/** Rows of one project: names are told by clients, so that past this they are counted as `other`. */
const sdkRowsMax = 500;

/** Counts one event of a kit inside a transaction. */
export async function countSdkEvent(tx: Query, seen: SdkSighting): Promise<void> {
  const key = [seen.domain ?? '', seen.sdkName ?? '', seen.sdkVersion ?? ''];
  const counted = await tx.run(
    `UPDATE sdk_statistics SET events = events + 1, last_event_at_ms = $5, last_seen_ms = $5,
       first_event_at_ms = COALESCE(first_event_at_ms, $5)
     WHERE project_id = $1 AND domain = $2 AND sdk_name = $3 AND sdk_version = $4`,
    [seen.projectId, ...key, seen.atMs],
  );
  if (counted.changes > 0) return;
  await tx.run(
    `INSERT INTO sdk_statistics (project_id, domain, sdk_name, sdk_version, events, verifications,
       first_event_at_ms, last_event_at_ms, first_seen_ms, last_seen_ms)
     VALUES ($1, $2, $3, $4, 1, 0, $5, $5, $5, $5)
     ON CONFLICT (project_id, domain, sdk_name, sdk_version) DO UPDATE SET
       events = sdk_statistics.events + 1, last_event_at_ms = excluded.last_event_at_ms,
       last_seen_ms = excluded.last_seen_ms,
       first_event_at_ms = COALESCE(sdk_statistics.first_event_at_ms, excluded.first_event_at_ms)`,
    [seen.projectId, ...(await crowdedKey(tx, seen.projectId, key)), seen.atMs],
  );
}

/** The key itself while there is room for a new row, else one that all late-comers share. */
async function crowdedKey(tx: Query, projectId: number, key: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.get<{ rows: number }>(
    'SELECT COUNT(*) AS rows FROM sdk_statistics WHERE project_id = $1',
    [projectId],
  );
  return (rows?.rows ?? 0) >= sdkRowsMax ? ['', 'other', ''] : key;
}
