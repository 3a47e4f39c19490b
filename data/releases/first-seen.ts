import type { KnownRelease } from '../../src/core/releases/compare-releases.ts';
import type { Query, RowStatement, SqlValue, Transaction } from '../db.ts';
import { compareKeys } from '../value-lists.ts';

export interface FirstSeenRow {
  readonly version: string;
  readonly id: number;
  readonly first_seen_ms: number;
}

const updateSeen: RowStatement = {
  sql: `UPDATE releases SET last_event_at_ms = CASE WHEN last_event_at_ms > $3 THEN last_event_at_ms ELSE $3 END,
      first_event_at_ms = CASE WHEN first_event_at_ms <= $4 THEN first_event_at_ms ELSE $4 END
    WHERE project_id = $1 AND version = $2`,
  types: ['bigint', 'text', 'bigint', 'bigint'],
};

export interface SeenRelease {
  readonly projectId: number;
  readonly version: string;
  readonly lastMs: number;
  readonly earliestMs: number;
}

/** Answers the events without a row, in the given order: deleted since they were cached, or `other`. */
export async function touchReleases(
  tx: Transaction,
  seenReleases: readonly SeenRelease[],
): Promise<SeenRelease[]> {
  const sorted = seenReleases.toSorted((left, right) => compareKeys(valuesOf(left), valuesOf(right), 2));
  const missed = new Set((await tx.updateMany(updateSeen, sorted.map(valuesOf))).map((at) => sorted[at]));
  return seenReleases.filter((seen) => missed.has(seen));
}

function valuesOf({ projectId, version, lastMs, earliestMs }: SeenRelease): SqlValue[] {
  return [projectId, version, lastMs, earliestMs];
}

export async function readFirstSeen(
  query: Pick<Query, 'all'>,
  projectId: number,
  versions: readonly [string, string],
): Promise<KnownRelease[]> {
  const rows = await query.all<FirstSeenRow>(
    `SELECT version, id, ${firstSeenMs('releases')} AS first_seen_ms FROM releases
     WHERE project_id = $1 AND version IN ($2, $3)`,
    [projectId, ...versions],
  );
  return rows.map(firstSeenOf);
}

export async function readCreated(query: Pick<Query, 'all'>, projectId: number): Promise<KnownRelease[]> {
  const rows = await query.all<FirstSeenRow>(
    `SELECT version, id, ${firstSeenMs('releases')} AS first_seen_ms FROM releases
     WHERE project_id = $1 AND registered_at_ms IS NOT NULL`,
    [projectId],
  );
  return rows.map(firstSeenOf);
}

/** Registered releases of a package (null: without one). */
export async function readCreatedOf(
  query: Pick<Query, 'all'>,
  projectId: number,
  packageName: string | null,
): Promise<KnownRelease[]> {
  const packaged = packageCondition(packageName, 'version', 2);
  const rows = await query.all<FirstSeenRow>(
    `SELECT version, id, ${firstSeenMs('releases')} AS first_seen_ms FROM releases
     WHERE project_id = $1 AND registered_at_ms IS NOT NULL AND ${packaged.sql}`,
    [projectId, ...packaged.values],
  );
  return rows.map(firstSeenOf);
}

/** SQL for when a release was first seen: created, or in an event if that was before. */
export function firstSeenMs(table: string): string {
  const [event, creation] = [`${table}.first_event_at_ms`, `${table}.created_at_ms`];
  return `CASE WHEN ${event} < ${creation} THEN ${event} ELSE ${creation} END`;
}

/** Condition that the version in `column` belongs to the package; `$position` is its parameter. */
function packageCondition(
  packageName: string | null,
  column: string,
  position: number,
): { sql: string; values: SqlValue[] } {
  // A package ends before the first `@` that is not the first character.
  if (packageName === null) return { sql: `${column} NOT LIKE '_%@%'`, values: [] };
  const prefix = `${packageName}@`;
  const parameter = `CAST($${position} AS TEXT)`;
  return { sql: `SUBSTR(${column}, 1, LENGTH(${parameter})) = ${parameter}`, values: [prefix] };
}

export function firstSeenOf(row: FirstSeenRow): KnownRelease {
  return { version: row.version, id: Number(row.id), firstSeenMs: Number(row.first_seen_ms) };
}
