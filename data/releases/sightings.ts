// When releases were seen: their first and their last event noted, and read for the order of releases.
import type { KnownRelease } from '../../src/core/releases/order.ts';
import { compareKeys } from '../compare-keys.ts';
import type { Query, RowStatement, SqlValue, Transaction } from '../db.ts';

export interface SightingRow {
  readonly version: string;
  readonly id: number;
  readonly first_seen_ms: number;
}

const noteSight: RowStatement = {
  sql: `UPDATE releases SET last_event_at_ms = CASE WHEN last_event_at_ms > $3 THEN last_event_at_ms ELSE $3 END,
      first_event_at_ms = CASE WHEN first_event_at_ms <= $4 THEN first_event_at_ms ELSE $4 END
    WHERE project_id = $1 AND version = $2`,
  types: ['bigint', 'text', 'bigint', 'bigint'],
};

/** When a release was seen: last, and earliest. */
export interface ReleaseSight {
  readonly projectId: number;
  readonly version: string;
  readonly lastMs: number;
  readonly earliestMs: number;
}

/**
 * Notes that releases were seen in events, each once. `version` is sanitised and was admitted
 * (`NameRoom.admit`). Answers those that are not there, in the order in which they were told: deleted since
 * they were remembered, or the name of all that have no place.
 */
export async function touchReleases(
  tx: Transaction,
  sights: readonly ReleaseSight[],
): Promise<ReleaseSight[]> {
  const sorted = sights.toSorted((left, right) => compareKeys(valuesOf(left), valuesOf(right), 2));
  const missed = new Set((await tx.updateMany(noteSight, sorted.map(valuesOf))).map((at) => sorted[at]));
  return sights.filter((sight) => missed.has(sight));
}

function valuesOf({ projectId, version, lastMs, earliestMs }: ReleaseSight): SqlValue[] {
  return [projectId, version, lastMs, earliestMs];
}

/** Two releases of a project, as the order needs them; those that are not there are left out. */
export async function readSightings(
  query: Pick<Query, 'all'>,
  projectId: number,
  versions: readonly [string, string],
): Promise<KnownRelease[]> {
  const rows = await query.all<SightingRow>(
    `SELECT version, id, ${firstSeenMs('releases')} AS first_seen_ms FROM releases
     WHERE project_id = $1 AND version IN ($2, $3)`,
    [projectId, ...versions],
  );
  return rows.map(sightingOf);
}

/** All releases of a project that a caller with the secret key created. */
export async function readCreated(query: Pick<Query, 'all'>, projectId: number): Promise<KnownRelease[]> {
  const rows = await query.all<SightingRow>(
    `SELECT version, id, ${firstSeenMs('releases')} AS first_seen_ms FROM releases
     WHERE project_id = $1 AND registered_at_ms IS NOT NULL`,
    [projectId],
  );
  return rows.map(sightingOf);
}

/** All releases of a package (null: without one) that a caller with the secret key created. */
export async function readCreatedOf(
  query: Pick<Query, 'all'>,
  projectId: number,
  packageName: string | null,
): Promise<KnownRelease[]> {
  const packaged = ofPackage(packageName, 'version', 2);
  const rows = await query.all<SightingRow>(
    `SELECT version, id, ${firstSeenMs('releases')} AS first_seen_ms FROM releases
     WHERE project_id = $1 AND registered_at_ms IS NOT NULL AND ${packaged.sql}`,
    [projectId, ...packaged.values],
  );
  return rows.map(sightingOf);
}

/** SQL for the moment a release was first seen: created, or named by an event, whichever was first. */
export function firstSeenMs(table: string): string {
  const [event, creation] = [`${table}.first_event_at_ms`, `${table}.created_at_ms`];
  return `CASE WHEN ${event} < ${creation} THEN ${event} ELSE ${creation} END`;
}

/** SQL for "the version in this column is of this package"; its value, if any, is parameter `$place`. */
function ofPackage(
  packageName: string | null,
  column: string,
  place: number,
): { sql: string; values: SqlValue[] } {
  // A package ends before the first `@`, the first character aside.
  if (packageName === null) return { sql: `${column} NOT LIKE '_%@%'`, values: [] };
  const beginning = `${packageName}@`;
  const parameter = `CAST($${place} AS TEXT)`;
  return { sql: `SUBSTR(${column}, 1, LENGTH(${parameter})) = ${parameter}`, values: [beginning] };
}

export function sightingOf(row: SightingRow): KnownRelease {
  return { version: row.version, id: Number(row.id), firstSeenMs: Number(row.first_seen_ms) };
}
