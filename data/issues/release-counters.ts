// Counters by release and environment of events that are moved; accepted events are counted in counters/.

import type { Level } from '../../schemas/event.ts';
import { overLimitName } from '../../src/core/store/projects.ts';
import type { Query } from '../db.ts';
import { addedToIssueRelease, issueReleases } from './counter-rows.ts';

export interface MovedEvent {
  readonly id: number;
  readonly received_at_ms: number;
  readonly level: Level;
  readonly release: string | null;
  readonly environment: string | null;
  readonly user_hash: string | null;
}

type ReleaseCounter = ReturnType<typeof toReleaseCounters>[number];

function toReleaseCounters(events: readonly MovedEvent[]) {
  const withRelease = events.filter((event) => event.release !== null || event.environment !== null);
  const eventsByRelease = Map.groupBy(
    withRelease,
    ({ release, environment }) => `${release ?? ''}\n${environment ?? ''}`,
  );
  return [...eventsByRelease]
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

export async function removeReleaseCounters(
  tx: Query,
  projectId: number,
  issueId: number,
  events: readonly MovedEvent[],
): Promise<void> {
  for (const counter of toReleaseCounters(events)) {
    // Events that came when all counters were in use count under the shared name.
    if (await removeFrom(tx, projectId, issueId, counter, counter.release)) {
      await narrowSeenRange(tx, projectId, issueId, counter);
    } else {
      await removeFrom(tx, projectId, issueId, counter, overLimitName);
    }
  }
}

async function removeFrom(
  tx: Query,
  projectId: number,
  issueId: number,
  { environment, events }: ReleaseCounter,
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
async function narrowSeenRange(tx: Query, projectId: number, issueId: number, counter: ReleaseCounter) {
  const { release, environment, firstMs, lastMs } = counter;
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

export async function addReleaseCounters(
  tx: Query,
  projectId: number,
  issueId: number,
  events: readonly MovedEvent[],
  placesMax: number,
): Promise<void> {
  for (const counter of toReleaseCounters(events)) {
    const known = await tx.all<{ release: string; environment: string }>(
      'SELECT release, environment FROM issue_releases WHERE project_id = $1 AND issue_id = $2 LIMIT $3',
      [projectId, issueId, placesMax],
    );
    const isKnown = known.some((k) => k.release === counter.release && k.environment === counter.environment);
    const release = isKnown || known.length < placesMax ? counter.release : overLimitName;
    const { environment, firstMs: firstSeenMs, lastMs: lastSeenMs } = counter;
    const row = { projectId, issueId, release, environment, events: counter.events, firstSeenMs, lastSeenMs };
    await issueReleases.insert(tx, row, { onConflict: addedToIssueRelease });
  }
}
