import { dayMs, hourOf } from '../../src/core/reading/spans.ts';
import type { SdkStatistics, SdkStatisticsStore } from '../../src/core/store/counts/sdk-statistics.ts';
import { compareKeys } from '../compare-keys.ts';
import type { Db, Query, RowStatement, Transaction } from '../db.ts';
import { isLiveProject } from '../projects/projects.ts';

export interface SdkSighting {
  readonly projectId: number;
  readonly domain: string | null;
  readonly sdkName: string | null;
  readonly sdkVersion: string | null;
  readonly eventId: string;
  readonly atMs: number;
}

/** Rows of one project. Clients choose names: further ones count as `other`. */
const sdkRowsMax = 500;

interface SdkRow {
  readonly sdk_name: string;
  readonly sdk_version: string;
  readonly events: number;
  readonly verifications: number;
  readonly first_event_at_ms: number | null;
  readonly last_event_at_ms: number | null;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
}

export function sdkStatisticsStore(db: Db): SdkStatisticsStore {
  return {
    async projectStatistics(projectId, nowMs) {
      const day = await db.get<{ events: number }>(
        `SELECT CAST(COALESCE(SUM(quantity), 0) AS BIGINT) AS events FROM outcomes
         WHERE project_id = $1 AND hour_ms > $2 AND outcome = 'accepted' AND category = 'error'`,
        [projectId, hourOf(nowMs) - dayMs],
      );
      const open = await db.get<{ issues: number }>(
        `SELECT COUNT(*) AS issues FROM issues
         WHERE project_id = $1 AND status = 'unresolved' AND merged_into IS NULL`,
        [projectId],
      );
      const last = await db.get<{ last_event_id: string | null }>(
        `SELECT last_event_id FROM sdk_statistics WHERE project_id = $1 AND last_event_at_ms IS NOT NULL
         ORDER BY last_event_at_ms DESC LIMIT 1`,
        [projectId],
      );
      return {
        ...(await readStatistics(db, projectId)),
        events24h: day?.events ?? 0,
        issuesOpen: open?.issues ?? 0,
        lastEventId: last?.last_event_id ?? null,
      };
    },
    countVerification: (seen) =>
      db.write(async (tx) => {
        if (!(await isLiveProject(tx, seen.projectId))) return;
        const key = await crowdedKey(tx, seen.projectId, [seen.domain ?? '', seen.sdkName, seen.sdkVersion]);
        await tx.run(
          `INSERT INTO sdk_statistics (project_id, domain, sdk_name, sdk_version, events, verifications,
             first_event_at_ms, last_event_at_ms, first_seen_ms, last_seen_ms)
           VALUES ($1, $2, $3, $4, 0, 1, NULL, NULL, $5, $5)
           ON CONFLICT (project_id, domain, sdk_name, sdk_version) DO UPDATE SET
             verifications = sdk_statistics.verifications + 1, last_seen_ms = excluded.last_seen_ms`,
          [seen.projectId, ...key, seen.atMs],
        );
      }),
  };
}

async function readStatistics(db: Db, projectId: number): Promise<SdkStatistics> {
  const rows = await db.all<SdkRow>(
    `SELECT sdk_name, sdk_version, events, verifications, first_event_at_ms, last_event_at_ms, first_seen_ms, last_seen_ms
     FROM sdk_statistics WHERE project_id = $1
     ORDER BY last_seen_ms DESC, sdk_name, sdk_version`,
    [projectId],
  );
  const times = (column: 'first_event_at_ms' | 'last_event_at_ms'): number[] =>
    rows.flatMap((row) => row[column] ?? []);
  const first = times('first_event_at_ms');
  const last = times('last_event_at_ms');
  return {
    eventsTotal: rows.reduce((sum, row) => sum + row.events, 0),
    verifications: rows.reduce((sum, row) => sum + row.verifications, 0),
    firstEventAtMs: first.length === 0 ? null : Math.min(...first),
    lastEventAtMs: last.length === 0 ? null : Math.max(...last),
    sdks: mergedByName(rows),
  };
}

/** An SDK that was seen on several domains is one SDK. */
function mergedByName(rows: readonly SdkRow[]): SdkStatistics['sdks'] {
  const byName = new Map<string, SdkStatistics['sdks'][number]>();
  for (const row of rows) {
    const key = JSON.stringify([row.sdk_name, row.sdk_version]);
    const before = byName.get(key);
    byName.set(key, {
      name: row.sdk_name,
      version: row.sdk_version,
      events: row.events + (before?.events ?? 0),
      firstSeenMs: Math.min(row.first_seen_ms, before?.firstSeenMs ?? row.first_seen_ms),
      lastSeenMs: Math.max(row.last_seen_ms, before?.lastSeenMs ?? row.last_seen_ms),
    });
  }
  return [...byName.values()];
}

const addToRow: RowStatement = {
  sql: `UPDATE sdk_statistics SET events = events + $5, last_event_at_ms = $6, last_seen_ms = $6, last_event_id = $7,
      first_event_at_ms = COALESCE(first_event_at_ms, $8)
    WHERE project_id = $1 AND domain = $2 AND sdk_name = $3 AND sdk_version = $4`,
  types: ['bigint', 'text', 'text', 'text', 'bigint', 'bigint', 'text', 'bigint'],
};

/** `seen` is in the order in which the events came. */
export async function countSdkEvents(tx: Transaction, seen: readonly SdkSighting[]): Promise<void> {
  const rows = summedSightings(seen).sort((left, right) => compareKeys(left, right, 4));
  const missed = await tx.updateMany(addToRow, rows);
  if (missed.length === 0) return;
  // In the given order: the first new SDK takes the last free row.
  const unknown = new Set(missed.map((at) => keyOf(rows[at] as KitRow)));
  for (const each of seen) if (unknown.has(keyOf(rowOf(each)))) await countNewKit(tx, rowOf(each));
}

type KitRow = readonly [
  projectId: number,
  domain: string,
  name: string,
  version: string,
  events: number,
  lastMs: number,
  lastEventId: string,
  firstMs: number,
];

function rowOf({ projectId, domain, sdkName, sdkVersion, atMs, eventId }: SdkSighting): KitRow {
  return [projectId, domain ?? '', sdkName ?? '', sdkVersion ?? '', 1, atMs, eventId, atMs];
}

function keyOf([projectId, domain, name, version]: KitRow): string {
  return `${projectId}\n${domain}\n${name}\n${version}`;
}

function summedSightings(seen: readonly SdkSighting[]): KitRow[] {
  const rows = new Map<string, KitRow>();
  for (const each of seen) {
    const row = rowOf(each);
    const key = keyOf(row);
    const before = rows.get(key);
    const [projectId, domain, name, version, , lastMs, lastId] = row;
    if (before === undefined) rows.set(key, row);
    else rows.set(key, [projectId, domain, name, version, before[4] + 1, lastMs, lastId, before[7]]);
  }
  return [...rows.values()];
}

async function countNewKit(tx: Query, row: KitRow): Promise<void> {
  const [projectId, domain, name, version, ...counts] = row;
  await tx.run(
    `INSERT INTO sdk_statistics (project_id, domain, sdk_name, sdk_version, events, verifications,
       first_event_at_ms, last_event_at_ms, last_event_id, first_seen_ms, last_seen_ms)
     VALUES ($1, $2, $3, $4, $5, 0, $8, $6, $7, $8, $6)
     ON CONFLICT (project_id, domain, sdk_name, sdk_version) DO UPDATE SET
       events = sdk_statistics.events + excluded.events, last_event_at_ms = excluded.last_event_at_ms,
       last_event_id = excluded.last_event_id,
       last_seen_ms = excluded.last_seen_ms,
       first_event_at_ms = COALESCE(sdk_statistics.first_event_at_ms, excluded.first_event_at_ms)`,
    [projectId, ...(await crowdedKey(tx, projectId, [domain, name, version])), ...counts],
  );
}

/** The key itself while the project has room for a new row, else the shared one. */
async function crowdedKey(tx: Query, projectId: number, key: readonly string[]): Promise<readonly string[]> {
  const there = await tx.get(
    'SELECT 1 AS there FROM sdk_statistics WHERE project_id = $1 AND domain = $2 AND sdk_name = $3 AND sdk_version = $4',
    [projectId, ...key],
  );
  if (there !== undefined) return key;
  const rows = await tx.get<{ rows: number }>(
    'SELECT COUNT(*) AS rows FROM sdk_statistics WHERE project_id = $1',
    [projectId],
  );
  return (rows?.rows ?? 0) >= sdkRowsMax ? ['', 'other', ''] : key;
}
