// Counters by release and environment of events that are moved; accepted events are counted in counters/.

import type { Level } from '../../schemas/event.ts';
import { overLimitName } from '../../src/core/store/projects.ts';
import type { Query } from '../db.ts';
import { addedToPlace, places } from './counter-rows.ts';

export interface MovedEvent {
  readonly id: number;
  readonly received_at_ms: number;
  readonly level: Level;
  readonly release: string | null;
  readonly environment: string | null;
  readonly user_hash: string | null;
}

interface Place {
  readonly release: string;
  readonly environment: string;
  readonly events: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

function placesOf(events: readonly MovedEvent[]): Place[] {
  const placed = events.filter((event) => event.release !== null || event.environment !== null);
  const places = Map.groupBy(placed, ({ release, environment }) => `${release ?? ''}\n${environment ?? ''}`);
  return [...places]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, members]) => {
      const times = members.map((event) => event.received_at_ms);
      return {
        release: members[0]?.release ?? '',
        environment: members[0]?.environment ?? '',
        events: members.length,
        firstMs: Math.min(...times),
        lastMs: Math.max(...times),
      };
    });
}

export async function removePlaces(
  tx: Query,
  projectId: number,
  issueId: number,
  events: readonly MovedEvent[],
): Promise<void> {
  for (const place of placesOf(events)) {
    // Events that came when all places were taken count under the shared name.
    if (await removeFrom(tx, projectId, issueId, place, place.release)) {
      await narrow(tx, projectId, issueId, place);
    } else {
      await removeFrom(tx, projectId, issueId, place, overLimitName);
    }
  }
}

async function removeFrom(
  tx: Query,
  projectId: number,
  issueId: number,
  { environment, events }: Place,
  release: string,
): Promise<boolean> {
  const key = [projectId, release, environment, issueId];
  const where = 'WHERE project_id = $1 AND release = $2 AND environment = $3 AND issue_id = $4';
  const { changes } = await tx.run(`UPDATE issue_releases SET events = events - $5 ${where}`, [
    ...key,
    events,
  ]);
  await tx.run(`DELETE FROM issue_releases ${where} AND events <= 0`, key);
  return changes > 0;
}

/** After the first or last event left, the next one gives the time. */
async function narrow(tx: Query, projectId: number, issueId: number, place: Place): Promise<void> {
  const { release, environment, firstMs, lastMs } = place;
  const ofPlace = `SELECT received_at_ms FROM events WHERE project_id = $1 AND issue_id = $4
    AND COALESCE(release, '') = $2 AND COALESCE(environment, '') = $3`;
  await tx.run(
    `UPDATE issue_releases SET
       first_seen_ms = CASE WHEN first_seen_ms < CAST($5 AS BIGINT) THEN first_seen_ms
         ELSE COALESCE((${ofPlace} ORDER BY received_at_ms LIMIT 1), first_seen_ms) END,
       last_seen_ms = CASE WHEN last_seen_ms > CAST($6 AS BIGINT) THEN last_seen_ms
         ELSE COALESCE((${ofPlace} ORDER BY received_at_ms DESC LIMIT 1), last_seen_ms) END
     WHERE project_id = $1 AND release = $2 AND environment = $3 AND issue_id = $4`,
    [projectId, release, environment, issueId, firstMs, lastMs],
  );
}

export async function addPlaces(
  tx: Query,
  projectId: number,
  issueId: number,
  events: readonly MovedEvent[],
  placesMax: number,
): Promise<void> {
  for (const place of placesOf(events)) {
    const known = await tx.all<{ release: string; environment: string }>(
      'SELECT release, environment FROM issue_releases WHERE project_id = $1 AND issue_id = $2 LIMIT $3',
      [projectId, issueId, placesMax],
    );
    const isKnown = known.some((k) => k.release === place.release && k.environment === place.environment);
    const release = isKnown || known.length < placesMax ? place.release : overLimitName;
    const { environment, firstMs: firstSeenMs, lastMs: lastSeenMs } = place;
    const row = { projectId, issueId, release, environment, events: place.events, firstSeenMs, lastSeenMs };
    await places.insert(tx, row, { onConflict: addedToPlace });
  }
}
