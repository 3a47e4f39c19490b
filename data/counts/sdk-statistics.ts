import { dayMs, startOfHour } from '../../src/core/parsing/durations.ts';
import type { SdkStatistics } from '../../src/core/store/counts.ts';
import { type Db, type Query, type RowStatement, storePart, type Transaction } from '../db.ts';
import { countRows } from '../paging.ts';
import { isLiveProject } from '../projects/projects.ts';
import { integer, nullable, type RowOf, tableOf, text } from '../table.ts';
import { compareKeys } from '../value-lists.ts';

export interface SdkUse {
  readonly projectId: number;
  readonly domain: string | null;
  readonly sdkName: string | null;
  readonly sdkVersion: string | null;
  readonly eventId: string;
  readonly atMs: number;
}

/** Rows of one project. Clients choose names: further ones count as `other`. */
const sdkRowsMax = 500;

const sdkStatistics = tableOf('sdk_statistics', {
  projectId: integer,
  domain: text,
  sdkName: text,
  sdkVersion: text,
  events: integer,
  verifications: integer,
  firstEventAtMs: nullable(integer),
  lastEventAtMs: nullable(integer),
  lastEventId: nullable(text),
  firstSeenMs: integer,
  lastSeenMs: integer,
});
type SdkRow = RowOf<typeof sdkStatistics>;

const key = ['projectId', 'domain', 'sdkName', 'sdkVersion'] as const;
const verified = sdkStatistics.mergeOn({
  key,
  otherwise: 'kept',
  rules: { verifications: 'sum', lastSeenMs: 'given' },
});
const counted = sdkStatistics.mergeOn({
  key,
  otherwise: 'given',
  rules: { events: 'sum', verifications: 'kept', firstEventAtMs: 'kept unless null', firstSeenMs: 'kept' },
});

export const sdkStatisticsStore = storePart(
  {
    async projectStatistics(db, projectId, nowMs) {
      const day = await db.get<{ events: number }>(
        `SELECT CAST(COALESCE(SUM(quantity), 0) AS BIGINT) AS events FROM outcomes
         WHERE project_id = $1 AND hour_ms > $2 AND outcome = 'accepted' AND category = 'error'`,
        [projectId, startOfHour(nowMs) - dayMs],
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
  },
  {
    async countVerification(tx, verification) {
      if (!(await isLiveProject(tx, verification.projectId))) return;
      const { projectId, atMs } = verification;
      const names = await crowdedKey(tx, projectId, [
        verification.domain ?? '',
        verification.sdkName,
        verification.sdkVersion,
      ]);
      const noEvents = { firstEventAtMs: null, lastEventAtMs: null, lastEventId: null };
      const row = { ...names, ...noEvents, projectId, events: 0, verifications: 1 };
      await sdkStatistics.insert(
        tx,
        { ...row, firstSeenMs: atMs, lastSeenMs: atMs },
        { onConflict: verified },
      );
    },
  },
);

async function readStatistics(db: Db, projectId: number): Promise<SdkStatistics> {
  const rows = await sdkStatistics.list(
    db,
    'WHERE project_id = $1 ORDER BY last_seen_ms DESC, sdk_name, sdk_version',
    [projectId],
  );
  const first = rows.flatMap((row) => row.firstEventAtMs ?? []);
  const last = rows.flatMap((row) => row.lastEventAtMs ?? []);
  return {
    eventsTotal: rows.reduce((sum, row) => sum + row.events, 0),
    verifications: rows.reduce((sum, row) => sum + row.verifications, 0),
    firstEventAtMs: first.length === 0 ? null : Math.min(...first),
    lastEventAtMs: last.length === 0 ? null : Math.max(...last),
    sdks: mergedByName(rows),
  };
}

function mergedByName(rows: readonly SdkRow[]): SdkStatistics['sdks'] {
  const byName = new Map<string, SdkStatistics['sdks'][number]>();
  for (const row of rows) {
    const key = JSON.stringify([row.sdkName, row.sdkVersion]);
    const before = byName.get(key);
    byName.set(key, {
      name: row.sdkName,
      version: row.sdkVersion,
      events: row.events + (before?.events ?? 0),
      firstSeenMs: Math.min(row.firstSeenMs, before?.firstSeenMs ?? row.firstSeenMs),
      lastSeenMs: Math.max(row.lastSeenMs, before?.lastSeenMs ?? row.lastSeenMs),
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

/** `uses` is in the order in which the events came. */
export async function countSdkEvents(tx: Transaction, uses: readonly SdkUse[]): Promise<void> {
  const rows = sumUses(uses).sort((left, right) => compareKeys(left, right, 4));
  const missed = await tx.updateMany(addToRow, rows);
  if (missed.length === 0) return;
  // In the given order: the first new SDK takes the last free row.
  const unknown = new Set(missed.map((at) => keyOf(rows[at] as SdkUseRow)));
  for (const each of uses) if (unknown.has(keyOf(rowOf(each)))) await countNewSdk(tx, rowOf(each));
}

type SdkUseRow = readonly [
  projectId: number,
  domain: string,
  name: string,
  version: string,
  events: number,
  lastMs: number,
  lastEventId: string,
  firstMs: number,
];

function rowOf({ projectId, domain, sdkName, sdkVersion, atMs, eventId }: SdkUse): SdkUseRow {
  return [projectId, domain ?? '', sdkName ?? '', sdkVersion ?? '', 1, atMs, eventId, atMs];
}

function keyOf([projectId, domain, name, version]: SdkUseRow): string {
  return `${projectId}\n${domain}\n${name}\n${version}`;
}

function sumUses(uses: readonly SdkUse[]): SdkUseRow[] {
  const rows = new Map<string, SdkUseRow>();
  for (const each of uses) {
    const row = rowOf(each);
    const key = keyOf(row);
    const before = rows.get(key);
    const [projectId, domain, name, version, , lastMs, lastId] = row;
    if (before === undefined) rows.set(key, row);
    else rows.set(key, [projectId, domain, name, version, before[4] + 1, lastMs, lastId, before[7]]);
  }
  return [...rows.values()];
}

async function countNewSdk(tx: Query, row: SdkUseRow): Promise<void> {
  const [projectId, domain, name, version, events, lastMs, lastEventId, firstMs] = row;
  const names = await crowdedKey(tx, projectId, [domain, name, version]);
  const times = { firstEventAtMs: firstMs, lastEventAtMs: lastMs, firstSeenMs: firstMs, lastSeenMs: lastMs };
  await sdkStatistics.insert(
    tx,
    { ...names, ...times, projectId, events, verifications: 0, lastEventId },
    { onConflict: counted },
  );
}

/** The key itself while the project has room for a new row, else the shared one. */
async function crowdedKey(tx: Query, projectId: number, [domain, name, version]: readonly string[]) {
  const key = { domain: domain ?? '', sdkName: name ?? '', sdkVersion: version ?? '' };
  const existing = await tx.get(
    'SELECT 1 AS there FROM sdk_statistics WHERE project_id = $1 AND domain = $2 AND sdk_name = $3 AND sdk_version = $4',
    [projectId, key.domain, key.sdkName, key.sdkVersion],
  );
  if (existing !== undefined) return key;
  const rows = await countRows(tx, 'FROM sdk_statistics WHERE project_id = $1', [projectId]);
  return rows >= sdkRowsMax ? { domain: '', sdkName: 'other', sdkVersion: '' } : key;
}
