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

export function readFirstSeen(query: Reads, projectId: number, versions: readonly [string, string]) {
  return readKnown(query, projectId, 'version IN ($2, $3)', versions);
}

export function readCreated(query: Reads, projectId: number): Promise<KnownRelease[]> {
  return readKnown(query, projectId, 'registered_at_ms IS NOT NULL', []);
}

/** Registered releases of a package (null: without one). */
export function readCreatedOf(query: Reads, projectId: number, packageName: string | null) {
  // A package ends before the first `@` that is not the first character.
  const [packaged, values] =
    packageName === null
      ? ["version NOT LIKE '_%@%'", []]
      : ['SUBSTR(version, 1, LENGTH(CAST($2 AS TEXT))) = CAST($2 AS TEXT)', [`${packageName}@`]];
  return readKnown(query, projectId, `registered_at_ms IS NOT NULL AND ${packaged}`, values);
}

type Reads = Pick<Query, 'all'>;

async function readKnown(
  query: Reads,
  projectId: number,
  condition: string,
  values: readonly SqlValue[],
): Promise<KnownRelease[]> {
  const rows = await query.all<FirstSeenRow>(
    `SELECT version, id, ${firstSeenMs('releases')} AS first_seen_ms FROM releases
     WHERE project_id = $1 AND ${condition}`,
    [projectId, ...values],
  );
  return rows.map(firstSeenOf);
}

/** SQL for when a release was first seen: created, or in an event if that was before. */
export function firstSeenMs(table: string): string {
  const [event, creation] = [`${table}.first_event_at_ms`, `${table}.created_at_ms`];
  return `CASE WHEN ${event} < ${creation} THEN ${event} ELSE ${creation} END`;
}

export function firstSeenOf(row: FirstSeenRow): KnownRelease {
  return { version: row.version, id: Number(row.id), firstSeenMs: Number(row.first_seen_ms) };
}
