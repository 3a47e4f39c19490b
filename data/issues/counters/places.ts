// Under which releases and environments issues were seen.

import { otherName } from '../../../src/core/store/bounds.ts';
import type { NewEvent } from '../../../src/core/store/events.ts';
import { compareKeys } from '../../compare-keys.ts';
import type { Query, RowStatement, SqlValue, Transaction } from '../../db.ts';

/** Under which release and environment events of an issue came, how many and when. */
interface CountedPlace {
  readonly projectId: number;
  readonly release: string;
  readonly environment: string;
  readonly issueId: number;
  readonly events: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

const addToPlace: RowStatement = {
  sql: `UPDATE issue_releases SET events = events + $5,
      first_seen_ms = CASE WHEN first_seen_ms > $6 THEN $6 ELSE first_seen_ms END,
      last_seen_ms = CASE WHEN last_seen_ms < $7 THEN $7 ELSE last_seen_ms END
    WHERE project_id = $1 AND release = $2 AND environment = $3 AND issue_id = $4`,
  types: ['bigint', 'text', 'text', 'bigint', 'bigint', 'bigint', 'bigint'],
};

/** The place of one event; null where it names none. */
function placeOf(event: NewEvent, issueId: number): CountedPlace | null {
  const { projectId, release, environment, receivedAtMs: atMs } = event;
  if (release === null && environment === null) return null;
  const seen = { events: 1, firstMs: atMs, lastMs: atMs };
  return { projectId, release: release ?? '', environment: environment ?? '', issueId, ...seen };
}

function placeValues(place: CountedPlace): SqlValue[] {
  const { projectId, release, environment, issueId, events, firstMs, lastMs } = place;
  return [projectId, release, environment, issueId, events, firstMs, lastMs];
}

/**
 * Where the issue was seen. Past so many places a new one counts under the name that all late releases share.
 */
async function countPlace(tx: Query, place: CountedPlace, placesMax: number): Promise<void> {
  const { projectId, issueId } = place;
  const counted = await tx.run(addToPlace.sql, placeValues(place));
  if (counted.changes > 0) return;
  const places = await tx.get<{ places: number }>(
    `SELECT COUNT(*) AS places FROM (
       SELECT 1 FROM issue_releases WHERE project_id = $1 AND issue_id = $2 LIMIT $3) AS known`,
    [projectId, issueId, placesMax],
  );
  const isFull = (places?.places ?? 0) >= placesMax;
  await tx.run(
    `INSERT INTO issue_releases (project_id, release, environment, issue_id, events, first_seen_ms, last_seen_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (project_id, release, environment, issue_id) DO UPDATE SET
       events = issue_releases.events + $5,
       first_seen_ms = CASE WHEN issue_releases.first_seen_ms > $6 THEN $6 ELSE issue_releases.first_seen_ms END,
       last_seen_ms = CASE WHEN issue_releases.last_seen_ms < $7 THEN $7 ELSE issue_releases.last_seen_ms END`,
    placeValues(isFull ? { ...place, release: otherName } : place),
  );
}

/** Adds events to the places of their issues, told in the order in which they came. */
export async function addPlaces(
  tx: Transaction,
  filed: ReadonlyArray<{ readonly event: NewEvent; readonly issue: { readonly id: number } }>,
  placesMax: number,
): Promise<void> {
  const places = new Map<string, CountedPlace>();
  for (const { event, issue } of filed) {
    const place = placeOf(event, issue.id);
    if (place === null) continue;
    const key = `${issue.id}\n${place.release}\n${place.environment}`;
    const before = places.get(key) ?? { ...place, events: 0 };
    const firstMs = Math.min(before.firstMs, place.firstMs);
    const lastMs = Math.max(before.lastMs, place.lastMs);
    places.set(key, { ...place, events: before.events + 1, firstMs, lastMs });
  }
  const inOrder = [...places.values()];
  const sorted = inOrder.toSorted((left, right) => compareKeys(placeValues(left), placeValues(right), 4));
  const missed = new Set((await tx.updateMany(addToPlace, sorted.map(placeValues))).map((at) => sorted[at]));
  // Whoever comes first takes the last place.
  for (const place of inOrder) if (missed.has(place)) await countPlace(tx, place, placesMax);
}
