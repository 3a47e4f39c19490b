// When releases were seen: their first and their last event noted, and read for the order of releases.
import type { KnownRelease } from '../../src/core/releases/order.ts';
import type { Query, SqlValue } from '../db.ts';

export interface SightingRow {
  readonly version: string;
  readonly id: number;
  readonly first_seen_ms: number;
}

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
    `UPDATE releases SET last_event_at_ms = $3,
       first_event_at_ms = CASE WHEN first_event_at_ms <= $3 THEN first_event_at_ms ELSE $3 END
     WHERE project_id = $1 AND version = $2`,
    [projectId, version, nowMs],
  );
  return seen.changes > 0;
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
export function ofPackage(
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
